//! The codes of countries (ISO 3166-1) and languages (ISO 639-1), and which of them a text was meant for.

use std::collections::HashSet;

use super::campaign::out_of_range;
use super::dimensions::{name_of, rules};
use super::document::Document;
use crate::decode::{Finding, nearest};
use bidder_wasm::no_bid::NoBidReason;
use bidder_wasm::rules::creative::WORDLESS;

/// A line each: alpha-2, alpha-3, name.
const COUNTRIES: &str = include_str!("iso_3166.tsv");

/// A line each: ISO 639-1, the same in ISO 639-2, names.
const LANGUAGES: &str = include_str!("iso_639.tsv");

/// What people write for countries that the lists call otherwise.
const COUNTRIES_CALLED: [(&str, &str); 12] = [
    ("UK", "GBR"),
    ("ENG", "GBR"),
    ("GREAT BRITAIN", "GBR"),
    ("ENGLAND", "GBR"),
    ("AMERICA", "USA"),
    ("HOLLAND", "NLD"),
    ("NED", "NLD"),
    ("SUI", "CHE"),
    ("UAE", "ARE"),
    ("KSA", "SAU"),
    ("RSA", "ZAF"),
    ("CZECH REPUBLIC", "CZE"),
];

/// Codes of ISO 639-1 that were withdrawn and that devices still send.
const WITHDRAWN_LANGUAGES: [&str; 6] = ["in", "iw", "ji", "jw", "mo", "sh"];

/// Letters of a name from which on a text may be misspelt.
const LEAST_MISSPELT: usize = 5;

/// Findings on the codes in a document.
pub(super) fn check(document: &Document, findings: &mut Vec<Finding>) {
    let codes = Codes::new();
    let mut report = |path: &str, message: Option<String>| {
        if let Some(message) = message {
            out_of_range(path, message, findings);
        }
    };
    for (i, creative) in document.creatives.iter().enumerate() {
        let language = creative.language.as_deref().unwrap_or(WORDLESS);
        if !language.eq_ignore_ascii_case(WORDLESS) {
            report(&format!("creatives[{i}].language"), codes.language(language));
        }
    }
    for (i, campaign) in document.campaigns.iter().enumerate() {
        let Some(target) = &campaign.target else { continue };
        let path = format!("campaigns[{i}].target");
        for rule in rules(target).all() {
            let wrong = match rule.reason() {
                NoBidReason::Country => |codes: &Codes, code: &str| codes.country(code),
                NoBidReason::Language | NoBidReason::ContentLanguage => {
                    |codes: &Codes, code: &str| codes.language(code)
                }
                _ => continue,
            };
            let name = name_of(rule.reason());
            for (side, list) in [("include", &rule.include), ("exclude", &rule.exclude)] {
                for (i, (code, _)) in list.iter().enumerate() {
                    report(&format!("{path}.{name}.{side}[{i}]"), wrong(&codes, code));
                }
            }
        }
    }
}

/// The codes, to look them up.
pub(crate) struct Codes {
    countries: HashSet<&'static str>,
    languages: HashSet<&'static str>,
}

impl Codes {
    pub(crate) fn new() -> Codes {
        let countries = countries().map(|[_, alpha_3, _]| alpha_3).collect();
        let languages = languages().map(|[code, ..]| code).chain(WITHDRAWN_LANGUAGES).collect();
        Codes { countries, languages }
    }

    /// Whether it is an alpha-3 code, in any case of letters. Codes that the standard leaves to its users count.
    fn has_country(&self, code: &str) -> bool {
        let code = code.to_ascii_uppercase();
        let users = code.starts_with("AA") || code.starts_with('X') || code.starts_with("ZZ");
        let users = users || matches!(code.as_bytes(), [b'Q', b'M'..=b'Z', _]);
        self.countries.contains(code.as_str()) || users && code.len() == 3 && is_letters(&code)
    }

