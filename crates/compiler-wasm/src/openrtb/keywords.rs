//! `keywords`: a text, or the list that some exchanges send instead.

use crate::decode::{Attribute, Context, Field, Value};

/// The content of `keywords`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keywords {
    /// Keywords, separated by commas.
    Text(String),
    /// A list, as in `kwarray`. The specification does not allow it, but some exchanges send it.
    List(Vec<String>),
}

impl Keywords {
    /// The text; empty for a list.
    #[must_use]
    pub fn text(&self) -> &str {
        if let Keywords::Text(text) = self { text } else { "" }
    }

    /// The list; empty for a text.
    #[must_use]
    pub fn list(&self) -> &[String] {
        if let Keywords::List(list) = self { list } else { &[] }
    }
}

impl Attribute for Keywords {
    const EXPECTED: &'static str = String::EXPECTED;
    const EXPECTED_LIST: &'static str = String::EXPECTED_LIST;

    fn decode(value: Value<'_>, cx: &mut Context) -> Option<Self> {
        if let Value::Array(_) = value {
            cx.coerced(&value, Self::EXPECTED);
            let mut list = Vec::new();
            list.fill(value, cx);
            return Some(Keywords::List(list));
        }
        String::decode(value, cx).map(Keywords::Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::{Rule, from_json};
    use crate::openrtb::User;

    #[test]
    fn text_or_list() {
        let text = |text: &str| Some(Keywords::Text(text.to_string()));
        let list = |items: &[&str]| Some(Keywords::List(items.iter().map(ToString::to_string).collect()));
        for (keywords, expected, rules) in [
            (r#""a,b""#, text("a,b"), &[][..]),
            ("5", text("5"), &[Rule::WrongType][..]),
            (r#"["a",5,{},"b"]"#, list(&["a", "5", "b"]), &[Rule::WrongType, Rule::WrongType, Rule::Unreadable][..]),
            ("[]", list(&[]), &[Rule::WrongType][..]),
            ("null", None, &[][..]),
            ("{}", None, &[Rule::Unreadable][..]),
        ] {
            let decoded = from_json::<User>(format!(r#"{{"keywords":{keywords}}}"#).as_bytes()).unwrap();
            assert_eq!(decoded.value.unwrap().keywords, expected, "{keywords}");
            let found: Vec<Rule> = decoded.findings.iter().map(|finding| finding.rule).collect();
            assert_eq!(found, rules, "{keywords}");
        }
    }
}
