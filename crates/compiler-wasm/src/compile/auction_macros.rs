//! Refuses macros of the auction that no exchange fills, such as `${AUCTON_PRICE}`. A notice with such a macro brings no
//! price, so its spend would be missing.

use core::fmt::Arguments;

use super::check::suggestion;
use super::document::Document;
use super::texts;
use crate::decode::{Finding, Rule, nearest};

/// The macros of OpenRTB 2.6 §4.4, and two names of `AUCTION_MIN_TO_WIN` that exchanges fill.
const KNOWN: [&str; 16] = [
    "AUCTION_ID",
    "AUCTION_BID_ID",
    "AUCTION_IMP_ID",
    "AUCTION_SEAT_ID",
    "AUCTION_AD_ID",
    "AUCTION_PRICE",
    "AUCTION_CURRENCY",
    "AUCTION_MBR",
    "AUCTION_LOSS",
    "AUCTION_MIN_TO_WIN",
    "AUCTION_MULTIPLIER",
    "AUCTION_IMP_TS",
    "AUCTION_DISCOUNT_PCT",
    "AUCTION_DISCOUNT_CPM",
    "AUCTION_MINIMUM_BID_TO_WIN",
    "MIN_BID_TO_WIN",
];

const PREFIX: &str = "AUCTION_";

/// Checks the notices of the campaigns, and everything that creatives load or send.
pub(super) fn check(document: &mut Document, findings: &mut Vec<Finding>) {
    let own: Vec<&str> = document.ssps.iter().filter_map(|ssp| ssp.price_macro.as_deref()).collect();
    for (i, entry) in document.creatives.iter_mut().enumerate() {
        texts::of_creative(entry, &mut |text, _, path| {
            report(text, &own, format_args!("creatives[{i}].{path}"), findings);
        });
    }
    for (i, entry) in document.campaigns.iter_mut().enumerate() {
        texts::of_campaign(entry, &mut |text, _, path| {
            report(text, &own, format_args!("campaigns[{i}].{path}"), findings);
        });
    }
}

/// Reports the first macro of the text that is wrong. `own` is how SSPs spell the price macro.
fn report(text: &str, own: &[&str], path: Arguments<'_>, findings: &mut Vec<Finding>) {
    let is_own = |at: &str| own.iter().any(|own| !own.is_empty() && at.starts_with(own));
    let mut places = text.match_indices("${").filter_map(|(at, _)| text.get(at..));
    let Some(wrong) = places.by_ref().filter(|at| !is_own(at)).find_map(wrong) else { return };
    let message = match wrong {
        Wrong::Unknown(name) => {
            let expected = format!("one of {}", KNOWN.join(", "));
            let suggestion = suggestion(&name.to_ascii_uppercase(), KNOWN.into_iter(), &expected, findings);
            format!("no exchange fills the macro {name:?}; {suggestion}")
        }
        Wrong::Open(name) => format!("the macro {name:?} has no end; expected ${{{name}}} or ${{{name}:X}}"),
    };
    findings.push(Finding::new(path.to_string(), Rule::Unknown, message));
}

/// What is wrong with a macro, and its name.
enum Wrong<'t> {
    Unknown(&'t str),
    Open(&'t str),
}

/// What is wrong with the macro that starts here. Scripts in markup have the same form, `${name}`, so a name counts only
/// if it is nearly that of a macro.
fn wrong(text: &str) -> Option<Wrong<'_>> {
    let text = text.strip_prefix("${")?;
    let word = |text: &str| text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    let (name, rest) = text.split_at_checked(word(text))?;
    let encoding = rest.strip_prefix(':');
    let rest = encoding.map_or(rest, |rest| rest.get(word(rest)..).unwrap_or_default());
    if KNOWN.contains(&name) {
        return (!rest.starts_with('}')).then_some(Wrong::Open(name));
    }
    let is_meant = name.starts_with(PREFIX)
        || nearest(name, KNOWN.into_iter()).is_some()
        || KNOWN.iter().any(|known| known.eq_ignore_ascii_case(name));
    is_meant.then_some(Wrong::Unknown(name))
}

#[cfg(test)]
mod tests {
    use super::KNOWN;
    use crate::compile::compile;

