//! Where an exchange wants our id for a person: an address with places to fill in, checked.
//!
//! A sync call is answered with a redirect there, so nothing that comes with a call may decide where that leads: the host
//! is written out, and what is filled in stands behind it.

use super::campaign::out_of_range;
use crate::decode::Finding;
use bidder_wasm::address;

/// The place of our id, which has to be there.
const ID: &str = "buyeruid";

/// The places of the call's own signals.
const SIGNALS: [&str; 5] = ["gdpr", "gdpr_consent", "gpp", "gpp_sid", "us_privacy"];

/// The address, or empty when there is none.
pub(super) fn compile(url: Option<&str>, path: &str, findings: &mut Vec<Finding>) -> String {
    let Some(url) = url else { return String::new() };
    if let Some(mistake) = mistake(url) {
        out_of_range(path, format!("{url:?} {mistake}"), findings);
    }
    url.to_owned()
}

fn mistake(url: &str) -> Option<String> {
    let Some((host, rest)) = address::parts(url) else {
        return Some("is no address; expected https://…".to_owned());
    };
    if !address::is_host(host) {
        return Some(format!("has {host:?} for a host; expected letters, digits, - and . and perhaps a port"));
    }
    if !address::is_plain(rest) {
        return Some("has characters that have to be escaped in a URL, or a #".to_owned());
    }
    let mut has_id = false;
    for part in rest.split('{').skip(1) {
        let name = part.split_once('}').map(|(name, _)| name);
        has_id |= name == Some(ID);
        if !name.is_some_and(|name| name == ID || SIGNALS.contains(&name)) {
            let known = SIGNALS.join("}, {");
            return Some(format!("has {{{} to fill in; expected {{{ID}}}, {{{known}}}", name.unwrap_or(part)));
        }
    }
    (!has_id).then(|| format!("has no {{{ID}}}, the place for our id"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leads_to_one_https_host_and_takes_our_id_there() {
        for (url, is_one) in [
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
            assert_eq!(findings.is_empty(), is_one, "{url}: {findings:?}");
        }
        assert_eq!(compile(None, "", &mut Vec::new()), "");
    }
}
