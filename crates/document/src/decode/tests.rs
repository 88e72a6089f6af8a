//! Tables of values and what each type reads from them, one row for each coercion.

use super::{Attribute, Decimal, Decoded, Finding, Flag, Json, JsonObject, Object, Rule, from_json};
use crate::object;
use base::limits::{MAX_DEPTH, MAX_FINDINGS};

object! {
    /// One attribute of each kind.
    struct Sample {
        /// Required text.
        id: Option<String> = required,
        /// Text.
        text: Option<String>,
        /// Integer.
        int: Option<i64>,
        /// Flag.
        flag: Option<Flag>,
        /// Truth.
        truth: Option<bool>,
        /// Number.
        money: Option<Decimal>,
        /// Texts.
        texts: Vec<String>,
        /// Integers.
        ints: Vec<i64>,
        /// Another name in JSON.
        kind as "type": Option<i64>,
        /// Nested.
        child: Option<Child>,
        /// Nested list.
        children: Vec<Child>,
        /// Anything.
        any: Option<Json>,
        /// Any object.
        ext: Option<JsonObject>,
    }

    /// A nested object.
    struct Child {
        /// Width.
        w: Option<i64> = required,
    }
}

fn decode<T: Attribute>(text: &str) -> Decoded<T> {
    from_json(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

fn sample(text: &str) -> (Sample, Vec<(String, Rule)>) {
    let decoded: Decoded<Sample> = decode(text);
    let findings = decoded.findings.into_iter().map(|finding| (finding.path, finding.rule)).collect();
    (decoded.value.unwrap(), findings)
}

fn check<T: Attribute + PartialEq + core::fmt::Debug>(rows: &[(&str, Option<T>, Option<Rule>)]) {
    for (text, expected, rule) in rows {
        let decoded: Decoded<T> = decode(text);
        let rules: Vec<Rule> = decoded.findings.iter().map(|finding| finding.rule).collect();
        assert_eq!((&decoded.value, rules), (expected, rule.iter().copied().collect()), "{text}");
    }
}

const COERCED: Option<Rule> = Some(Rule::WrongType);
const IGNORED: Option<Rule> = Some(Rule::Unreadable);

#[test]
fn text() {
    let some = |text: &str| Some(text.to_string());
    check::<String>(&[
        (r#""""#, some(""), None),
        (r#""a\u0026b\/\n""#, some("a&b/\n"), None),
        (r#""\u00012.5""#, some("\u{1}2.5"), None),
        (r#""\ud83d\ude00 \ud800 \udc00""#, some("\u{1f600} \u{fffd} \u{fffd}"), None),
        ("12", some("12"), COERCED),
        ("-0", some("-0"), COERCED),
        ("1.50E+3", some("1.50E+3"), COERCED),
        ("12345678901234567890", some("12345678901234567890"), COERCED),
        ("-9223372036854775808", some("-9223372036854775808"), COERCED),
        ("true", None, IGNORED),
        ("null", None, IGNORED),
        (r#"["a"]"#, None, IGNORED),
        (r#"{"a":[1,{"b":"c"}]}"#, None, IGNORED),
    ]);
}

#[test]
fn integer() {
    check::<i64>(&[
        ("320", Some(320), None),
        ("-1", Some(-1), None),
        ("9007199254740992", Some(1 << 53), None),
        ("320.0", Some(320), COERCED),
        ("3.2e2", Some(320), COERCED),
        ("-0", Some(0), COERCED),
        (r#""320""#, Some(320), COERCED),
        (r#""  320.0 ""#, Some(320), COERCED),
        (r#""-3.2e2""#, Some(-320), COERCED),
        ("true", Some(1), COERCED),
        ("false", Some(0), COERCED),
        ("9007199254740993", None, Some(Rule::OutOfRange)),
        ("-9223372036854775808", None, Some(Rule::OutOfRange)),
        ("1e16", None, IGNORED),
        ("1e400", None, IGNORED),
        ("9223372036854775808", None, IGNORED),
        ("320.5", None, IGNORED),
        (r#""""#, None, IGNORED),
        (r#"" ""#, None, IGNORED),
        (r#""\t5""#, None, IGNORED),
        (r#""5px""#, None, IGNORED),
        (r#""true""#, None, IGNORED),
        ("null", None, IGNORED),
        ("[1]", None, IGNORED),
        ("{}", None, IGNORED),
    ]);
}

#[test]
fn flag() {
    check::<Flag>(&[
        ("0", Some(Flag(0)), None),
        ("1", Some(Flag(1)), None),
        ("true", Some(Flag(1)), COERCED),
        (r#""1""#, Some(Flag(1)), COERCED),
        ("1.0", Some(Flag(1)), COERCED),
        ("2", Some(Flag(2)), Some(Rule::OutOfRange)),
        (r#""yes""#, None, IGNORED),
        ("[]", None, IGNORED),
    ]);
    check::<bool>(&[
        ("true", Some(true), None),
        ("false", Some(false), None),
        ("1", Some(true), COERCED),
        ("0", Some(false), COERCED),
        ("2", None, IGNORED),
        (r#""true""#, None, IGNORED),
    ]);
}

#[test]
fn decimal() {
    let some = |text: &str| Some(Decimal(text.to_string()));
    check::<Decimal>(&[
        ("2.50", some("2.50"), None),
        ("1.0E-5", some("1.0E-5"), None),
        ("3", some("3"), None),
        ("-0", some("-0"), None),
        ("1e400", some("1e400"), None),
        (r#""2.50""#, some("2.50"), COERCED),
        (r#"" 2.50""#, None, IGNORED),
        (r#""\u00012.50""#, None, IGNORED),
        (r#""2,50""#, None, IGNORED),
        (r#""""#, None, IGNORED),
        ("true", None, IGNORED),
        ("[2.5]", None, IGNORED),
    ]);
}

#[test]
fn lists() {
    let texts = |text: &str| {
        let (sample, findings) = sample(&format!(r#"{{"id":"1","texts":{text}}}"#));
        (sample.texts.join("|"), findings)
    };
    let at = |path: &str, rule| (path.to_string(), rule);
    for (text, expected, findings) in [
        (r#"["a","b"]"#, "a|b", vec![]),
        ("[]", "", vec![]),
        ("null", "", vec![]),
        (r#""a""#, "a", vec![at("texts", Rule::WrongType)]),
        ("5", "5", vec![at("texts", Rule::WrongType), at("texts", Rule::WrongType)]),
        (
            r#"["a",1,null,["b"],{"c":1},true,"d"]"#,
            "a|1|d",
            vec![
                at("texts[1]", Rule::WrongType),
                at("texts[2]", Rule::Unreadable),
                at("texts[3]", Rule::Unreadable),
                at("texts[4]", Rule::Unreadable),
                at("texts[5]", Rule::Unreadable),
            ],
        ),
        (r#"{"a":1}"#, "", vec![at("texts", Rule::WrongType), at("texts", Rule::Unreadable)]),
        ("true", "", vec![at("texts", Rule::WrongType), at("texts", Rule::Unreadable)]),
    ] {
        assert_eq!(texts(text), (expected.to_string(), findings), "{text}");
    }
    let (sample, findings) = sample(r#"{"id":"1","children":{"w":1},"ints":"7"}"#);
    assert_eq!((sample.children, sample.ints), (vec![Child { w: Some(1) }], vec![7]));
    assert_eq!(findings.len(), 3);
}

#[test]
fn objects() {
    for (text, expected) in [
        (r#"{"id":"1"}"#, vec![]),
        ("{}", vec!["id: missing; expected a string"]),
        (r#"{"id":null}"#, vec!["id: missing; expected a string"]),
        (r#"{"id":true}"#, vec!["id: true, ignored; expected a string"]),
        (r#"{"id":"1","txt":[{}]}"#, vec!["txt: unknown attribute; did you mean `text`?"]),
        (r#"{"id":"1","Type":1}"#, vec!["Type: unknown attribute; did you mean `type`?"]),
        (
            r#"{"id":"1","child":{"w":1,"x":1,"height":1}}"#,
            vec!["child.x: unknown attribute; expected one of w", "child.height: unknown attribute; expected one of w"],
        ),
        (
            r#"{"id":"1","children":[{"w":1},{"w":"2"},{},5]}"#,
            vec![
                r#"children[1].w: the string "2"; expected an integer"#,
                "children[2].w: missing; expected an integer",
                "children[3]: the number 5, ignored; expected an object",
            ],
        ),
        (r#"{"id":"1","int":1,"int":2}"#, vec!["int: given more than once, the last one counts; expected once"]),
        (r#"{"id":"1","ext":"x"}"#, vec![r#"ext: the string "x", ignored; expected an object"#]),
        ("[1]", vec!["an array, ignored; expected an object"]),
    ] {
        let findings: Vec<String> = decode::<Sample>(text).findings.iter().map(Finding::to_string).collect();
        assert_eq!(findings, expected, "{text}");
    }
    assert_eq!(decode::<Sample>("[1]").value, None);
    assert_eq!(Sample::ATTRIBUTES.len(), 13);
    assert_eq!(Sample::ATTRIBUTES.iter().filter(|name| name.required).count(), 1);
    assert_eq!((Sample::NAME, Sample::ATTRIBUTES[8].wire), ("Sample", "type"));
}

#[test]
fn the_last_duplicate_counts_even_when_it_is_ignored() {
    let int = |members: &str| sample(&format!(r#"{{"id":"1",{members}}}"#)).0.int;
    assert_eq!(int(r#""int":1,"int":2"#), Some(2));
    assert_eq!(int(r#""int":1,"int":null"#), None);
    assert_eq!(int(r#""int":1,"int":"x""#), None);
    assert_eq!(int(r#""int":null,"int":3"#), Some(3));
    assert_eq!(int(r#""int":1,"\u0069nt":2"#), Some(2));
    let (sample, findings) = sample(r#"{"id":"1","id":null,"ints":[1,2],"ints":null,"child":{"w":1},"child":{}}"#);
    assert_eq!((sample.id, sample.ints, sample.child), (None, vec![], Some(Child::default())));
    assert_eq!(findings.last(), Some(&("id".to_string(), Rule::Missing)));
}

#[test]
fn untyped_values_keep_everything_and_follow_the_same_rules() {
    let (sample, findings) = sample(
        r#"{"id":"1","any":[null,true,1,2.50,"a",{}],"ext":{"child":{"w":"5"},"n":1,"n":null,"text":["x"],"w":[1,"2"]}}"#,
    );
    assert_eq!(findings, []);
    let Some(Json::Array(items)) = sample.any else { panic!() };
    assert_eq!(items[..4], [Json::Null, Json::Bool(true), Json::Integer(1), Json::Decimal("2.50".into())]);
    assert_eq!(items[4..], [Json::Text("a".into()), Json::Object(JsonObject::default())]);
    let ext = sample.ext.unwrap();
    let mut cx = super::Context::default();
    assert_eq!(ext.read::<Option<Child>>("child", &mut cx), Some(Child { w: Some(5) }));
    assert_eq!(ext.read::<Option<i64>>("n", &mut cx), None);
    assert_eq!(ext.read::<Option<String>>("text", &mut cx), None);
    assert_eq!(ext.read::<Option<String>>("absent", &mut cx), None);
    assert_eq!(ext.read::<Vec<i64>>("w", &mut cx), [1, 2]);
    let paths: Vec<&str> = cx.findings.iter().map(|finding| finding.path.as_str()).collect();
    assert_eq!(paths, ["child.w", "text", "w[1]"]);
}

#[test]
fn findings_are_limited_and_do_not_change_the_value() {
    let count = MAX_FINDINGS + 50;
    let decoded: Decoded<Sample> = decode(&format!(r#"{{"id":"1","ints":[{}"7"]}}"#, r#""7","#.repeat(count - 1)));
    assert_eq!((decoded.findings.len(), decoded.findings_left_out), (MAX_FINDINGS, 50));
    assert_eq!(decoded.value.unwrap().ints, vec![7; count]);
    let long = decode::<i64>(&format!(r#""{}""#, "\u{e9}".repeat(100_000)));
    assert!(long.findings[0].message.len() < 200);
}

#[test]
fn lists_of_objects_are_limited() {
    let most = <Child as Attribute>::MOST;
    let list =
        |count: usize| decode::<Sample>(&format!(r#"{{"id":"1","children":[{}5]}}"#, r#"{"w":1},"#.repeat(count)));
    let (kept, cut) = (list(most), list(most + 1));
    assert_eq!(kept.findings[0].rule, Rule::OutOfRange);
    assert_eq!((kept.findings.len(), cut.findings.len()), (1, 2));
    assert_eq!(cut.findings[0].to_string(), format!("children[{most}]: ignored; expected at most {most} items"));
    assert_eq!((kept.value.unwrap().children.len(), cut.value.unwrap().children.len()), (most, most));
}

#[test]
fn the_deepest_document_decodes() {
    let text = format!(r#"{{"id":"1","ext":{{"a":{}{}}}}}"#, "[".repeat(MAX_DEPTH - 2), "]".repeat(MAX_DEPTH - 2));
    assert!(sample(&text).0.ext.is_some());
    let skipped = text.replace("ext", "unknown");
    assert_eq!(sample(&skipped).0.id.as_deref(), Some("1"));
}
