//! Tells whether a macro is in a URL, and in which part of it. Only the part behind the host is safe: a value in the
//! host would choose the server.

use super::positions::{Position, Positions, each};
use catalog::macros::Context;

/// Where a macro was expected.
pub(super) const EXPECTED: &str = "behind the host of a URL, e.g. https://t.example/?a={bid.id}";

/// Where a macro is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// In no URL with a host.
    None,
    /// In the host, or before it.
    Host,
    /// In the path, the query or the fragment.
    Behind,
}

/// Finds the macros of a text that is a URL.
pub(super) fn find(url: &str, positions: &mut Positions) {
    for (number, before) in each(url) {
        positions.set(number, position(before, Err(EXPECTED)));
    }
}

/// The position of a macro behind `before`; `otherwise` if it is not in a URL with a host.
pub(super) fn position(before: &str, otherwise: Position) -> Position {
    match part(before) {
        Part::Behind => Ok(Context::Url),
        Part::Host => Err(EXPECTED),
        Part::None => otherwise,
    }
}

/// The part of a URL at the end of this text.
fn part(before: &str) -> Part {
    let is_end = |c: char| c.is_whitespace() || "\"'<>()\\".contains(c);
    let word = before.rsplit(is_end).next().unwrap_or_default();
    let behind_scheme = word.split_once("://").map(|(_, rest)| rest).or_else(|| word.strip_prefix("//"));
    match behind_scheme.map(|rest| rest.find(['/', '?', '#'])) {
        None => Part::None,
        // Browsers skip further slashes before the host.
        Some(None | Some(0)) => Part::Host,
        Some(Some(_)) => Part::Behind,
    }
}

/// Whether this text is the beginning of a relative URL, up to its query or into its path.
pub(super) fn is_relative(before: &str) -> bool {
    let start = before.trim_start();
    !start.contains(':') && !start.starts_with("//") && start.contains(['/', '?', '#'])
}

/// Whether a URL contains the code or the document that it opens. Its percent-encoding is removed before that is read.
pub(super) fn holds_code(url: &str) -> bool {
    let mut letters = url.chars().filter(|c| !c.is_control()).skip_while(|c| c.is_whitespace());
    let scheme: String = letters.by_ref().take_while(|c| *c != ':').take(16).collect();
    ["javascript", "vbscript", "data", "blob"].iter().any(|known| known.eq_ignore_ascii_case(&scheme))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_part_behind_the_host_is_behind() {
        for (before, expected) in [
            ("https://t.example/", Part::Behind),
            ("https://t.example?a=", Part::Behind),
            ("HTTPS://t.example#", Part::Behind),
            ("0;url=https://t.example/a b https://t.example/", Part::Behind),
            ("app://open/", Part::Behind),
            ("//t.example/", Part::Behind),
            ("https://", Part::Host),
            ("https:///", Part::Host),
            ("//", Part::Host),
            ("///", Part::Host),
            ("https://t.example", Part::Host),
            ("https://user:", Part::Host),
            ("https://t.example/ ", Part::None),
            ("https:", Part::None),
            ("a//", Part::None),
            ("", Part::None),
        ] {
            assert_eq!(part(before), expected, "{before}");
        }
    }

    #[test]
    fn code_is_found_behind_spaces_and_controls() {
        for url in ["javascript:f()", " \t\u{1}JAVA\nscript\r:", "data:text/html,", "vbscript:", "blob:x"] {
            assert!(holds_code(url), "{url:?}");
        }
        for url in ["", "https://t.example/?javascript:", "javascripts:", "javascript", "data.example/a:b"] {
            assert_eq!(holds_code(url), url == "javascript", "{url:?}");
        }
    }
}
