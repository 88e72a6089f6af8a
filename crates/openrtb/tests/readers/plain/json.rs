//! A JSON value by its text, and what it says as a text or a number.

use std::collections::BTreeMap;
use std::fmt;

use base::limits::MAX_DEPTH;
use serde::Deserializer;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

/// The members of an object. Of several members with the same name, the last one counts.
pub(super) type Members = BTreeMap<String, Json>;

/// The name of the only attribute of an object that holds several texts. No request has it.
const TEXTS: &str = "the texts of this object";

/// The text of a value.
#[derive(Clone)]
pub(super) struct Json(String);

/// The body's text, if it is JSON and not too deep.
pub(super) fn checked(body: &[u8]) -> Option<Json> {
    let text = str::from_utf8(body).ok()?;
    let value: &RawValue = serde_json::from_str(text).ok()?;
    let (mut depth, mut in_string, mut is_escaped) = (0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = in_string,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => depth -= 1,
            _ => {}
        }
        if depth > MAX_DEPTH {
            return None;
        }
    }
    Some(Json(value.get().to_owned()))
}

impl From<Members> for Json {
    fn from(members: Members) -> Json {
        let members = members.iter().map(|(name, Json(text))| format!("{}:{text}", serde_json::json!(name)));
        Json(format!("{{{}}}", members.collect::<Vec<_>>().join(",")))
    }
}

impl Json {
    pub(super) fn is_null(&self) -> bool {
        self.0 == "null"
    }

    pub(super) fn is_string(&self) -> bool {
        self.0.starts_with('"')
    }

    pub(super) fn is_list(&self) -> bool {
        self.0.starts_with('[')
    }

    /// The members of an object. `None` for other values.
    pub(super) fn members(&self) -> Option<Members> {
        Some(self.pairs()?.into_iter().collect())
    }

    /// The members of an object in their order.
    fn pairs(&self) -> Option<Vec<(String, Json)>> {
        serde_json::Deserializer::from_str(&self.0).deserialize_map(AllMembers).ok()
    }

    /// An object that holds the texts of two objects; the value itself if one of them is no object.
    pub(super) fn over(self, under: Option<&Json>) -> Json {
        match under.filter(|under| under.members().is_some() && self.members().is_some()) {
            Some(under) => Json(format!("{{\"{TEXTS}\":[{},{}]}}", self.0, under.texts().join(","))),
            None => self,
        }
    }

    /// The text of an object, behind those that were put [`over`](Json::over) it.
    pub(super) fn texts(&self) -> Vec<String> {
        let both = self.members().and_then(|mut members| members.remove(TEXTS));
        both.map_or_else(|| vec![self.clone()], |both| both.items()).into_iter().map(|Json(text)| text).collect()
    }

    fn is_scalar(&self) -> bool {
        !self.0.starts_with(['[', '{'])
    }

    /// The values of an object whose names are numbers, if they are scalars and there are some.
    fn numbered(&self) -> Option<Vec<Json>> {
        let pairs = self.pairs()?;
        let is_item = |(name, value): &(String, Json)| name.bytes().all(|c| c.is_ascii_digit()) && value.is_scalar();
        (!pairs.is_empty() && pairs.iter().all(is_item)).then(|| pairs.into_iter().map(|(_, value)| value).collect())
    }

    /// The items of a list of scalars, or of what stands instead of it: the values of a numbered object, or the parts
    /// of a text. A list in the list counts as its items, if these are scalars and there are some.
    pub(super) fn scalars(&self) -> Vec<Json> {
        if self.is_string() {
            let parts = self.0[1..self.0.len() - 1].split([',', ';', '|']).map(str::trim_ascii);
            return parts.filter(|part| !part.is_empty()).map(|part| Json(format!("\"{part}\""))).collect();
        }
        if !self.is_list() {
            return self.numbered().unwrap_or_else(|| vec![self.clone()]);
        }
        let flat = |item: Json| {
            let inner = if item.is_list() { item.items() } else { vec![] };
            if inner.is_empty() || !inner.iter().all(Json::is_scalar) { vec![item] } else { inner }
        };
        self.items().into_iter().flat_map(flat).collect()
    }

