//! User sync (OpenRTB 2.6, Appendix C): reads the query of a sync call from a browser, and decides whether privacy
//! allows the sync. The Worker handles cookies and redirects.
//!
//! The privacy signals go through the same gate as those of bid requests. A query with a repeated parameter or with a
//! parameter that cannot be decoded is refused, because a guess could miss an opt-out.

use bumpalo::Bump;
use bumpalo::collections::Vec as ArenaVec;

use crate::Settings;
use base::address::{self, decoded};
use base::json::Object;
use base::limits::{MAX_SYNC_QUERY_BYTES, MAX_UID_BYTES};
use base::placeholder::is_placeholder;
use openrtb::read::integer;
use openrtb::request::{Device, Regs, Request, UNKNOWN_SECTION, User};

/// The parameters of a call. Other parameters are ignored.
const PARAMETERS: [&str; 7] = ["uid", "gdpr", "gdpr_consent", "gpp", "gpp_sid", "us_privacy", "redirect"];

/// The placeholder for our id in `redirect`, as in Prebid Server.
const OUR_ID: &str = "$UID";

/// The parameters of a sync call.
#[derive(Debug, Clone, Copy, Default)]
pub struct Call<'a> {
    /// In the order of [`PARAMETERS`]. Empty means absent.
    values: [&'a str; PARAMETERS.len()],
}

impl<'a> Call<'a> {
    /// Reads a query without its `?`. `None` if the query is longer than [`MAX_SYNC_QUERY_BYTES`], a parameter is
    /// repeated or is not visible ASCII after decoding, or `uid` is a placeholder. A `+` stays a `+`, because ids in
    /// base64 come unescaped.
    pub fn read(query: &[u8], arena: &'a Bump) -> Option<Self> {
        if MAX_SYNC_QUERY_BYTES < query.len() {
            return None;
        }
        let mut call = Self::default();
        let mut seen = 0_u32;
        for pair in query.split(|byte| *byte == b'&') {
            // As in notices, the URL may have `&amp;` before its other pairs.
            let pair = pair.strip_prefix(b"amp;").unwrap_or(pair);
            let end = pair.iter().position(|byte| *byte == b'=').unwrap_or(pair.len());
            let (name, value) = pair.split_at_checked(end)?;
            let name = decoded(name, arena);
            let Some(position) = PARAMETERS.iter().position(|known| Some(*known) == name) else { continue };
            if seen & 1 << position != 0 {
                return None;
            }
            seen |= 1 << position;
            *call.values.get_mut(position)? = decoded(value.get(1..).unwrap_or_default(), arena)?;
        }
        let [uid, ..] = call.values;
        (seen & 1 == 0 || uid.len() <= MAX_UID_BYTES && !is_placeholder(uid)).then_some(call)
    }

    /// `Err` with the reason if privacy forbids the sync: `tcf-refused` if a TCF string is not valid or does not disclose
    /// our vendor, else `no-consent`. `opted_out`: the browser sends an opt-out of its own.
    pub fn allow(&self, opted_out: bool, settings: &Settings, arena: &Bump) -> Result<(), &'static str> {
        let [_, gdpr, consent, gpp, gpp_sid, us_privacy, _] = self.values;
        // Only "0" says that GDPR does not apply; other values count as 1.
        let gdpr = if gdpr.is_empty() { None } else { Some(gdpr != "0") };
        let mut sections = ArenaVec::new_in(arena);
        for id in gpp_sid.split([',', '_']).filter(|id| !id.is_empty()) {
            // An unreadable id is an unknown section, so the gate refuses.
            sections.push(integer(id).unwrap_or(UNKNOWN_SECTION));
        }
        let request = Request {
            regs: Regs { gdpr, us_privacy, gpp, gpp_sid: &sections, ..Regs::default() },
            user: User { consent, ..User::default() },
            device: Device { dnt: opted_out, ..Device::default() },
            ..Request::default()
        };
        match crate::judge(&request, settings) {
            (verdict, _) if verdict.allows_personal() => Ok(()),
            (_, true) => Err("tcf-refused"),
            (_, false) => Err("no-consent"),
        }
    }

    /// Checks `redirect`: it must be an `https` address on one of the exchange's `hosts`, with `$UID` after the host.
    /// `None` if one of these conditions is not met. If the exchange has no `hosts`, removes `redirect`.
    pub fn within<'h>(mut self, hosts: impl Iterator<Item = &'h str>) -> Option<Self> {
        let mut hosts = hosts.peekable();
        let [.., redirect] = &mut self.values;
        if hosts.peek().is_none() {
            *redirect = "";
        }
        if !redirect.is_empty() {
            let (host, rest) = address::parts(redirect)?;
            let can_take_id = address::is_plain(rest) && rest.contains(OUR_ID);
            hosts.find(|known| can_take_id && known.eq_ignore_ascii_case(host))?;
        }
        Some(self)
    }

    /// Appends an object with all parameters.
    pub fn write(&self, out: &mut String) {
        let mut object = Object::begin(out);
        PARAMETERS.iter().zip(self.values).for_each(|(name, value)| object.string(name, value));
        object.end();
    }
}

