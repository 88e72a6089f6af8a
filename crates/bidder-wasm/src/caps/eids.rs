//! Extended ids that change although the person stays: nothing can be counted under them.

/// Sources of such ids, each with how its lasting ids begin, if it has any.
const CHANGING: &[(&str, &[&str])] = &[
    // UID2 tokens, encrypted anew with each refresh; only who has the keys reads the lasting id in them.
    ("uidapi.com", &[]),
    // EUID tokens: the same.
    ("euid.eu", &[]),
    // RampID envelopes, encrypted anew. RampIDs themselves last: maintained ones begin with XY, derived ones with Xi.
    ("liveramp.com", &["XY", "Xi"]),
    // Encrypted ID5 IDs begin with `ID5*`, and change; plain ones, which partners get, begin with `ID5-`.
    ("id5-sync.com", &["ID5-"]),
];

/// Whether the id stays the same for a person.
pub(super) fn lasts(source: &str, id: &str) -> bool {
    let known = CHANGING.iter().find(|(name, _)| name.eq_ignore_ascii_case(source));
    known.is_none_or(|(_, lasting)| lasting.iter().any(|start| id.starts_with(start)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encrypted_or_rotating_id_is_no_person() {
        for (source, id, expected) in [
            ("uidapi.com", "AgAAAANRdREk+IWqqnQkZ2rZdK0TgSUP", false),
            ("UIDAPI.com", "A4AAABZ", false),
            ("euid.eu", "E4AAABZ", false),
            ("liveramp.com", "AjfowMv4ZHZQJFM8TpiUnYEyA81Vdgg", false),
            ("liveramp.com", "XY1005wXyWPB1SgpMUKIpzA0I3UaLEz-2lg0wFAr1PWK7FMhs", true),
            ("liveramp.com", "Xi1005p_iYcKP7ZlvFwwK9EwR8GKl_VJqIWUhEaAFmHLAjNOQ9b6OQzSkA43XiVFcTYQ9X", true),
            ("id5-sync.com", "ID5*mGx-bL_tNcnnNTAdDkZSNvvhHYyjDdBn", false),
            ("id5-sync.com", "ID5-f46-K18ECHZ2Vup", true),
            ("pubcid.org", "3F6D", true),
            ("", "AgAAAAN", true),
        ] {
            assert_eq!(lasts(source, id), expected, "{source} {id}");
        }
    }
}
