//! Codes of countries (ISO 3166-1) and languages (ISO 639-1), and suggestions for texts that are not codes.

use std::collections::HashSet;

use super::dimensions::{name_of, rules};
use super::target;
use crate::compile::check::out_of_range;
use crate::compile::document::{Document, TargetEntry};
use crate::decode::{Finding, nearest};
use bidder_wasm::no_bid::NoBidReason;
use bidder_wasm::rules::creative::WORDLESS;

/// Each line: alpha-2 code, alpha-3 code, name.
const COUNTRIES: &str = include_str!("iso_3166.tsv");

/// Each line: ISO 639-1 code, ISO 639-2 codes, names.
const LANGUAGES: &str = include_str!("iso_639.tsv");

/// Common names and codes of countries that are not in the standard.
const COMMON_COUNTRIES: [(&str, &str); 12] = [
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

/// Withdrawn codes of ISO 639-1 that devices still send.
const WITHDRAWN_LANGUAGES: [&str; 6] = ["in", "iw", "ji", "jw", "mo", "sh"];

/// Shorter texts get no suggestion of a similar name, because they are similar to too many names.
const MIN_MISSPELLED: usize = 5;

/// Reports countries and languages in a document that are not codes.
pub(crate) fn check(document: &Document, findings: &mut Vec<Finding>) {
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
        for (path, target) in target::all(campaign, i) {
            countries_and_languages(&codes, &path, target, &mut report);
        }
    }
}

/// Reports the countries and languages of one target.
fn countries_and_languages(
    codes: &Codes,
    path: &str,
    target: &TargetEntry,
    report: &mut impl FnMut(&str, Option<String>),
) {
    for rule in rules(target).all() {
        let wrong = match rule.reason {
            NoBidReason::Country => |codes: &Codes, code: &str| codes.country(code),
            NoBidReason::Language | NoBidReason::ContentLanguage => |codes: &Codes, code: &str| codes.language(code),
            _ => continue,
        };
        let name = name_of(rule.reason);
        for (side, list) in [("include", &rule.include), ("exclude", &rule.exclude)] {
            for (i, (code, _)) in list.iter().enumerate() {
                report(&format!("{path}.{name}.{side}[{i}]"), wrong(codes, code));
            }
        }
    }
}

/// Sets of all codes.
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

    /// Whether `code` is an alpha-3 code, in upper or lower case. Codes that the standard reserves for users count too.
    fn has_country(&self, code: &str) -> bool {
        let code = code.to_ascii_uppercase();
        let users = code.starts_with("AA") || code.starts_with('X') || code.starts_with("ZZ");
        let users = users || matches!(code.as_bytes(), [b'Q', b'M'..=b'Z', _]);
        self.countries.contains(code.as_str()) || users && code.len() == 3 && is_letters(&code)
    }

    /// Whether `code` is a code of ISO 639-1, in upper or lower case, or a three-letter code of a language without such
    /// a code.
    fn has_language(&self, code: &str) -> bool {
        let code = code.to_ascii_lowercase();
        let is_other = || code.len() == 3 && is_letters(&code) && language_meant(&code).is_none();
        self.languages.contains(code.as_str()) || is_other()
    }

    /// The message for a text that is not an alpha-3 code. `None` for an alpha-3 code.
    pub(crate) fn country(&self, code: &str) -> Option<String> {
        let meant = || did_you_mean(country_meant(code), "a three-letter code such as USA");
        (!self.has_country(code)).then(|| format!("{code:?} is not a country code of ISO 3166-1 alpha-3; {}", meant()))
    }

    /// The message for a text that is not a code of ISO 639-1. `None` for such a code.
    pub(crate) fn language(&self, code: &str) -> Option<String> {
        let meant = || did_you_mean(language_meant(code), "a two-letter code such as en");
        (!self.has_language(code)).then(|| format!("{code:?} is not a language code of ISO 639-1; {}", meant()))
    }
}

fn did_you_mean(meant: Option<(&str, &str)>, expected: &str) -> String {
    meant.map_or_else(|| format!("expected {expected}"), |(code, name)| format!("did you mean {code:?} ({name})?"))
}

fn is_letters(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// The alpha-3 code of a country with this alpha-2 code.
pub(crate) fn alpha_3(alpha_2: &str) -> Option<&'static str> {
    countries().find(|[code, ..]| code.eq_ignore_ascii_case(alpha_2)).map(|[_, alpha_3, _]| alpha_3)
}

/// The alpha-3 code and the name of the country that a text probably means.
fn country_meant(text: &str) -> Option<(&'static str, &'static str)> {
    let common = COMMON_COUNTRIES.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)).map(|(_, code)| *code);
    let found = |code: &str| countries().find(|[_, alpha_3, _]| *alpha_3 == code);
    common
        .or_else(|| alpha_3(text))
        .and_then(found)
        .or_else(|| by_name(text, countries))
        .map(|[_, code, name]| (code, name))
}

/// The ISO 639-1 code and the name of the language that a text probably means.
fn language_meant(text: &str) -> Option<(&'static str, &'static str)> {
    let primary = text.split(['-', '_']).next().unwrap_or_default();
    let is = |code: &str| code.eq_ignore_ascii_case(primary);
    let by_code = languages().find(|[code, others, _]| is(code) || others.split(' ').any(is));
    by_code.or_else(|| by_name(text, languages)).map(|[code, _, name]| (code, name))
}

/// The entry with a name that starts with the text, else an entry with a similar name.
fn by_name<I: Iterator<Item = [&'static str; 3]>>(text: &str, entries: fn() -> I) -> Option<[&'static str; 3]> {
    let begins = |name: &str| name.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text));
    let names = |[_, _, names]: &[&'static str; 3]| names.split("; ");
    if text.len() < 3 {
        return None;
    }
    let begun = entries().find(|entry| names(entry).any(begins));
    begun.or_else(|| {
        let all = entries().flat_map(|entry| names(&entry));
        let name = Some(text).filter(|text| text.len() >= MIN_MISSPELLED).and_then(|text| nearest(text, all))?;
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

    #[test]
    fn codes_of_the_standards_and_reserved_codes_are_valid() {
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
    fn common_mistakes_get_a_suggestion() {
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
}
