//! First-party data: the values at a path in the JSON text of `ext.data` of an object.

use base::limits::{MAX_DATA_BYTES, MAX_DATA_ITEMS};
use bumpalo::Bump;

use crate::read::{scalar_length, unescaped};
use crate::request::{Channel, Imp, Request};

/// The objects that may have first-party data. Their names begin the paths.
pub const OBJECTS: [&str; 5] = ["site", "app", "dooh", "imp", "user"];

/// What follows in a path.
pub const EXT_DATA: &str = "ext.data.";

/// The names in a path behind `ext.data`; `None` if it does not begin as a path of first-party data.
pub fn names(path: &str) -> Option<impl Iterator<Item = &str> + Clone> {
    let (object, rest) = path.split_once('.')?;
    let names = rest.strip_prefix(EXT_DATA).filter(|_| OBJECTS.contains(&object))?;
    Some(names.split('.'))
}

/// The position in [`OBJECTS`] of the object with which a path begins.
pub fn object(path: &str) -> Option<usize> {
    let (object, _) = path.split_once('.')?;
    OBJECTS.iter().position(|name| *name == object)
}

/// The first-party data of the object at a position in [`OBJECTS`], as JSON texts.
pub fn texts<'a>(object: u8, request: &Request<'a>, imp: &Imp<'a>) -> &'a [&'a str] {
    let of = |channel: Option<&Channel<'a>>| channel.map(|channel| channel.first_party).unwrap_or_default();
    // Numbers, because every candidate asks. Each object has a fixture.
    match object {
        0 => of(request.site),
        1 => of(request.app),
        2 => of(request.dooh),
        3 => imp.first_party,
        _ => request.user.first_party,
    }
}

/// Where the values at a path are: a scalar, or the items of a list.
#[derive(Debug, Clone, Copy, Default)]
pub struct Place {
    /// Which of the texts has them.
    text: usize,
    from: usize,
    to: usize,
}

impl Place {
    /// The length of their JSON text.
    pub fn bytes(self) -> usize {
        self.to - self.from
    }
}

/// Where the values at a path are, and how many bytes of JSON were searched for it.
///
/// `texts` are those of an object, the one that counts first in front. The first one counts that has all names of the
/// path, or a value that is no object on the way. A path leads through objects only. Of several attributes with the same
/// name, the last one counts. If more than [`MAX_DATA_BYTES`] would have to be searched, there is no value.
pub fn find(texts: &[&str], path: &str, arena: &Bump) -> (Place, usize) {
    let mut searched = 0;
    let Some(names) = names(path) else { return Default::default() };
    for (number, text) in texts.iter().enumerate() {
        if let Some(value) = at(text, names.clone(), &mut searched, arena) {
            let values = match value.as_bytes().first() {
                Some(b'[') => first_items(inside(value)),
                Some(b'{') => value.get(..0).unwrap_or_default(),
                _ => value,
            };
            searched += values.len();
            let from = values.as_ptr().addr().saturating_sub(text.as_ptr().addr());
            return (Place { text: number, from, to: from + values.len() }, searched);
        }
    }
    (Place::default(), searched)
}

/// The values at this place: a text without its escapes, or the JSON text of a number or of `true` or `false`. Of a list,
/// each of the first items that is one of these. An object, a list in a list, `null` and the empty text are no values.
pub fn values<'a>(texts: &[&'a str], place: Place, arena: &'a Bump) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
    let json = texts.get(place.text).and_then(|text| text.get(place.from..place.to)).unwrap_or_default();
    Items(json).filter_map(|item| scalar(item, arena))
}

/// The first items of a list, which is given without its brackets.
fn first_items(list: &str) -> &str {
    let mut items = Items(list);
    items.by_ref().take(MAX_DATA_ITEMS).for_each(drop);
    list.get(..list.len() - items.0.len()).unwrap_or_default()
}

/// The JSON text of the value at a path; of a value on the way that is no object, empty. `None` if an object on the way
/// does not have the next name.
fn at<'a, 'n>(
    text: &'a str,
    names: impl Iterator<Item = &'n str>,
    searched: &mut usize,
    arena: &Bump,
) -> Option<&'a str> {
    let mut value = text;
    for name in names {
        if !value.starts_with('{') {
            return value.get(..0);
        }
        *searched += value.len();
        if *searched > MAX_DATA_BYTES {
            return value.get(..0);
        }
        let mut items = Items(inside(value));
        let mut last = None;
        while let (Some(key), Some(own)) = (items.next(), items.next()) {
            if is_name(key, name, arena) {
                last = Some(own);
            }
        }
        value = last?;
    }
    Some(value)
}

/// Whether a JSON string is this name.
fn is_name(json: &str, name: &str, arena: &Bump) -> bool {
    /// The bytes of `\u0041`, the longest way to write a byte.
    const LONGEST: usize = 6;
    let literal = inside(json);
    literal == name
        || literal.len() <= name.len() * LONGEST && literal.contains('\\') && unescaped(literal, arena) == name
}

/// The value of a scalar.
fn scalar<'a>(json: &'a str, arena: &'a Bump) -> Option<&'a str> {
    let value = match json.as_bytes().first()? {
        b'"' => unescaped(inside(json), arena),
        b'{' | b'[' | b'n' => return None,
        _ => json,
    };
    if value.is_empty() { None } else { Some(value) }
}

