//! Checks `sync_url` of an SSP: the address to which a sync call is redirected, with placeholders.
//!
//! Values of the call fill the placeholders, so the host must not contain one: no call may choose another host.

use super::check::out_of_range;
use crate::decode::Finding;
use bidder_wasm::address;

/// The placeholder of our id. It is required.
const ID: &str = "buyeruid";

/// The placeholders of the call's privacy signals.
const SIGNALS: [&str; 5] = ["gdpr", "gdpr_consent", "gpp", "gpp_sid", "us_privacy"];

/// The address, or an empty text if there is none.
pub(super) fn compile(url: Option<&str>, path: &str, findings: &mut Vec<Finding>) -> String {
    let Some(url) = url else { return String::new() };
    if let Some(mistake) = mistake(url) {
        out_of_range(path, format!("{url:?} {mistake}"), findings);
    }
    url.to_owned()
}

fn mistake(url: &str) -> Option<String> {
    let Some((host, rest)) = address::parts(url) else {
        return Some("is not an https URL; expected https://…".to_owned());
    };
    if !address::is_host(host) {
        return Some(format!(
            "has the host {host:?}; expected only letters, digits, - and . in it, and a port if needed"
        ));
    }
    if !address::is_plain(rest) {
        return Some("has a # or characters that must be escaped; expected a plain URL".to_owned());
    }
    let mut has_id = false;
    for part in rest.split('{').skip(1) {
        let Some((name, _)) = part.split_once('}') else {
            return Some("has a { without a }; expected both".to_owned());
        };
        has_id |= name == ID;
        if name != ID && !SIGNALS.contains(&name) {
            let known = SIGNALS.join("}, {");
            return Some(format!("has the unknown placeholder {{{name}}}; expected {{{ID}}}, {{{known}}}"));
        }
    }
    (!has_id).then(|| format!("has no {{{ID}}}; expected it in the place of your id"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_https_addresses_with_a_fixed_host_and_our_id_are_valid() {
        for (url, is_valid) in [
            ("https://x.example/match?dsp=12&id={buyeruid}", true),
            ("https://x.example:8443?{buyeruid}", true),
            ("https://x.example/m/{buyeruid}?g={gdpr}&c={gdpr_consent}&p={gpp}&s={gpp_sid}&u={us_privacy}", true),
            ("http://x.example/match?id={buyeruid}", false),
            ("//x.example/match?id={buyeruid}", false),
            ("https:///match?id={buyeruid}", false),
            ("https://{buyeruid}.x.example/", false),
            ("https://{gdpr}/{buyeruid}", false),
            ("https://us@x.example/{buyeruid}", false),
            ("https://us:1@x.example/{buyeruid}", false),
            ("https://x.example:https/{buyeruid}", false),
            ("https://x.example:+443/{buyeruid}", false),
            ("https://x.example:/{buyeruid}", false),
            ("https://x..example/{buyeruid}", false),
            ("https://x.example\\@y.example/{buyeruid}", false),
            ("https://x.example/match", false),
            ("https://x.example/match#{buyeruid}", false),
            ("https://x.example/match?id={buyeruid", false),
            ("https://x.example/match?id={buyeruid}&r={referer}", false),
            ("https://x.example/match?id={buyeruid}\r\nx: y", false),
            ("https://x.example/match?id={buyeruid}&n=é", false),
            ("", false),
        ] {
            let mut findings = Vec::new();
            assert_eq!(compile(Some(url), "ssps[0].sync_url", &mut findings), url);
            assert_eq!(findings.is_empty(), is_valid, "{url}: {findings:?}");
        }
        assert_eq!(compile(None, "", &mut Vec::new()), "");
    }
}
