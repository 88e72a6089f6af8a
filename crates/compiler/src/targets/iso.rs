//! Codes of countries (ISO 3166-1) and languages (ISO 639-1), and suggestions for texts that are not codes.

use std::collections::HashSet;
use std::sync::LazyLock;

use document::Document;
use document::check::At;
use document::decode::nearest;
use rules::own::WORDLESS;

/// Each line: alpha-2 code, alpha-3 code, name.
const ISO_3166: &str = include_str!("iso_3166.tsv");

/// Each line: ISO 639-1 code, ISO 639-2 codes, names.
const ISO_639: &str = include_str!("iso_639.tsv");

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

static COUNTRIES: LazyLock<Standard> =
    LazyLock::new(|| Standard::of(countries().map(|[alpha_2, alpha_3, name]| [alpha_3, alpha_2, name]), &[]));

static LANGUAGES: LazyLock<Standard> = LazyLock::new(|| Standard::of(entries(ISO_639), &WITHDRAWN_LANGUAGES));

/// Reports the languages of creatives that are not codes.
pub(crate) fn check_creatives(document: &Document, at: &At<'_>) {
    for (i, creative) in document.creatives.iter().enumerate() {
        let code = creative.language.as_deref().unwrap_or(WORDLESS);
        if let Some(message) = language(code).filter(|_| !code.eq_ignore_ascii_case(WORDLESS)) {
            at.item("creatives", i).attribute("language").error(message);
        }
    }
}

/// The message for a text that is not an alpha-3 code, in upper or lower case. `None` for an alpha-3 code, also for
/// one that the standard reserves for users.
pub fn country(text: &str) -> Option<String> {
    let code = text.to_ascii_uppercase();
    let of_users = code.starts_with("AA") || code.starts_with('X') || code.starts_with("ZZ");
    let of_users = of_users || matches!(code.as_bytes(), [b'Q', b'M'..=b'Z', _]);
    if COUNTRIES.codes.contains(code.as_str()) || of_users && is_three_letters(&code) {
        return None;
    }
    let common = COMMON_COUNTRIES.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)).map(|(_, code)| *code);
    let suggestion = COUNTRIES.suggestion(common.unwrap_or(text), "a three-letter code such as USA");
    Some(format!("{text:?} is not a country code of ISO 3166-1 alpha-3; {suggestion}"))
}

/// Whether the standard has a country with this alpha-3 code, in upper or lower case.
pub fn is_assigned(code: &str) -> bool {
    COUNTRIES.codes.contains(code.to_ascii_uppercase().as_str())
}

/// The message for a text that is not a code of ISO 639-1, in upper or lower case. `None` for such a code, and for a
/// three-letter code of a language without one.
pub fn language(text: &str) -> Option<String> {
    let code = text.to_ascii_lowercase();
    let is_other = || is_three_letters(&code) && LANGUAGES.meant(&code).is_none();
    if LANGUAGES.codes.contains(code.as_str()) || is_other() {
        return None;
    }
    let suggestion = LANGUAGES.suggestion(text, "a two-letter code such as en");
    Some(format!("{text:?} is not a language code of ISO 639-1; {suggestion}"))
}

fn is_three_letters(text: &str) -> bool {
    text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// A standard for codes.
struct Standard {
    /// The code of each entry, its other codes, and its names.
    entries: Vec<[&'static str; 3]>,
    codes: HashSet<&'static str>,
}

impl Standard {
    fn of(entries: impl Iterator<Item = [&'static str; 3]>, withdrawn: &[&'static str]) -> Standard {
        let entries: Vec<_> = entries.collect();
        Standard { codes: entries.iter().map(|[code, ..]| *code).chain(withdrawn.iter().copied()).collect(), entries }
    }

    /// The end of a message on a text that is not a code.
    fn suggestion(&self, text: &str, expected: &str) -> String {
        let meant = self.meant(text).map(|[code, _, name]| format!("did you mean {code:?} ({name})?"));
        meant.unwrap_or_else(|| format!("expected {expected}"))
    }

    /// The entry that a text probably means.
    fn meant(&self, text: &str) -> Option<&[&'static str; 3]> {
        let primary = text.split(['-', '_']).next().unwrap_or_default();
        let is = |code: &str| code.eq_ignore_ascii_case(primary);
        let by_code = self.entries.iter().find(|[code, others, _]| is(code) || others.split(' ').any(is));
        by_code.or_else(|| self.by_name(text))
    }

    /// The entry with a name that starts with the text, else an entry with a similar name.
    fn by_name(&self, text: &str) -> Option<&[&'static str; 3]> {
        let names = || self.entries.iter().flat_map(|entry| entry[2].split("; ").map(move |name| (name, entry)));
        let begins = |name: &str| name.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text));
        if text.len() < 3 {
            return None;
        }
        let begun = names().find(|(name, _)| begins(name));
        let similar = || {
            let name = nearest(text, names().map(|(name, _)| name)).filter(|_| text.len() >= MIN_MISSPELLED)?;
            names().find(|(known, _)| *known == name)
        };
        begun.or_else(similar).map(|(_, entry)| entry)
    }
}

/// The alpha-3 code of a country with this alpha-2 code.
pub fn alpha_3(alpha_2: &str) -> Option<&'static str> {
    countries().find(|[code, ..]| code.eq_ignore_ascii_case(alpha_2)).map(|[_, alpha_3, _]| alpha_3)
}

fn countries() -> impl Iterator<Item = [&'static str; 3]> {
    entries(ISO_3166)
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
        assert_eq!((countries().count(), entries(ISO_639).count()), (249, 184));
        for [alpha_2, alpha_3, name] in countries() {
            assert!(alpha_2.len() == 2 && country(alpha_3).is_none() && !name.is_empty(), "{alpha_3}");
        }
        for [code, others, name] in entries(ISO_639) {
            assert!(code.len() == 2 && language(code).is_none() && !name.is_empty(), "{code}");
            assert!(!others.is_empty() && others.split(' ').all(|other| language(other).is_some()), "{others}");
        }
        for known in ["deu", "XKX", "QMA"] {
            assert_eq!(country(known), None);
        }
        for known in ["EN", "fil", "iw"] {
            assert_eq!(language(known), None);
        }
    }

    #[test]
    fn common_mistakes_get_a_suggestion() {
        for (text, code) in [
            ("GER", "DEU"),
            ("de", "DEU"),
            ("UK", "GBR"),
            ("Germany", "DEU"),
            ("Grmany", "DEU"),
            ("SPA", "ESP"),
            ("NED", "NLD"),
            ("EU", ""),
            ("", ""),
            ("QLA", ""),
            ("X1X", ""),
        ] {
            let message = country(text).unwrap();
            let suggestion = message.split("did you mean ").nth(1).unwrap_or_default();
            assert_eq!(suggestion.get(1..4).unwrap_or_default(), code, "{message}");
        }
        for (text, code) in [
            ("german", "de"),
            ("eng", "en"),
            ("en-US", "en"),
            ("zh_Hans", "zh"),
            ("Castilian", "es"),
            ("Portugese", "pt"),
            ("q", ""),
        ] {
            let message = language(text).unwrap();
            let suggestion = message.split("did you mean ").nth(1).unwrap_or_default();
            assert_eq!(suggestion.get(1..3).unwrap_or_default(), code, "{message}");
        }
    }
}