    /// Whether there is no value: `null`, or an empty text, list or object.
    pub(super) fn says_nothing(&self) -> bool {
        !self.is_given()
            || self.is_list() && self.items().is_empty()
            || self.members().is_some_and(|members| members.is_empty())
    }

    /// The items of a list. Another value is a list with one item.
    pub(super) fn items(&self) -> Vec<Json> {
        let items: Option<Vec<&RawValue>> = serde_json::from_str(&self.0).ok();
        items.map_or_else(|| vec![self.clone()], |items| items.iter().map(|item| Json(item.get().to_owned())).collect())
    }

    /// A string without its escapes, or the text of a number.
    pub(super) fn text(&self) -> Option<String> {
        match self.0.as_bytes() {
            [b'"', ..] => Some(unescaped(&self.0[1..self.0.len() - 1])),
            [b'-' | b'0'..=b'9', ..] => Some(self.0.clone()),
            _ => None,
        }
    }

    /// Whether somebody wanted to say something: neither `null` nor the empty text.
    pub(super) fn is_given(&self) -> bool {
        !self.is_null() && self.text().as_deref() != Some("")
    }

    pub(super) fn integer(&self) -> Option<i64> {
        match self.0.as_str() {
            "true" => Some(1),
            "false" => Some(0),
            _ => {
                let (integer, has_fraction) = parts(self.text()?.trim_matches(' '))?;
                (!has_fraction).then_some(integer)
            }
        }
    }

    /// The integer part of a number.
    pub(super) fn truncated(&self) -> Option<i64> {
        parts(&self.text()?).map(|(integer, _)| integer)
    }
}

/// Takes names as they stand in the JSON, because `serde_json` refuses a name with a lone surrogate as a `String`.
struct AllMembers;

impl<'de> Visitor<'de> for AllMembers {
    type Value = Vec<(String, Json)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = vec![];
        while let Some((name, value)) = map.next_entry::<&RawValue, &RawValue>()? {
            let name = name.get();
            members.push((unescaped(&name[1..name.len() - 1]), Json(value.get().to_owned())));
        }
        Ok(members)
    }
}

/// A lone surrogate becomes U+FFFD.
fn unescaped(literal: &str) -> String {
    let mut units = Vec::new();
    let mut rest = literal.chars();
    while let Some(c) = rest.next() {
        let unit = match (c, if c == '\\' { rest.next() } else { None }) {
            (_, Some('b')) => 8,
            (_, Some('f')) => 12,
            (_, Some('n')) => 10,
            (_, Some('r')) => 13,
            (_, Some('t')) => 9,
            (_, Some('u')) => u16::from_str_radix(&rest.by_ref().take(4).collect::<String>(), 16).unwrap(),
            (_, Some(same)) => u16::try_from(same).unwrap(),
            (plain, None) => {
                units.extend_from_slice(plain.encode_utf16(&mut [0; 2]));
                continue;
            }
        };
        units.push(unit);
    }
    String::from_utf16_lossy(&units)
}

/// The integer part of a number's text, and whether a fraction follows. `None` beyond ±2^53, and for another text. It
/// may have leading zeros, which JSON forbids.
fn parts(text: &str) -> Option<(i64, bool)> {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let size = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = size.split_once(['e', 'E']).unwrap_or((size, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    if ![whole, fraction, exponent.strip_prefix(['+', '-']).unwrap_or(exponent)].into_iter().all(is_digits) {
        return None;
    }
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_start_matches('0');
    if significant.is_empty() {
        return Some((0, false));
    }
    // Where the point is in the significant digits. A huge exponent does not fit the type.
    let (whole, zeros) = (i64::try_from(whole.len()).ok()?, i64::try_from(digits.len() - significant.len()).ok()?);
    let huge = if exponent.starts_with('-') { -i64::from(u32::MAX) } else { i64::from(u32::MAX) };
    let point = whole - zeros + exponent.parse().unwrap_or(huge);
    let significant = significant.trim_end_matches('0');
    // 2^53 has 16 digits.
    let point = usize::try_from(point.max(0)).ok().filter(|point| *point <= 16)?;
    let integer: String = significant.chars().chain("0".repeat(16).chars()).take(point).collect();
    let integer: i64 = format!("0{integer}").parse().ok()?;
    let integer = if text.starts_with('-') { -integer } else { integer };
    (integer.abs() <= 1 << 53).then_some((integer, significant.len() > point))
}
