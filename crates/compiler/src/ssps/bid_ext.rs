//! Checks what an SSP wants in every `bid.ext`, and makes it ready: members of a JSON object, each with a comma in
//! front.

use std::collections::HashSet;

use base::json::literal;
use base::limits::MAX_BID_EXT_BYTES;
use document::check::At;
use document::decode::{Json, JsonObject, Rule};

/// The members that edgebid writes itself.
const OURS: [&str; 3] = ["catalog", "dsa", "skadn"];

pub(crate) fn compile(ext: Option<&JsonObject>, at: &At<'_>) -> String {
    let Some(ext) = ext else { return String::new() };
    for name in ext.0.iter().map(|(name, _)| name).filter(|name| OURS.contains(&name.as_str())) {
        at.attribute(name).error(format!("edgebid writes {name} itself; expected another name"));
    }
    let mut members = String::new();
    write_members(&mut members, ext, at);
    if members.len() > MAX_BID_EXT_BYTES {
        at.error(format!("{} bytes; expected at most {MAX_BID_EXT_BYTES}", members.len()));
    }
    members
}

fn write_members(out: &mut String, object: &JsonObject, at: &At<'_>) {
    let mut names = HashSet::new();
    for (name, value) in &object.0 {
        let at = at.attribute(name);
        if !names.insert(name) {
            at.report(Rule::DuplicateKey, "given more than once; expected once");
        }
        out.push_str(",\"");
        out.push_str(&literal(name));
        out.push_str("\":");
        write_value(out, value, &at);
    }
}

fn write_value(out: &mut String, value: &Json, at: &At<'_>) {
    match value {
        Json::Null => at.error("null; expected a string, a number, true, false, an array or an object"),
        Json::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Json::Integer(number) => out.push_str(&number.to_string()),
        Json::Decimal(number) if number.parse().is_ok_and(f64::is_finite) => out.push_str(number),
        Json::Decimal(number) => at.error(format!("{number}; expected a number that a 64-bit float can hold")),
        Json::Text(text) => out.extend(["\"", &literal(text), "\""]),
        Json::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { "," });
                write_value(out, item, &at.entry(i));
            }
            out.push(']');
        }
        Json::Object(object) => {
            let mut members = String::new();
            write_members(&mut members, object, at);
            out.extend(["{", members.get(1..).unwrap_or_default(), "}"]);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{compile, tests::right};
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    /// The members that every bid for the SSP gets.
    fn compiled(ext: &str) -> String {
        let document = right().to_string().replace(r#"{"id":"a"}"#, &format!(r#"{{"id":"a","bid_ext":{ext}}}"#));
        let compiled = compile(document.as_bytes(), &[]).unwrap_or_else(|found| panic!("{ext}: {found:?}"));
        compiled.snapshot.catalog().parts().ssp(0).bid_ext().to_owned()
    }

    #[test]
    fn members_are_written_as_they_are() {
        let ext = r#"{"a":{"b":[1,-2.50,1e3,"x\"\n",true,false,{},[]]}, "é\\":{"c":0}}"#;
        let expected = r#","a":{"b":[1,-2.50,1e3,"x\"\n",true,false,{},[]]},"é\\":{"c":0}"#;
        assert_eq!(compiled(ext), expected);
        assert_eq!(compiled("{}"), "");
    }

    fn value() -> impl Strategy<Value = Value> {
        let scalar = prop_oneof![
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "\\PC{0,8}|[\"\\\\\n\u{2028}]{0,3}".prop_map(Value::from)
        ];
        scalar.prop_recursive(4, 16, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("\\PC{0,4}", inner, 0..4).prop_map(|map| json!(Map::from_iter(map))),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn every_object_is_read_back(members in prop::collection::btree_map("[a-z\"]{5,8}", value(), 0..4)) {
            prop_assume!(!members.contains_key("skadn"));
            let ext = Value::Object(Map::from_iter(members));
            let written = compiled(&ext.to_string());
            let read: Value = serde_json::from_str(&format!("{{{}}}", written.get(1..).unwrap_or_default())).unwrap();
            prop_assert_eq!(read, ext);
        }
    }
}