    /// `path: message` of each finding on a catalog with this creative and these notices.
    fn found(ssp: &str, creative: &str, notices: &str) -> Vec<String> {
        let document = format!(
            r#"{{"format":1,"privacy":{{"vendor_id":1}},"ssps":[{{"id":"a"{ssp}}}],"creatives":[{{"crid":"c",{creative}}}],
            "campaigns":[{{"cid":"c","seat":"s","adomain":["x.example"],"max_cpm":"1","creatives":["c"]{notices}}}]}}"#
        );
        let findings = compile(document.as_bytes(), &[]).map_or_else(|findings| findings, |compiled| compiled.notes);
        findings.iter().map(ToString::to_string).collect()
    }

    fn banner(adm: &str) -> String {
        format!(r#""banner":{{"w":1,"h":1,"adm":"{adm}"}}"#)
    }

    #[test]
    fn every_text_is_checked() {
        let bad = "https://t.example/${AUCTON_PRICE}";
        let linear = format!(
            r#"{{"dur":5,"protocol":3,"w":1,"h":1,"media":[{{"url":"{bad}","mime":"video/mp4"}}],"impression":["{bad}"],
            "error":["{bad}"],"clicktracking":["{bad}"],"tracking":[{{"event":"start","url":"{bad}"}}],
            "verification":[{{"vendor":"v","url":"{bad}","params":"{bad}","not_executed":"{bad}"}}],
            "clickthrough":"{bad}","companions":[{{"w":1,"h":1,"static":"{bad}","clickthrough":"{bad}"}},{{"w":1,"h":1,"html":"{bad}"}},
            {{"w":1,"h":1,"iframe":"{bad}"}}]}}"#
        );
        let of_linear = [
            "clickthrough",
            "impression[0]",
            "error[0]",
            "clicktracking[0]",
            "tracking[0].url",
            "verification[0].url",
            "verification[0].params",
            "verification[0].not_executed",
            "media[0].url",
            "companions[0].static",
            "companions[0].clickthrough",
            "companions[1].html",
            "companions[2].iframe",
        ];
        let under = |path: &str| of_linear.map(|part| format!("{path}.{part}")).to_vec();
        let native = format!(
            r#""native":{{"title":"t","link":"{bad}","imptrackers":["https://t.example","{bad}"],"jstracker":"{bad}",
            "img":[{{"type":1,"url":"{bad}","w":1,"h":1}}],"video":{linear}}}"#
        );
        let of_native = ["link", "imptrackers[1]", "jstracker", "img[0].url"].map(|part| format!("native.{part}"));
        let ready = format!(
            r#""audio":{{"dur":5,"protocol":6,"mimes":["audio/mp4"],"adm":"<VAST version=\"3.0\"><Ad><Wrapper><VASTAdTagURI>{bad}</VASTAdTagURI></Wrapper></Ad></VAST>"}}"#
        );
        for (creative, paths) in [
            (banner(bad), vec!["banner.adm".to_owned()]),
            (format!(r#""iurl":"{bad}",{}"#, banner("<b>")), vec!["iurl".to_owned()]),
            (format!(r#""video":{linear}"#), under("video")),
            (format!(r#""audio":{linear}"#), under("audio")),
            (native, [of_native.to_vec(), under("native.video")].concat()),
            (ready, vec!["audio.adm".to_owned()]),
        ] {
            let message = r#"no exchange fills the macro "AUCTON_PRICE"; did you mean "AUCTION_PRICE"?"#;
            let expected: Vec<String> = paths.iter().map(|path| format!("creatives[0].{path}: {message}")).collect();
            assert_eq!(found("", &creative, ""), expected, "{creative}");
        }
        for notice in ["nurl", "burl", "lurl"] {
            let found = found("", &banner("<b>"), &format!(r#","{notice}":"{bad}""#));
            assert!(
                found.len() == 1 && found[0].starts_with(&format!("campaigns[0].{notice}: no exchange")),
                "{found:?}"
            );
        }
    }

    #[test]
    fn mistakes_are_told_and_scripts_are_left_alone() {
        for (text, message) in [
            ("${AUCTION_PRICES}", "fills the macro \"AUCTION_PRICES\"; did you mean \"AUCTION_PRICE\"?"),
            ("${AUCTION_BIDID}", "fills the macro \"AUCTION_BIDID\"; did you mean \"AUCTION_BID_ID\"?"),
            ("${auction_price}", "fills the macro \"auction_price\"; did you mean \"AUCTION_PRICE\"?"),
            ("${MIN_BID_TO_WINN:X}", "fills the macro \"MIN_BID_TO_WINN\"; did you mean \"MIN_BID_TO_WIN\"?"),
            ("${AUCTION_WINNER}", "fills the macro \"AUCTION_WINNER\"; expected one of AUCTION_ID, AUCTION_BID_ID,"),
            ("${AUCTION_PRICE", "\"AUCTION_PRICE\" has no end; expected ${AUCTION_PRICE} or ${AUCTION_PRICE:X}"),
            ("${AUCTION_PRICE:B64&b=${AUCTION_ID}", "\"AUCTION_PRICE\" has no end"),
            ("${AUCTION_PRICE}${AUCTION_ID}${AUCTION_IDD}", "\"AUCTION_IDD\""),
        ] {
            let found = found("", &banner(text), "");
            assert!(found.len() == 1 && found[0].contains(message), "{text}: {found:?}");
        }
        for text in
            ["${}", "${", "$", "${auctionPrice}", "${id}", "${PRICE}", "`${a.b} ${f(x)}`", "${CACHEBUSTER}", "${é}"]
        {
            assert_eq!(found("", &banner(text), ""), [""; 0], "{text}");
        }
        for known in KNOWN {
            let text = format!("${{{known}}} ${{{known}:X}} ${{{known}:B64}}");
            assert_eq!(found("", &banner(&text), ""), [""; 0], "{text}");
        }
    }

    #[test]
    fn an_ssp_may_have_its_own_spelling() {
        let text = banner("${AUCTION_PRICE_ENC}");
        assert_eq!(found(r#","price_macro":"${AUCTION_PRICE_ENC}""#, &text, ""), [""; 0]);
        assert_eq!(found(r#","price_macro":"%%PRICE%%""#, &text, "").len(), 1);
        assert_eq!(found(r#","price_macro":"""#, &text, "").len(), 1);
    }
}
