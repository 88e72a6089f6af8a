//! Profiles: what the record of a well-known exchange should have, as its public pages say.
//!
//! [`apply`] completes the SSPs before anything is compiled, so no other part knows profiles. Profiles are files in
//! `integrations/exchanges`, which also have the facts and their sources. A profile has no value that belongs to one
//! buyer: it only names what the buyer must add.

use document::SspEntry;
use document::check::At;
use document::choices::ExchangeProfile;
use document::decode::{Inherits, Rule, from_json};
use document::object;

object! {
    /// The parts of a file that a catalog needs.
    struct Profile {
        /// The attributes that records take.
        ssp: Option<SspEntry>,
        /// What the buyer must add.
        yours: Vec<Yours>,
    }

    /// An attribute that only the buyer knows.
    struct Yours {
        /// The name of the attribute, or of a member of one, such as `bid_ext.billing_id`.
        attribute: String,
        /// Another attribute that serves as well.
        instead: Option<String>,
        /// Why the exchange needs it, as the end of a sentence.
        because: String,
    }
}

/// Completes the SSPs that have a profile, and notes what the buyer must add.
pub(crate) fn apply(ssps: &mut [SspEntry], at: &At<'_>) {
    for (i, ssp) in ssps.iter_mut().enumerate().filter(|(_, ssp)| ssp.profile.is_some()) {
        let profile = ssp.profile.map(read).unwrap_or_default();
        for yours in &profile.yours {
            note_absent(ssp, yours, &at.item("ssps", i));
        }
        ssp.inherit(&profile.ssp.unwrap_or_default());
    }
}

/// Where an attribute of a completed record comes from, to follow its name in a message. Empty if the record names it.
pub(crate) fn origin(ssp: &SspEntry, attribute: &str) -> String {
    let profile = ssp.profile.filter(|_| !ssp.names(attribute));
    profile.map_or_else(String::new, |profile| format!(" (of its profile {:?})", profile.name))
}

fn read(profile: ExchangeProfile) -> Profile {
    // The findings are on what a catalog does not need, such as the facts.
    from_json(profile.file.as_bytes()).ok().and_then(|decoded| decoded.value).unwrap_or_default()
}

fn note_absent(ssp: &SspEntry, Yours { attribute, instead, because }: &Yours, at: &At<'_>) {
    let (whole, member) =
        attribute.split_once('.').map_or((attribute.as_str(), None), |(whole, name)| (whole, Some(name)));
    // Only `bid_ext` has members. If it is `null`, the buyer wants none.
    let has_member = || member.is_none_or(|name| ssp.bid_ext.as_ref().is_none_or(|ext| ext.get(name).is_some()));
    if ssp.names(whole) && has_member() || instead.as_ref().is_some_and(|other| ssp.names(other)) {
        return;
    }
    let names = instead.as_ref().map_or_else(|| attribute.clone(), |other| format!("{attribute} or {other}"));
    let profile = ssp.profile.map_or("", |profile| profile.name);
    let message = format!(
        "missing, also in the profile {profile:?}; expected your own {names}, because {because} (\"{whole}\": null if you need none)"
    );
    at.attribute(attribute).report(Rule::Incomplete, message);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Value, json};

    use super::*;
    use crate::tests::{compiled, with};

    /// Each file, with the name of its profile. A catalog can name each of them.
    fn files() -> Vec<(String, Value)> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../integrations/exchanges");
        let names = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        let names = names.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned());
        let read = |name: String| {
            let known = from_json::<ExchangeProfile>(json!(name).to_string().as_bytes()).unwrap().value.unwrap();
            assert_eq!(known.name, name);
            (name, serde_json::from_str(known.file).unwrap())
        };
        names.map(read).collect()
    }

    fn list<'f>(file: &'f Value, name: &str) -> &'f [Value] {
        file.get(name).map_or(&[], |list| list.as_array().unwrap())
    }

    /// A record with the profile and an example of each attribute that is the buyer's.
    fn record(name: &str, file: &Value) -> Value {
        let mut record = json!({ "id": "s", "profile": name });
        for yours in list(file, "yours") {
            let path = yours["attribute"].as_str().unwrap();
            match path.split_once('.') {
                Some((whole, member)) => record[whole][member] = yours["example"].clone(),
                None => record[path] = yours["example"].clone(),
            }
        }
        record
    }

    #[test]
    fn an_ssp_with_a_profile_is_the_ssp_with_its_attributes() {
        for (name, file) in files() {
            let whole = record(&name, &file);
            let mut without = whole.clone();
            without.as_object_mut().unwrap().remove("profile");
            for (attribute, value) in file["ssp"].as_object().unwrap() {
                without[attribute] = value.clone();
            }
            let compiled = |ssp: Value| compiled(&with([("ssps", ssp)])).unwrap();
            assert_eq!(compiled(whole.clone()), compiled(without.clone()), "{name}");
            assert_eq!(compiled(whole).notes, [], "{name}");

            for (attribute, value) in file["ssp"].as_object().unwrap() {
                let mut own = record(&name, &file);
                own[attribute] = Value::Null;
                let mut absent = without.clone();
                absent.as_object_mut().unwrap().remove(attribute);
                assert_eq!(compiled(own.clone()), compiled(absent), "{name} without {attribute}");
                own[attribute] = value.clone();
                assert_eq!(compiled(own), compiled(without.clone()), "{name} with its own {attribute}");
            }
        }
        let own = json!({ "id": "s", "profile": "smaato", "tmax": 650 });
        let written = json!({ "id": "s", "tmax": 650, "max_response_bytes": 6144 });
        assert_eq!(compiled(&with([("ssps", own)])), compiled(&with([("ssps", written)])));
    }

    #[test]
    fn a_fact_with_a_source_justifies_each_attribute() {
        for (name, file) in files() {
            let of_buyer = list(&file, "yours").iter().map(|yours| yours["attribute"].as_str().unwrap());
            let of_buyer = of_buyer.map(|path| path.split('.').next().unwrap().to_owned());
            let attributes: BTreeSet<String> =
                file["ssp"].as_object().unwrap().keys().cloned().chain(of_buyer).collect();
            let facts = list(&file, "facts");
            let sets = facts.iter().flat_map(|fact| list(fact, "sets")).map(|name| name.as_str().unwrap().to_owned());
            assert_eq!(sets.collect::<BTreeSet<_>>(), attributes, "{name}");
            for fact in facts {
                assert!(fact["source"].as_str().is_some_and(|url| url.starts_with("https://")), "{name}: {fact}");
                assert!(fact["fact"].as_str().is_some_and(|text| text.ends_with('.')), "{name}: {fact}");
            }
        }
    }

    #[test]
    fn a_file_has_only_what_a_profile_has() {
        for (name, file) in files() {
            let known = ["name", "ssp", "facts", "yours"];
            assert!(file.as_object().unwrap().keys().all(|member| known.contains(&member.as_str())), "{name}");
            let text = json!({ "ssp": file["ssp"], "yours": list(&file, "yours") }).to_string();
            let found = from_json::<Profile>(text.as_bytes()).unwrap().findings;
            let unknown = found.iter().map(ToString::to_string).filter(|text| !text.contains(".example: unknown"));
            // So a profile has neither an id nor an attribute that no record has.
            assert_eq!(unknown.collect::<Vec<_>>(), ["ssp.id: missing; expected a string"], "{name}");
            assert!(file["ssp"].get("test").is_none() && file["ssp"].get("profile").is_none(), "{name}");
        }
    }
}
