//! Chooses the id by which a person's impressions are counted, and makes keys of it, so that no store holds the id.

use base::hash::hex;
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
        let mut name =
            [b"caps".as_slice(), self.kind.as_str().as_bytes(), self.scope.as_bytes(), self.id.as_bytes()].join(&0xff);
        let folded = match self.kind {
            Kind::Ifa => name.len(),
            Kind::Eid => name.len() - self.id.len(),
            Kind::Buyeruid | Kind::User => 0,
        };
        if let Some(part) = name.get_mut(..folded) {
            part.make_ascii_lowercase();
        }
        name
    }
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
