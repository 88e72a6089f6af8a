//! Generates bodies from a list of choices. Shorter lists and smaller numbers give simpler bodies, so that proptest can
//! shrink failures.

use std::fmt::Write;

use openrtb::read::spec::{self, Type};

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

    /// One of the values that bars separate.
    fn one_of<'v>(&mut self, values: &'v str) -> &'v str {
        self.pick(&values.split('|').collect::<Vec<_>>())
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
        attribute("BidRequest", choices, &mut body);
    }
    body.push('}');
    body
}

/// A body with first-party data, mostly for our bidder.
pub(crate) fn first_party(choices: &mut Choices) -> String {
    let mut body = String::from("{");
    for _ in 0..=choices.below(6) {
        attribute("Ortb2", choices, &mut body);
    }
    body.push_str(r#","ext":{"prebid":{"bidderconfig":["#);
    for number in 0..=choices.below(3) {
        let mut patch = String::from("{");
        for _ in 0..=choices.below(4) {
            attribute("Ortb2", choices, &mut patch);
        }
        let comma = if number > 0 { "," } else { "" };
        let bidders = choices.one_of(BIDDERS);
        write!(body, r#"{comma}{{"bidders":{bidders},"config":{{"ortb2":{patch}}}}}}}"#).unwrap();
    }
    // At the end, because the last of duplicate keys counts, and an attribute of another kind may be an unreadable `id`.
    body.push_str(r#"]}},"id":"r","imp":[{"id":"1"}]}"#);
    body
}

/// The type of a well-formed value.
#[derive(Clone, Copy)]
enum Kind {
    One(Type),
    List(Type),
    Currency,
    Bidders,
}

/// The attributes of a kind. Repeated entries make large objects more frequent. Objects that have fewer attributes than
/// others of the same shape get all of them, because the reader must ignore those.
fn attributes(kind: &str) -> Vec<(&'static str, Kind)> {
    let full = match kind {
        "Site" | "App" | "Dooh" => "Channel",
        "Audio" => "Video",
        "NativeWrapped" => "NativeContent",
        other => other,
    };
    let mut all = vec![("ext", Kind::One(Type::Anything)), ("long_unknown_attribute", Kind::One(Type::Anything))];
    if kind == "Ortb2" {
        let objects = [("site", "Site"), ("app", "App"), ("dooh", "Dooh"), ("user", "User")];
        all.extend(objects.map(|(name, kind)| (name, Kind::One(Type::Object(kind)))));
    }
    for known in spec::read(full).filter(|_| kind != "Ortb2") {
        let times = if matches!(known.of, Type::Object(_) | Type::Native) || known.name == "id" { 4 } else { 1 };
        let kind = match known.of {
            Type::Keywords => {
                all.push((known.name, Kind::List(Type::Text)));
                Kind::One(Type::Text)
            }
            _ if known.name == "bidders" => Kind::Bidders,
            _ if ["cur", "bidfloorcur"].contains(&known.name) => Kind::Currency,
            of if known.is_list => Kind::List(of),
            of => Kind::One(of),
        };
        all.extend(vec![(known.name, kind); times]);
    }
    all
}

fn attribute(kind: &str, choices: &mut Choices, out: &mut String) {
    // Rarely an attribute of another kind.
    let kind =
        if choices.rarely(30) { choices.pick(&["BidRequest", "Imp", "Deal", "Content", "Device"]) } else { kind };
    let (name, kind) = choices.pick(&attributes(kind));
    let mut text = String::new();
    value(kind, choices, &mut text);
    member(name, &text, choices, out);
}

fn member(name: &str, value: &str, choices: &mut Choices, out: &mut String) {
    if !out.ends_with('{') {
        out.push(',');
    }
    let name = match choices.below(60) {
        58 => escaped(name),
        59 => format!("{}z", &name[1..]),
        _ => name.to_string(),
    };
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
        Kind::One(Type::Text | Type::Keywords) if choices.rarely(8) => long_text(choices, out),
        Kind::One(Type::Text | Type::Keywords) => out.push_str(choices.one_of(TEXTS)),
        Kind::One(Type::Integer | Type::Number) if choices.rarely(4) => number(choices, out),
        Kind::One(Type::Integer) => out.push_str(choices.one_of(INTEGERS)),
        Kind::One(Type::Flag) => out.push_str(choices.one_of(FLAGS)),
        Kind::One(Type::Number) => out.push_str(choices.one_of(NUMBERS)),
        Kind::One(Type::Native) => native(choices, out),
        Kind::One(Type::Object(kind)) => {
            out.push('{');
            let mut members = String::from("{");
            for _ in 0..choices.below(attributes(kind).len().min(16)) {
                attribute(kind, choices, &mut members);
            }
            out.push_str(&members[1..]);
            out.push('}');
        }
        Kind::List(of) => list(Kind::One(of), choices, out),
        Kind::Currency if choices.rarely(3) => list(Kind::Currency, choices, out),
        Kind::Currency => out.push_str(choices.one_of(CURRENCIES)),
        Kind::Bidders => out.push_str(choices.one_of(BIDDERS)),
        Kind::One(Type::Anything) => anything(choices, out),
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

fn native(choices: &mut Choices, out: &mut String) {
    let mut text = String::new();
    value(Kind::One(Type::Object("NativeContent")), choices, &mut text);
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

/// A text of any length, over several lanes of the pass.
fn long_text(choices: &mut Choices, out: &mut String) {
    let letters: String = (0..choices.below(80)).map(|_| char::from(choices.pick(b"aA0 ,;"))).collect();
    write!(out, "\"{letters}\"").unwrap();
}

/// Any number, sometimes as a text that need not be one.
fn number(choices: &mut Choices, out: &mut String) {
    let digits = |choices: &mut Choices, most| -> String {
        (0..choices.below(most)).map(|_| char::from(choices.pick(b"0123456789"))).collect()
    };
    let whole = digits(choices, 19);
    let mut text = format!("{}{}", choices.pick(&["", "-"]), whole.trim_start_matches('0'));
    if !text.ends_with(|c: char| c.is_ascii_digit()) {
        text.push('0');
    }
    if choices.rarely(3) {
        write!(text, ".{}0", digits(choices, 12)).unwrap();
    }
    if choices.rarely(3) {
        write!(text, "{}{}", choices.pick(&["e", "E+", "e-"]), choices.below(100)).unwrap();
    }
    match choices.below(6) {
        0 => write!(out, "\"{text}\"").unwrap(),
        1 => write!(out, "\"{}\"", &text[..choices.below(text.len())]).unwrap(),
        _ => out.push_str(&text),
    }
}

fn anything(choices: &mut Choices, out: &mut String) {
    match choices.below(8) {
        0 => out.push_str("null"),
        1 => out.push_str(choices.one_of(FLAGS)),
        2 => out.push_str(choices.one_of(INTEGERS)),
        3 => out.push_str(choices.one_of(NUMBERS)),
        4 => out.push_str(choices.one_of(TEXTS)),
        5 => list(Kind::One(Type::Anything), choices, out),
        6 => out.push_str(choices.pick(&["{}", "[]", "{ }", "[ ]", "[[]]", "[null]", r#"{"id":"1","":{"id":[]}}"#])),
        _ => {
            let name = choices.pick(&["id", "w", "name", "keywords", "native"]);
            write!(out, "{{\"{name}\":").unwrap();
            anything(choices, out);
            out.push('}');
        }
    }
}

// Values with bars between them.
const TEXTS: &str =
    r#""a"|""|"1"|"1.0"|"a,b"|"é€😀"|"\u0061\/\"\\\n"|"\ud83d\ude00"|"\ud83d"|"\u0001 1"|"{},[]:\""|" 1 "|7|-1.50E2"#;
const INTEGERS: &str =
    r#"1|0|2|-1|320|3.2e2|2.0|-0|1.5|9007199254740992|9007199254740993|1e400|"3"|" -4 "|"\u0031"|"1.5""#;
const FLAGS: &str = r#"1|0|true|false|2|"1"|-1|1.0"#;
const NUMBERS: &str = r#"1|0.5|2.4301341|-1.5|35.6|139.7000009|90|-90.0000001|180.000001|-180|1e-9|1.7e12|1700000000000.999|9007199254740992.5|9007199254740993|1e99999999999999999999|0e400|"35.6"|" 1"|"007.50""#;
const CURRENCIES: &str = r#""EUR"|"usd"|""|"euro"|"\u0045UR"|978"#;
const BIDDERS: &str = r#"["edgebid"]|["*"]|["other","EdgeBid"]|["\u0065dgebid"]|[null,{},7,"*"]|"edgebid"|["other"]|[]|[["edgebid"]]|["",null]"#;