    /// Whether it is a code of ISO 639-1, in any case of letters, or one of three letters of a language that has none there.
    fn has_language(&self, code: &str) -> bool {
        let code = code.to_ascii_lowercase();
        let is_other = || code.len() == 3 && is_letters(&code) && language_meant(&code).is_none();
        self.languages.contains(code.as_str()) || is_other()
    }

    /// What is wrong with a text that has to be an alpha-3 code; `None` where it is one.
    pub(crate) fn country(&self, code: &str) -> Option<String> {
        let meant = || did_you_mean(country_meant(code), "a three-letter code such as USA");
        (!self.has_country(code)).then(|| format!("{code:?} is no country of ISO 3166-1 alpha-3; {}", meant()))
    }

    /// The same of a code of ISO 639-1.
    pub(crate) fn language(&self, code: &str) -> Option<String> {
        let meant = || did_you_mean(language_meant(code), "a two-letter code such as en");
        (!self.has_language(code)).then(|| format!("{code:?} is no language of ISO 639-1; {}", meant()))
    }
}

fn did_you_mean(meant: Option<(&str, &str)>, expected: &str) -> String {
    meant.map_or_else(|| format!("expected {expected}"), |(code, name)| format!("did you mean {code:?} ({name})?"))
}

fn is_letters(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// The alpha-3 code of an alpha-2 one.
pub(super) fn alpha_3(alpha_2: &str) -> Option<&'static str> {
    countries().find(|[code, ..]| code.eq_ignore_ascii_case(alpha_2)).map(|[_, alpha_3, _]| alpha_3)
}

/// The alpha-3 code and the name of the country that a text was meant for, if that is plain.
fn country_meant(text: &str) -> Option<(&'static str, &'static str)> {
    let called = COUNTRIES_CALLED.iter().find(|(called, _)| called.eq_ignore_ascii_case(text)).map(|(_, code)| *code);
    let found = |code: &str| countries().find(|[_, alpha_3, _]| *alpha_3 == code);
    called
        .or_else(|| alpha_3(text))
        .and_then(found)
        .or_else(|| by_name(text, countries))
        .map(|[_, code, name]| (code, name))
}

/// The ISO 639-1 code and the name of the language that a text was meant for, if that is plain.
fn language_meant(text: &str) -> Option<(&'static str, &'static str)> {
    let primary = text.split(['-', '_']).next().unwrap_or_default();
    let is = |code: &str| code.eq_ignore_ascii_case(primary);
    let by_code = languages().find(|[code, others, _]| is(code) || others.split(' ').any(is));
    by_code.or_else(|| by_name(text, languages)).map(|[code, _, name]| (code, name))
}

/// The entry whose name the text is, or the beginning of, or nearly is.
fn by_name<I: Iterator<Item = [&'static str; 3]>>(text: &str, entries: fn() -> I) -> Option<[&'static str; 3]> {
    let begins = |name: &str| name.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text));
    let names = |[_, _, names]: &[&'static str; 3]| names.split("; ");
    if text.len() < 3 {
        return None;
    }
    let begun = entries().find(|entry| names(entry).any(begins));
    begun.or_else(|| {
        let all = entries().flat_map(|entry| names(&entry));
        let name = Some(text).filter(|text| text.len() >= LEAST_MISSPELT).and_then(|text| nearest(text, all))?;
        entries().find(|entry| names(entry).any(|one| one == name))
    })
}

fn countries() -> impl Iterator<Item = [&'static str; 3]> {
    entries(COUNTRIES)
}

fn languages() -> impl Iterator<Item = [&'static str; 3]> {
    entries(LANGUAGES)
}

