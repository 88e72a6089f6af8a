//! Keys of objects as numbers: telling one from many others takes a few comparisons, not one a byte.

/// The name of a member, if it is one that is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key {
    /// The first eight bytes, the first one lowest; 0 where there are fewer.
    head: u64,
    /// The next eight.
    tail: u64,
}

/// Longer names are not looked for.
pub(super) const MAX_KEY_BYTES: usize = 16;

/// What is kept of [`MAX_KEY_BYTES`] for each length of a name.
static KEPT: [(u64, u64); MAX_KEY_BYTES + 1] = {
    let mut kept = [(0, 0); MAX_KEY_BYTES + 1];
    let mut length = 1;
    #[allow(clippy::indexing_slicing, reason = "while compiling")]
    while length <= MAX_KEY_BYTES {
        let both = u128::MAX >> (8 * (MAX_KEY_BYTES - length));
        kept[length] = halves(both);
        length += 1;
    }
    kept
};

#[allow(clippy::cast_possible_truncation, reason = "that is what halves are")]
const fn halves(both: u128) -> (u64, u64) {
    (both as u64, (both >> 64) as u64)
}

impl Key {
    /// Any name that is not in [`name`]: those hold no byte of ones.
    pub(super) const OTHER: Key = Key { head: 0, tail: u64::MAX };

    /// The name that is the first `length` bytes, none of which is 0.
    #[inline]
    pub(super) fn within(bytes: [u8; MAX_KEY_BYTES], length: usize) -> Key {
        let Some((first, second)) = KEPT.get(length) else { return Key::OTHER };
        let (head, tail) = halves(u128::from_le_bytes(bytes));
        Key { head: head & first, tail: tail & second }
    }

    /// The name that these bytes are.
    pub(super) const fn of(name: &[u8]) -> Key {
        let mut bytes = [0; MAX_KEY_BYTES];
        if name.len() > MAX_KEY_BYTES {
            return Key::OTHER;
        }
        let mut at = 0;
        #[allow(clippy::indexing_slicing, reason = "within both")]
        while at < name.len() {
            if name[at] == 0 {
                return Key::OTHER;
            }
            bytes[at] = name[at];
            at += 1;
        }
        let (head, tail) = halves(u128::from_le_bytes(bytes));
        Key { head, tail }
    }
}

/// The names that are looked for.
#[allow(non_upper_case_globals, reason = "spelt as the specification spells them")]
pub(super) mod name {
    use super::Key;

    macro_rules! names {
        ($($name:ident)*) => {
            $(pub(in crate::read) const $name: Key = Key::of(stringify!($name).as_bytes());)*
        };
    }

    names! {
        acat api app asi assets at audio badv banner bapp battr bcat bidderconfig bidders bidfloor bidfloorcur
        boxingallowed brand browsers bseat btype bundle buyeruid carrier cat cattax channel city companionad companiontype
        complete config connectiontype consent content contentrating coppa country cur data deals delivery device
        datatopub devicetype dnt domain dooh dsa dsarequired dt durfloors eids event eventtrackers exp expdir ext format gdpr genre genres geo gpc gpid gpp gpp_sid guar h hmin hratio id ifa img imp instl keywords kwarray langb language lat len linearity livestream lmt lon make maxbitrate maxdur maxduration maxextended maxseq methods metric metro mimes minbitrate mincpmpersec mindur minduration mm model name native network nodes ortb2 os osv page pagecat pbadslot platform playbackmethod plcmt pmp poddedupe poddur podid podseq pos prebid privacy private_auction protocol protocols publisher pubrender region regs request required rqddurs rwdd schain sectioncat secure segment sid site skip skipmin
        slotinpod source ssai startdelay sua tagid test title tmax topframe ua uids us_privacy user utcoffset value vendor
        ver version video w wadomain wlang wlangb wmin wratio wseat yob zip
    }

    pub(in crate::read) const r#type: Key = Key::of(b"type");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_itself_only() {
        let within = |text: &[u8; 16], length| Key::within(*text, length);
        for length in 0..=20 {
            let text = b"connectiontypes,";
            assert_eq!(within(text, length) == name::connectiontype, length == 14, "{length}");
        }
        for (text, length, is_id) in [
            (b"id\":\"1\",\"imp\":[{", 2, true),
            (b"id\":\"1\",\"imp\":[{", 3, false),
            (b"idx:\"1\",\"imp\":[{", 3, false),
            (b"ID\":\"1\",\"imp\":[{", 2, false),
            (b"id\":\"1\",\"imp\":[{", 0, false),
            (b"id\":\"1\",\"imp\":[{", 17, false),
        ] {
            assert_eq!(within(text, length) == name::id, is_id, "{} {length}", text.escape_ascii());
        }
        assert_eq!(Key::of(b"id"), name::id);
        assert_ne!(Key::of(b"id\0"), name::id);
        assert_eq!(Key::of(b"seventeen_letters"), Key::OTHER);
        assert_eq!(within(b"private_auction\"", 15), name::private_auction);
        assert_eq!(within(b"private_auction_", 16), Key::of(b"private_auction_"));
    }
}
