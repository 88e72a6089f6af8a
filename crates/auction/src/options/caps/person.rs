//! Chooses the id by which a person's impressions are counted, and makes keys of it, so that no store holds the id.

use base::hash::hex;
use base::ip;
use base::json::Object;
use base::named;
use notices::Keys;
use rules::targeting::Facts;

named! {
    /// The kinds of ids, the best first. An id that all exchanges send comes before one that a single exchange knows,
    /// because it counts the impressions of all of them.
    pub enum Kind {
        /// `user.buyeruid`: our own id for the person, which exchanges know from user sync.
        Buyeruid = "buyeruid",
        /// `device.ifa`: the device's advertising id.
        Ifa = "ifa",
        /// `user.eids[].uids[].id`, within its `source`.
        Eid = "eid",
        /// `user.id`, within one SSP.
        User = "user",
        /// The home of a television, by its address: of IPv6, the upper 64 bits.
        Household = "household",
    }
}

/// A person, as one id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Person<'a> {
    /// The kind of the id.
    pub kind: Kind,
    /// Where the id is valid: a `source` or an SSP. Empty: everywhere.
    pub scope: &'a str,
    /// The id.
    pub id: &'a str,
}

impl<'a> Person<'a> {
    /// The person by the best id that privacy allows. `None` if there is none: for example under `lmt`, COPPA, or
    /// without consent, and on a DOOH screen, which many people watch.
    pub fn of(facts: &Facts<'a>) -> Option<Person<'a>> {
        if !facts.personal {
            return None;
        }
        let (user, device) = (facts.request.user, facts.request.device);
        let everywhere = |kind, id: &'a str| Person { kind, scope: "", id };
        // Of several extended ids, always the same one counts, in whatever order an exchange sends them.
        let uids = user.eids.iter().flat_map(|eid| eid.uids.iter().map(|uid| (eid.source, uid.id)));
        let eid = uids.filter(|(source, id)| lasts(source, id)).min();
        [
            everywhere(Kind::Buyeruid, user.buyeruid),
            everywhere(Kind::Ifa, device.ifa),
            eid.map_or(everywhere(Kind::Eid, ""), |(scope, id)| Person { kind: Kind::Eid, scope, id }),
            Person { kind: Kind::User, scope: facts.ssp.id(), id: user.id },
            everywhere(Kind::Household, household(facts)),
        ]
        .into_iter()
        .find(|person| !person.id.is_empty())
    }

    /// The person's keys in the store, one for each key of notices. The first one is for writing. The others find
    /// counts from before the keys were replaced.
    pub fn keys(&self, keys: &Keys) -> Vec<[u8; 16]> {
        keys.marks(&self.name()).collect()
    }

    /// Adds `keys`, each of 32 hex digits.
    pub fn write(&self, object: &mut Object<'_>, keys: &Keys) {
        object.list("keys", &self.keys(keys), |out, key| {
            out.push('"');
            for byte in key {
                hex(out, u64::from(*byte), 2);
            }
            out.push('"');
        });
    }

    /// The bytes that name the person. The byte between the parts occurs in no text. An `ifa` and the `source` of an
    /// extended id are written in lower case, because systems write them in both cases.
    fn name(&self) -> Vec<u8> {
        let home = if self.kind == Kind::Household { ip::home(self.id) } else { None };
        let id = home.as_ref().map_or(self.id.as_bytes(), |bytes| bytes);
        let mut name = [b"caps".as_slice(), self.kind.as_str().as_bytes(), self.scope.as_bytes(), id].join(&0xff);
        let folded = match self.kind {
            Kind::Ifa => name.len(),
            Kind::Eid => name.len() - self.id.len(),
            Kind::Buyeruid | Kind::User | Kind::Household => 0,
        };
        if let Some(part) = name.get_mut(..folded) {
            part.make_ascii_lowercase();
        }
        name
    }
}

/// The address of a television at home, if the catalog counts households: a connected TV (device type 3) or a set-top box
/// (7). Else empty.
fn household<'a>(facts: &Facts<'a>) -> &'a str {
    let device = facts.request.device;
    let is_home = facts.caps_households && matches!(device.devicetype, Some(3 | 7));
    let address = [device.ip, device.ipv6].into_iter().find(|text| is_home && ip::whole(text).is_some());
    address.unwrap_or_default()
}

/// Sources whose extended ids change for the same person, so that nothing can be counted under them; each with the
/// beginnings of its stable ids, if it has any.
const CHANGING: &[(&str, &[&str])] = &[
    // UID2 tokens, which each refresh encrypts again. Only the owner of the keys can read the stable id in them.
    ("uidapi.com", &[]),
    // EUID tokens: like UID2.
    ("euid.eu", &[]),
    // RampID envelopes, which are encrypted again each time. RampIDs themselves are stable: maintained ones begin with
    // XY, derived ones with Xi.
    ("liveramp.com", &["XY", "Xi"]),
    // Encrypted ID5 IDs begin with `ID5*`, and change. Plain ones, which partners get, begin with `ID5-`.
    ("id5-sync.com", &["ID5-"]),
];