/// The text between the quotes of a string, or between the brackets of a list or object.
fn inside(json: &str) -> &str {
    json.get(1..json.len().saturating_sub(1)).unwrap_or_default()
}

/// The items of a list, or the names and values of an object, in turn. Holds what is behind those that were taken, without
/// the bracket at the end. The JSON was checked.
#[derive(Clone)]
struct Items<'j>(&'j str);

impl<'j> Iterator for Items<'j> {
    type Item = &'j str;

    fn next(&mut self) -> Option<&'j str> {
        let rest = self.0.trim_start_matches(is_between);
        let (item, behind) = rest.split_at_checked(length(rest.as_bytes()))?;
        self.0 = behind;
        if item.is_empty() { None } else { Some(item) }
    }
}

/// Whether a character stands between items.
fn is_between(c: char) -> bool {
    matches!(c, ',' | ':' | ' ' | '\t' | '\r' | '\n')
}

/// The length of the value that the JSON begins with.
fn length(json: &[u8]) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while let (Some(byte), Some(rest)) = (json.get(at), json.get(at..)) {
        match byte {
            b'"' => at += scalar_length(rest),
            _ if depth == 0 && is_between(char::from(*byte)) => break,
            _ => {
                depth += usize::from(matches!(byte, b'{' | b'['));
                depth = depth.saturating_sub(usize::from(matches!(byte, b'}' | b']')));
                at += 1;
            }
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::{Bump, MAX_DATA_BYTES, MAX_DATA_ITEMS, find, values};
    use proptest::prelude::*;
    use serde_json::Value;

    fn found(texts: &[&str], path: &str) -> Vec<String> {
        let arena = Bump::new();
        let (place, _) = find(texts, &format!("site.ext.data.{path}"), &arena);
        values(texts, place, &arena).map(ToString::to_string).collect()
    }

    #[test]
    fn a_path_leads_to_values() {
        let data = r#"{ "a" : "x", "b":{"c":[ 1 ,"y",true,null,{},[2],"","\u0079z"],"d":4.0,"e":null,"f":{}},
            "g":[{"h":1}],"\u0069":"\ud83d\ude00","j":1,"j":2,"k{":"}","l":"","m":false }"#;
        for (path, expected) in [
            ("a", &["x"][..]),
            ("b.c", &["1", "y", "true", "yz"]),
            ("b.d", &["4.0"]),
            ("b.e", &[]),
            ("b.f", &[]),
            ("b", &[]),
            ("b.x", &[]),
            ("a.x", &[]),
            ("g.h", &[]),
            ("g", &[]),
            ("i", &["😀"]),
            ("j", &["2"]),
            ("k{", &["}"]),
            ("l", &[]),
            ("m", &["false"]),
            ("A", &[]),
        ] {
            assert_eq!(found(&[data], path), expected, "{path}");
        }
        assert!(found(&[], "a").is_empty());
    }

    #[test]
    fn the_first_text_with_the_path_counts() {
        let own = r#"{"a":{"b":"own","c":"own"},"d":{"e":"own"},"f":"own"}"#;
        let patch = r#"{"a":{"b":["patch",1]},"d":"no object","f":null}"#;
        for (path, expected) in [("a.b", &["patch", "1"][..]), ("a.c", &["own"]), ("d.e", &[]), ("f", &[]), ("g", &[])]
        {
            assert_eq!(found(&[patch, own], path), expected, "{path}");
        }
    }

    #[test]
    fn only_the_first_items_of_a_long_list_count() {
        let long = format!("{{\"a\":[{}1]}}", "0,".repeat(MAX_DATA_ITEMS));
        assert_eq!(found(&[&long], "a"), vec!["0"; MAX_DATA_ITEMS]);
    }

    #[test]
    fn a_long_text_has_no_values() {
        let data = |bytes| format!(r#"{{"a":"x","b":"{}"}}"#, "y".repeat(bytes));
        let rest = data(0).len();
        assert_eq!(found(&[&data(MAX_DATA_BYTES - rest)], "a"), ["x"]);
        assert!(found(&[&data(MAX_DATA_BYTES - rest + 1)], "a").is_empty());
    }

    /// The same with a tree.
    fn plain(data: &Value, path: &str) -> Vec<String> {
        let end = path.split('.').try_fold(data, |value, name| value.as_object()?.get(name));
        let of = |value: &Value| match value {
            Value::String(text) if !text.is_empty() => Some(text.clone()),
            Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
            _ => None,
        };
        match end {
            Some(Value::Array(items)) => items.iter().take(MAX_DATA_ITEMS).filter_map(of).collect(),
            other => other.and_then(of).into_iter().collect(),
        }
    }

    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "[ab\"\\\\{}\\[\\],: \n😀]{0,3}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[ab\"\\\\]{1,2}", inner, 0..4)
                    .prop_map(|all| Value::Object(all.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn values_are_those_of_a_tree(
            data in prop::collection::btree_map("[ab\"\\\\]{1,2}", json(), 0..4),
            path in prop::collection::vec("[ab\"\\\\]{1,2}", 1..4),
            pretty: bool,
        ) {
            let data = Value::Object(data.into_iter().collect());
            let text = if pretty { serde_json::to_string_pretty(&data) } else { serde_json::to_string(&data) }.unwrap();
            let path = path.join(".");
            prop_assert_eq!(found(&[&text], &path), plain(&data, &path));
        }
    }
}
