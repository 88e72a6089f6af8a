//! Generates bodies from a list of choices. Shorter lists and smaller numbers give simpler bodies, so that proptest can
//! shrink failures.

use std::fmt::Write;

use crate::schema::{Kind, ORTB2, REQUEST, Schema};

/// The numbers that decide each step of a generator, one after the other; 0 after the last one.
pub(crate) struct Choices(std::vec::IntoIter<u16>);

impl Choices {
    pub(crate) fn new(choices: Vec<u16>) -> Choices {
        Choices(choices.into_iter())
    }

    fn below(&mut self, end: usize) -> usize {
        usize::from(self.0.next().unwrap_or(0)) % end
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// True for one of `times` numbers.
    fn rarely(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }
}

/// A body, nearly always with `id` and `imp`.
pub(crate) fn request(choices: &mut Choices) -> String {
    let mut body = String::from("{");
    if !choices.rarely(50) {
        member("id", "\"r\"", choices, &mut body);
        member("imp", "[{\"id\":\"1\"}]", choices, &mut body);
    }
    for _ in 0..choices.below(30) {
        attribute(REQUEST, choices, &mut body);
    }
    body.push('}');
    body
}

/// A body with first-party data, mostly for our bidder.
pub(crate) fn first_party(choices: &mut Choices) -> String {
    let mut body = String::from(r#"{"id":"r","imp":[{"id":"1"}]"#);
    for _ in 0..=choices.below(6) {
        attribute(ORTB2, choices, &mut body);
    }
    body.push_str(r#","ext":{"prebid":{"bidderconfig":["#);
    for number in 0..=choices.below(3) {
        let mut patch = String::from("{");
        for _ in 0..=choices.below(4) {
            attribute(ORTB2, choices, &mut patch);
        }
        let comma = if number > 0 { "," } else { "" };
        let bidders = choices.pick(&BIDDERS);
        write!(body, r#"{comma}{{"bidders":{bidders},"config":{{"ortb2":{patch}}}}}}}"#).unwrap();
    }
    body.push_str("]}}}");
    body
}

fn attribute(schema: Schema, choices: &mut Choices, out: &mut String) {
    let (names, kind) = choices.pick(schema);
    let name = choices.pick(names);
    let mut text = String::new();
    value(kind, choices, &mut text);
    member(name, &text, choices, out);
}

fn member(name: &str, value: &str, choices: &mut Choices, out: &mut String) {
    if !out.ends_with('{') {
        out.push(',');
    }
    let name = if choices.rarely(30) { escaped(name) } else { name.to_string() };
    let blank = if choices.rarely(10) { choices.pick(&[" ", "\n\t", "\r"]) } else { "" };
    write!(out, "{blank}\"{name}\"{blank}:{blank}{value}{blank}").unwrap();
}

/// The name with an escape at its end.
fn escaped(name: &str) -> String {
    let mut name = name.to_string();
    let last = name.pop().map_or(0, u32::from);
    format!("{name}\\u{last:04x}")
}

fn value(kind: Kind, choices: &mut Choices, out: &mut String) {
    if choices.rarely(8) {
        return anything(choices, out);
    }
    match kind {
        Kind::Text => out.push_str(choices.pick(&TEXTS)),
        Kind::Integer => out.push_str(choices.pick(&INTEGERS)),
        Kind::Flag => out.push_str(choices.pick(&FLAGS)),
        Kind::Number => out.push_str(choices.pick(&NUMBERS)),
        Kind::Currency => out.push_str(choices.pick(&CURRENCIES)),
        Kind::Texts => list(Kind::Text, choices, out),
        Kind::Integers => list(Kind::Integer, choices, out),
        Kind::Currencies => list(Kind::Currency, choices, out),
        Kind::Bidders => out.push_str(choices.pick(&BIDDERS)),
        Kind::Objects(schema) => list(Kind::Object(schema), choices, out),
        Kind::Object(schema) => {
            out.push('{');
            let mut members = String::from("{");
            for _ in 0..choices.below(2 * schema.len() + 2) {
                attribute(schema, choices, &mut members);
            }
            out.push_str(&members[1..]);
            out.push('}');
        }
        Kind::Native(schema) => native(schema, choices, out),
        Kind::Anything => anything(choices, out),
    }
}

fn list(kind: Kind, choices: &mut Choices, out: &mut String) {
    if choices.rarely(6) {
        return value(kind, choices, out);
    }
    out.push('[');
    for number in 0..choices.below(4) {
        if number > 0 {
            out.push_str(choices.pick(&[",", " , ", ",\n"]));
        }
        value(kind, choices, out);
    }
    out.push(']');
}

fn native(schema: Schema, choices: &mut Choices, out: &mut String) {
    let mut text = String::new();
    value(Kind::Object(schema), choices, &mut text);
    if choices.rarely(3) {
        text = format!("{{{}\"native\":{text}}}", choices.pick(&["", "\"ver\":\"1.0\",", "\"native\":{},"]));
    }
    if choices.rarely(10) {
        text.pop();
    }
    match choices.below(4) {
        0 if serde_json::from_str::<serde_json::Value>(&text).is_ok() => out.push_str(&text),
        1 => out.push_str(&serde_json::to_string(&text).unwrap().replace('/', "\\/").replace("id", "\\u0069d")),
        _ => out.push_str(&serde_json::to_string(&text).unwrap()),
    }
}

fn anything(choices: &mut Choices, out: &mut String) {
    match choices.below(8) {
        0 => out.push_str("null"),
        1 => out.push_str(choices.pick(&FLAGS)),
        2 => out.push_str(choices.pick(&INTEGERS)),
        3 => out.push_str(choices.pick(&NUMBERS)),
        4 => out.push_str(choices.pick(&TEXTS)),
        5 => list(Kind::Anything, choices, out),
        6 => out.push_str(choices.pick(&["{}", "[]", "{ }", "[ ]", "[[]]", "[null]", r#"{"id":"1","":{"id":[]}}"#])),
        _ => value(Kind::Object(&[(&["id", "w", "name", "keywords", "native"], Kind::Anything)]), choices, out),
    }
}

const TEXTS: [&str; 14] = [
    r#""a""#,
    r#""""#,
    r#""1""#,
    r#""1.0""#,
    r#""a,b""#,
    r#""é€😀""#,
    r#""\u0061\/\"\\\n""#,
    r#""\ud83d\ude00""#,
    r#""\ud83d""#,
    r#""\u0001 1""#,
    r#""{},[]:\"""#,
    r#"" 1 ""#,
    "7",
    "-1.50E2",
];

const INTEGERS: [&str; 16] = [
    "1",
    "0",
    "2",
    "-1",
    "320",
    "3.2e2",
    "2.0",
    "-0",
    "1.5",
    "9007199254740992",
    "9007199254740993",
    "1e400",
    r#""3""#,
    r#"" -4 ""#,
    r#""\u0031""#,
    r#""1.5""#,
];

const FLAGS: [&str; 8] = ["1", "0", "true", "false", "2", r#""1""#, "-1", "1.0"];

const NUMBERS: [&str; 20] = [
    "1",
    "0.5",
    "2.4301341",
    "-1.5",
    "35.6",
    "139.7000009",
    "90",
    "-90.0000001",
    "180.000001",
    "-180",
    "1e-9",
    "1.7e12",
    "1700000000000.999",
    "9007199254740992.5",
    "9007199254740993",
    "1e99999999999999999999",
    "0e400",
    r#""35.6""#,
    r#"" 1""#,
    r#""007.50""#,
];

const CURRENCIES: [&str; 6] = [r#""EUR""#, r#""usd""#, r#""""#, r#""euro""#, r#""\u0045UR""#, "978"];

const BIDDERS: [&str; 10] = [
    r#"["edgebid"]"#,
    r#"["*"]"#,
    r#"["other","EdgeBid"]"#,
    r#"["\u0065dgebid"]"#,
    r#"[null,{},7,"*"]"#,
    r#""edgebid""#,
    r#"["other"]"#,
    "[]",
    r#"[["edgebid"]]"#,
    r#"["",null]"#,
];