/// Whether the id stays the same for a person.
fn lasts(source: &str, id: &str) -> bool {
    let known = CHANGING.iter().find(|(name, _)| name.eq_ignore_ascii_case(source));
    known.is_none_or(|(_, lasting)| lasting.iter().any(|start| id.starts_with(start)))
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use catalog::SspDraft;
    use consent::Verdict;
    use flat::{Flat as _, Source};
    use openrtb::request::{Device, Eid, Request, Uid, User};

    const FREE: Verdict = Verdict::Personal { precise_geo: true };

    fn of<'a>(request: &'a Request<'a>, verdict: Verdict, arena: &'a Bump) -> Option<(Kind, &'a str, &'a str)> {
        let ssp = SspDraft::view(Source::default(), 0);
        let person = Person::of(&Facts::new(request, ssp, 0, verdict, arena))?;
        Some((person.kind, person.scope, person.id))
    }

    #[test]
    fn the_best_id_counts() {
        let arena = Bump::new();
        let uids = |id| arena.alloc_slice_copy(&[Uid { id }]);
        let eid = |source, id| Eid { source, uids: uids(id), ..Eid::default() };
        let eids = arena.alloc_slice_copy(&[eid("b.example", "2"), eid("a.example", "9"), eid("a.example", "1")]);
        let user = User { buyeruid: "ours", id: "theirs", eids, ..User::default() };
        let device = Device { ifa: "3F6D", ..Device::default() };
        let mut request = Request { device, user, ..Request::default() };
        assert_eq!(of(&request.clone(), FREE, &arena), Some((Kind::Buyeruid, "", "ours")));
        assert_eq!(of(&request.clone(), Verdict::Contextual, &arena), None);
        request.user.buyeruid = "";
        assert_eq!(of(&request.clone(), FREE, &arena), Some((Kind::Ifa, "", "3F6D")));
        request.device.ifa = "";
        assert_eq!(of(&request.clone(), FREE, &arena), Some((Kind::Eid, "a.example", "1")));
        request.user.eids = arena.alloc_slice_copy(&[eid("uidapi.com", "A4AA"), eid("b.example", "2")]);
        assert_eq!(of(&request.clone(), FREE, &arena), Some((Kind::Eid, "b.example", "2")));
        request.user.eids = arena.alloc_slice_copy(&[eid("uidapi.com", "A4AA")]);
        assert_eq!(of(&request.clone(), FREE, &arena), Some((Kind::User, "", "theirs")));
        request.user.id = "";
        assert_eq!(of(&request, FREE, &arena), None);
    }

    #[test]
    fn a_television_without_an_id_is_a_household() {
        let arena = Bump::new();
        let ssp = SspDraft::view(Source::default(), 0);
        let tv = Device { devicetype: Some(3), ip: "203.0.113.7", ..Device::default() };
        let id_of = |device, caps_households, verdict| {
            let request = arena.alloc(Request { device, ..Request::default() });
            let facts = Facts { caps_households, ..Facts::new(request, ssp, 0, verdict, &arena) };
            Person::of(&facts).map(|person| person.id)
        };
        let v6 = Device { devicetype: Some(7), ip: "203.0.113.0", ipv6: "2001:db8:1:2:3::4", ..Device::default() };
        for (device, expected) in [
            (tv, Some("203.0.113.7")),
            (v6, Some("2001:db8:1:2:3::4")),
            (Device { ifa: "3F6D", ..tv }, Some("3F6D")),
            (Device { devicetype: Some(4), ..tv }, None),
            (Device { devicetype: None, ..tv }, None),
            (Device { ip: "203.0.113.0", ..tv }, None),
        ] {
            assert_eq!(id_of(device, true, FREE), expected);
        }
        assert_eq!(id_of(tv, false, FREE), None);
        assert_eq!(id_of(tv, true, Verdict::Contextual), None);
    }

    #[test]
    fn all_devices_of_a_household_have_one_key() {
        let keys = Keys::new([&*"k".repeat(32)]).unwrap();
        let of = |id| Person { kind: Kind::Household, scope: "", id }.keys(&keys);
        assert_eq!(of("2001:db8:1:2:3::4"), of("2001:DB8:1:2::9"));
        assert_eq!(of("203.0.113.7"), of("::ffff:203.0.113.7"));
        assert_ne!(of("203.0.113.7"), of("203.0.113.8"));
        assert_ne!(of("2001:db8:1:2::4"), of("2001:db8:1:3::4"));
    }

    #[test]
    fn keys_differ_by_kind_scope_and_id() {
        let text = |letter: &str| letter.repeat(32);
        let (new, both) = (Keys::new([&*text("n")]).unwrap(), Keys::new([&*text("n"), &*text("o")]).unwrap());
        let person = Person { kind: Kind::Ifa, scope: "", id: "3F6D" };
        assert_eq!(person.keys(&both)[..1], person.keys(&new));
        assert_eq!(person.keys(&both).len(), 2);
        let lower = Person { id: "3f6d", ..person };
        assert_eq!(lower.keys(&new), person.keys(&new));
        let eid = Person { kind: Kind::Eid, scope: "id5-sync.com", id: "ID5-A" };
        assert_eq!(Person { scope: "ID5-Sync.com", ..eid }.keys(&new), eid.keys(&new));
        assert_ne!(Person { id: "id5-a", ..eid }.keys(&new), eid.keys(&new));
        for other in [
            Person { kind: Kind::Eid, ..lower },
            Person { scope: "a", ..lower },
            Person { id: "3f6e", ..lower },
            Person { scope: "3", id: "f6d", ..lower },
        ] {
            assert_ne!(other.keys(&new), person.keys(&new));
        }
    }

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
