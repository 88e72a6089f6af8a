//! Reads `openrtb.proto`, which has a line per field. Knows no more of the language than that file needs.

use std::collections::BTreeMap;

/// The messages by name.
pub(crate) type Schema = BTreeMap<String, Message>;

/// The fields by name.
pub(crate) type Message = BTreeMap<String, Field>;

pub(crate) struct Field {
    pub(crate) number: u64,
    pub(crate) is_repeated: bool,
    /// `string`, `int32`, `bool`, `double`, or the name of a message.
    pub(crate) kind: String,
}

pub(crate) fn schema() -> Schema {
    let (mut schema, mut message) = (Schema::new(), String::new());
    for line in include_str!("openrtb.proto").lines() {
        let words: Vec<&str> = line.trim().trim_end_matches(';').split_whitespace().collect();
        match words[..] {
            ["message", name, "{"] => {
                name.clone_into(&mut message);
                schema.insert(message.clone(), Message::new());
            }
            [label @ ("optional" | "repeated"), kind, name, "=", number] => {
                let field =
                    Field { number: number.parse().unwrap(), is_repeated: label == "repeated", kind: kind.to_owned() };
                schema.get_mut(&message).unwrap().insert(name.to_owned(), field);
            }
            _ => assert!(matches!(words[..], [] | ["}" | "//" | "syntax", ..]), "{line}"),
        }
    }
    schema
}