#[cfg(test)]
mod tests {
    use core::num::NonZeroU16;

    use proptest::prelude::*;

    use super::*;

    /// A TCF string of version 2 that grants everything to vendors 1 to 8 by consent, and one that grants nothing.
    const ALL: &str = "CAAAAAAAAAAAAAKABBENBaEgAP_gAAAAAAAAAEP8ACAAAA";
    const NOTHING: &str = "CAAAAAAAAAAAAAKABBENBaEgAAAAAAAAAAAAAEAAACAAAA";

    fn read<'a>(query: &str, arena: &'a Bump) -> Option<[&'a str; PARAMETERS.len()]> {
        Call::read(query.as_bytes(), arena).map(|call| call.values)
    }

    #[test]
    fn reads_each_parameter_once_and_decoded() {
        let arena = Bump::new();
        for (query, expected) in [
            ("", Some([""; PARAMETERS.len()])),
            ("&&=&=x&other=%zz&%zz=1&UID=A", Some([""; PARAMETERS.len()])),
            ("uid=a%2Fb+c==&gdpr=1", Some(["a/b+c==", "1", "", "", "", "", ""])),
            (
                "gdpr_consent=C~.&gpp=D%7ex&gpp_sid=2,6&us_privacy=1YNN&gdpr=&redirect=https:%2f%2Fx?%24UID",
                Some(["", "", "C~.", "D~x", "2,6", "1YNN", "https://x?$UID"]),
            ),
            ("%67dpr=1&g%64pr_consent=x", Some(["", "1", "x", "", "", "", ""])),
            ("gdpr=0&%67dpr=1", None),
            ("gdpr=0&gdpr", None),
            ("us_privacy=1YNN&us_privacy=1YNN", None),
            ("gdpr_consent=%", None),
            ("gdpr_consent=%4", None),
            ("gpp=%g0", None),
            ("gpp=%ff", None),
            ("gpp=%c3%a9", None),
            ("gpp=a%0ab", None),
            ("gpp_sid=7 8", None),
            ("uid=a&uid=b", None),
            ("redirect=https://x?$UID&redirect=https://x?$UID", None),
            ("redirect=https://x?$UID%0d%0ax:y", None),
            ("uid=", None),
            ("uid", None),
            ("uid=a%20b", None),
            ("uid=%0d%0aset-cookie:x", None),
            ("uid=%00", None),
            ("uid=%c3%a9", None),
            ("uid=${UID}", None),
            ("uid=$UID", None),
            ("uid=[uid]", None),
            ("uid=%7Buser_id%7D", None),
            ("uid=0", None),
            ("uid=null", None),
            ("uid=OPTOUT", None),
        ] {
            assert_eq!(read(query, &arena), expected, "{query}");
        }
        let uid = |bytes| format!("uid=7{}", "x".repeat(bytes - 1));
        assert!(read(&uid(MAX_UID_BYTES), &arena).is_some());
        assert!(read(&uid(MAX_UID_BYTES + 1), &arena).is_none());
        let gpp = |bytes| format!("gpp={}", "x".repeat(bytes - 4));
        assert!(read(&gpp(MAX_SYNC_QUERY_BYTES), &arena).is_some());
        assert!(read(&gpp(MAX_SYNC_QUERY_BYTES + 1), &arena).is_none());
    }

    #[test]
    fn privacy_signals_mean_the_same_as_in_a_bid_request() {
        let arena = Bump::new();
        let registered = Settings { vendor_id: NonZeroU16::new(2), ..Settings::default() };
        let assuming = Settings { assume_gdpr: true, ..registered };
        let unregistered = Settings::default();
        for (query, settings, allowed) in [
            ("", registered, true),
            ("", unregistered, true),
            ("", assuming, false),
            ("gdpr=0", assuming, true),
            ("gdpr=1", registered, false),
            ("gdpr=1&gdpr_consent=ALL", registered, true),
            ("gdpr=1&gdpr_consent=ALL", unregistered, false),
            ("gdpr=1&gdpr_consent=NOTHING", registered, false),
            ("gdpr=0&gdpr_consent=NOTHING", registered, true),
            ("gdpr_consent=NOTHING", registered, false),
            ("gdpr_consent=ALL", registered, true),
            ("gdpr=yes", registered, false),
            ("gdpr=${GDPR}", registered, false),
            ("gdpr=00", registered, false),
            ("gdpr=1&gdpr_consent=garbage", registered, false),
            ("gdpr_consent=${GDPR_CONSENT_2}", registered, false),
            ("us_privacy=1YNN", registered, true),
            ("us_privacy=1---", registered, true),
            ("us_privacy=1YYN", registered, false),
            ("us_privacy=1yyn", registered, false),
            ("us_privacy=${US_PRIVACY}", registered, false),
            ("gpp_sid=-1", registered, true),
            ("gpp_sid=0", registered, true),
            ("gpp_sid=,", registered, true),
            ("gpp_sid=2", registered, false),
            ("gpp_sid=7", registered, false),
            ("gpp_sid=-1,7", registered, false),
            ("gpp_sid=-1_7", registered, false),
            ("gpp_sid=99", registered, false),
            ("gpp_sid=seven", registered, false),
            ("gpp_sid=[6]", registered, false),
            ("gpp_sid=99999999999999999999", registered, false),
            ("gpp=DBABTA~1YNN&gpp_sid=6", registered, true),
            ("gpp=DBABTA~1YYN&gpp_sid=6", registered, false),
            ("gpp=garbage&gpp_sid=6", registered, false),
            ("gpp=garbage", registered, true),
        ] {
            let query = query.replace("ALL", ALL).replace("NOTHING", NOTHING);
            let call = Call::read(query.as_bytes(), &arena).unwrap();
            assert_eq!(call.allow(false, &settings, &arena).is_ok(), allowed, "{query}");
            assert!(call.allow(true, &settings, &arena).is_err(), "{query}");
        }
    }

    #[test]
    fn writes_all_parameters() {
        let arena = Bump::new();
        let mut out = String::new();
        Call::read(b"uid=a%22b&gpp=c&us_privacy=1---&redirect=https://x", &arena).unwrap().write(&mut out);
        let ids = r#""uid":"a\"b","gdpr":"","gdpr_consent":"","gpp":"c","gpp_sid":"""#;
        assert_eq!(out, format!(r#"{{{ids},"us_privacy":"1---","redirect":"https://x"}}"#));
    }

    #[test]
    fn a_redirect_must_be_on_a_host_of_the_exchange_with_our_id_after_it() {
        let hosts = ["prebid.example", "b.example:8443"];
        for (redirect, is_allowed) in [
            ("", true),
            ("https://prebid.example/setuid?bidder=edgebid&uid=$UID", true),
            ("https://PREBID.example?$UID", true),
            ("https://b.example:8443/$UID/$UID", true),
            ("https://prebid.example/a@evil.example/..//\u{7e}{}|?q=https://evil.example/&u=$UID", true),
            ("http://prebid.example/$UID", false),
            ("HTTPS://prebid.example/$UID", false),
            ("//prebid.example/$UID", false),
            ("/$UID", false),
            ("javascript:alert($UID)", false),
            ("https:prebid.example/$UID", false),
            ("https:/prebid.example/$UID", false),
            ("https:///prebid.example/$UID", false),
            ("https://evil.example/$UID", false),
            ("https://evil.example/https://prebid.example/$UID", false),
            ("https://evil.example?prebid.example/$UID", false),
            ("https://prebid.example.evil.example/$UID", false),
            ("https://evilprebid.example/$UID", false),
            ("https://x.prebid.example/$UID", false),
            ("https://prebid.example./$UID", false),
            ("https://prebid.example:443/$UID", false),
            ("https://prebid.example:8443/$UID", false),
            ("https://b.example/$UID", false),
            ("https://prebid.example@evil.example/$UID", false),
            ("https://evil.example@prebid.example/$UID", false),
            ("https://evil.example:x@prebid.example/$UID", false),
            ("https://prebid.example#/$UID", false),
            ("https://prebid.example/#$UID", false),
            ("https://evil.example#prebid.example/$UID", false),
            (r"https://evil.example\prebid.example/$UID", false),
            (r"https://prebid.example\@evil.example/$UID", false),
            (r"https:\\prebid.example/$UID", false),
            (r"https://prebid.example/\$UID", false),
            ("https://prebid%2eexample/$UID", false),
            ("https://prebid.example%2f@evil.example/$UID", false),
            ("https://$UID.prebid.example/$UID", false),
            ("https://$UID/", false),
            ("https:///$UID", false),
            ("https://?$UID", false),
            ("https://", false),
            ("https://prebid.example/setuid?uid=", false),
            ("https://prebid.example/setuid?uid=%24UID", false),
            ("https://prebid.example/setuid?uid=$uid", false),
            ("https://prebid.example/<script>$UID", false),
            ("https://prebid.example/\"$UID", false),
        ] {
            let mut call = Call::default();
            call.values[6] = redirect;
            let within = call.within(hosts.into_iter()).map(|call| call.values[6]);
            assert_eq!(within, is_allowed.then_some(redirect), "{redirect}");
            assert_eq!(call.within([].into_iter()).map(|call| call.values[6]), Some(""), "{redirect}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(query in proptest::collection::vec(any::<u8>(), 0..300)) {
            let arena = Bump::new();
            if let Some(call) = Call::read(&query, &arena) {
                let _ = call.allow(false, &Settings::default(), &arena);
            }
        }

        #[test]
        fn escaped_parameters_are_decoded(values in proptest::array::uniform6("[!-~]{1,20}")) {
            let arena = Bump::new();
            let escaped = |text: &str| text.bytes().map(|byte| format!("%{byte:02X}")).collect::<Vec<_>>().concat();
            let pairs: Vec<String> = PARAMETERS.iter().skip(1).zip(&values).map(|(name, value)| {
                format!("{}={}", escaped(name), escaped(value))
            }).collect();
            let call = read(&pairs.join("&"), &arena).unwrap();
            prop_assert_eq!(&call[1..], &values[..]);
        }
    }
}
