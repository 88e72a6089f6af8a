//! Checks `dsa` of a campaign (IAB community extension `dsa_transparency`) and makes it ready to serve.

use bidder_wasm::catalog::DsaDraft;
use bidder_wasm::write::Object;

use super::check::{bare_domain, out_of_range};
use super::document::DsaEntry;
use crate::decode::Finding;

/// The extension allows 100 characters, but Prebid Server counts bytes.
const MAX_NAME_BYTES: usize = 100;

pub(super) fn compile(entry: &DsaEntry, path: &str, findings: &mut Vec<Finding>) -> DsaDraft {
    let adrender = entry.adrender.unwrap_or_default();
    if !(0..=1).contains(&adrender) {
        let message = format!("{adrender}; expected 0, or 1 if the ad shows the information itself");
        out_of_range(&format!("{path}.adrender"), message, findings);
    }
    let (mut names, mut transparency) = (String::new(), String::new());
    let mut members = Object::more(&mut names);
    for (name, text) in [("behalf", &entry.behalf), ("paid", &entry.paid)] {
        let text = text.as_deref().unwrap_or_default();
        if text.trim().is_empty() || text.len() > MAX_NAME_BYTES {
            let message = format!("{} bytes; expected a name of 1 to {MAX_NAME_BYTES} bytes", text.len());
            out_of_range(&format!("{path}.{name}"), message, findings);
        }
        members.string(name, text);
    }
    members.number("adrender", adrender);
    for (i, entry) in entry.transparency.iter().enumerate() {
        let path = format!("{path}.transparency[{i}]");
        bare_domain(entry.domain.as_deref().unwrap_or_default(), &format!("{path}.domain"), findings);
        if entry.dsaparams.is_empty() || !entry.dsaparams.iter().all(|param| (1..=3).contains(param)) {
            let message = format!(
                "{:?}; expected one or more of 1 profiling, 2 basic advertising, 3 precise location",
                entry.dsaparams
            );
            out_of_range(&format!("{path}.dsaparams"), message, findings);
        }
    }
    Object::more(&mut transparency).list("transparency", &entry.transparency, |out, entry| {
        let mut object = Object::begin(out);
        object.string("domain", &entry.domain.as_deref().unwrap_or_default().to_ascii_lowercase());
        object.numbers("dsaparams", &entry.dsaparams);
        object.end();
    });
    DsaDraft { adrender: adrender == 1, names, transparency }
}

#[cfg(test)]
mod tests {
    use crate::compile::compile;

    /// The paths of the findings on a campaign's `dsa`.
    fn wrong(dsa: &str) -> Vec<String> {
        let document = format!(
            r#"{{"format":1,"privacy":{{"vendor_id":1}},"ssps":[{{"id":"a"}}],"creatives":[{{"crid":"b","banner":{{"w":1,"h":1,"adm":"<b>"}}}}],
            "campaigns":[{{"cid":"c","seat":"s","adomain":["x.example"],"max_cpm":"1","creatives":["b"],"dsa":{dsa}}}]}}"#
        );
        let findings = compile(document.as_bytes(), &[]).err().unwrap_or_default();
        findings.into_iter().map(|finding| finding.path.replace("campaigns[0].dsa.", "")).collect()
    }

    #[test]
    fn names_and_parameters_are_checked() {
        let names = |behalf: &str| format!(r#"{{"behalf":"{behalf}","paid":"Agency"}}"#);
        let data = |data: &str| format!(r#"{{"behalf":"Acme","paid":"Agency","transparency":[{data}]}}"#);
        for (dsa, expected) in [
            (names("Acme"), &[][..]),
            (names(&"x".repeat(100)), &[]),
            (names(&"ü".repeat(50)), &[]),
            (names(&"ü".repeat(51)), &["behalf"]),
            (names(" "), &["behalf"]),
            (r#"{"behalf":"Acme"}"#.to_owned(), &["paid", "paid"]),
            (r#"{"behalf":"Acme","paid":"Agency","adrender":2}"#.to_owned(), &["adrender"]),
            (data(r#"{"domain":"x.example","dsaparams":[1,2,3]}"#), &[]),
            (
                data(r#"{"domain":"https://x.example/","dsaparams":[]}"#),
                &["transparency[0].domain", "transparency[0].dsaparams"],
            ),
            (data(r#"{"domain":"x.example","dsaparams":[1,4]}"#), &["transparency[0].dsaparams"]),
        ] {
            assert_eq!(wrong(&dsa), expected, "{dsa}");
        }
    }
}