fn entries(table: &'static str) -> impl Iterator<Item = [&'static str; 3]> {
    table.lines().map(|line| {
        let mut columns = line.split('\t');
        [(); 3].map(|()| columns.next().unwrap_or_default())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::compile;

    #[test]
    fn codes_of_the_standards_and_of_its_users_are_known() {
        let codes = Codes::new();
        assert_eq!((countries().count(), languages().count()), (249, 184));
        for [alpha_2, alpha_3, name] in countries() {
            assert!(alpha_2.len() == 2 && codes.has_country(alpha_3) && !name.is_empty(), "{alpha_3}");
        }
        for [code, others, name] in languages() {
            assert!(code.len() == 2 && codes.has_language(code) && !others.is_empty() && !name.is_empty(), "{code}");
            assert!(others.split(' ').all(|other| !codes.has_language(other)), "{others}");
        }
        for (code, known) in
            [("deu", true), ("XKX", true), ("QMA", true), ("QLA", false), ("GER", false), ("DE", false), ("X1X", false)]
        {
            assert_eq!(codes.has_country(code), known, "{code}");
        }
        for (code, known) in
            [("EN", true), ("fil", true), ("iw", true), ("eng", false), ("en-US", false), ("german", false)]
        {
            assert_eq!(codes.has_language(code), known, "{code}");
        }
    }

    #[test]
    fn what_people_write_is_understood() {
        for (text, code) in [
            ("GER", Some("DEU")),
            ("de", Some("DEU")),
            ("UK", Some("GBR")),
            ("Germany", Some("DEU")),
            ("Grmany", Some("DEU")),
            ("SPA", Some("ESP")),
            ("POR", Some("PRT")),
            ("CRO", Some("HRV")),
            ("NED", Some("NLD")),
            ("EU", None),
            ("", None),
            ("QLA", None),
        ] {
            assert_eq!(country_meant(text).map(|(code, _)| code), code, "{text}");
        }
        for (text, code) in [
            ("german", Some("de")),
            ("ger", Some("de")),
            ("en-US", Some("en")),
            ("zh_Hans", Some("zh")),
            ("Castilian", Some("es")),
            ("Portugese", Some("pt")),
            ("fil", None),
            ("q", None),
        ] {
            assert_eq!(language_meant(text).map(|(code, _)| code), code, "{text}");
        }
    }

    #[test]
    fn codes_that_no_standard_has_are_refused_with_what_was_meant() {
        let document = |creative: &str, target: &str| {
            format!(
                r#"{{"format":1,"privacy":{{"vendor_id":1}},"ssps":[{{"id":"a"}}],"creatives":[{{"crid":"a",{creative}"banner":{{"w":1,"h":1,"adm":"<b>"}}}}],
                "campaigns":[{{"cid":"c","seat":"s","adomain":["x.example"],"max_cpm":"1","creatives":["a"],"target":{{{target}}}}}]}}"#
            )
        };
        for (creative, target, told) in [
            (
                "",
                r#""country":{"include":["USA","GER"]}"#,
                r#"campaigns[0].target.country.include[1]: "GER" is no country of ISO 3166-1 alpha-3; did you mean "DEU" (Germany)?"#,
            ),
            (
                "",
                r#""country":{"exclude":["EUR"]}"#,
                r#"campaigns[0].target.country.exclude[0]: "EUR" is no country of ISO 3166-1 alpha-3; expected a three-letter code such as USA"#,
            ),
            (
                "",
                r#""content_language":{"include":["german"]}"#,
                r#"campaigns[0].target.content_language.include[0]: "german" is no language of ISO 639-1; did you mean "de" (German)?"#,
            ),
            (
                r#""language":"qq","#,
                r#""language":{"include":["en"]}"#,
                r#"creatives[0].language: "qq" is no language of ISO 639-1; expected a two-letter code such as en"#,
            ),
            (r#""language":"XX","#, r#""country":{"include":["xkx"]},"language":{"include":["fil"]}"#, ""),
        ] {
            let findings = compile(document(creative, target).as_bytes(), &[]).err().unwrap_or_default();
            let found: Vec<String> = findings.iter().map(ToString::to_string).collect();
            assert_eq!(found.join("\n"), told);
        }
    }
}
