//! Looks at attributes of a request by their paths, such as `imp.0.banner.w`.

use openrtb::request::Request;
use serde_json::{Map, Value};

/// A request as JSON, made of its debug text. An object has the name of its type at `#`.
pub(crate) fn json(request: &Request<'_>) -> Value {
    let text = format!("{request:?}");
    let mut rest = &*text;
    let value = value(&mut rest);
    assert_eq!(rest, "");
    value
}

/// The value at a path; `null` without one. For a list, the values of its entries, unless the path has a position in
/// it.
pub(crate) fn look(value: &Value, path: &str) -> Value {
    let Some((key, more)) = path.split_once('.').or((!path.is_empty()).then_some((path, ""))) else {
        return value.clone();
    };
    match (value, key.parse::<usize>()) {
        (Value::Array(items), Err(_)) => items.iter().map(|item| look(item, path)).collect(),
        (Value::Array(items), Ok(position)) => items.get(position).map_or(Value::Null, |item| look(item, more)),
        _ => value.get(key).map_or(Value::Null, |member| look(member, more)),
    }
}

fn eat(rest: &mut &str, mark: &str) -> bool {
    let behind = rest.strip_prefix(mark);
    *rest = behind.unwrap_or(rest);
    behind.is_some()
}

fn word<'t>(rest: &mut &'t str) -> &'t str {
    let end = rest.find(|c: char| !c.is_alphanumeric() && !"_-#".contains(c)).unwrap_or(rest.len());
    let (word, behind) = rest.split_at(end);
    *rest = behind;
    word
}

fn value(rest: &mut &str) -> Value {
    if eat(rest, "\"") {
        return text(rest).into();
    }
    if eat(rest, "[") {
        let mut items = vec![];
        while !eat(rest, "]") {
            items.push(value(rest));
            eat(rest, ", ");
        }
        return items.into();
    }
    let name = word(rest);
    if eat(rest, " { ") {
        let mut members = Map::from_iter([("#".to_owned(), name.into())]);
        while !eat(rest, " }") {
            let key = word(rest).trim_start_matches("r#").to_owned();
            assert!(eat(rest, ": "), "{rest}");
            members.insert(key, value(rest));
            eat(rest, ", ");
        }
        return members.into();
    }
    if eat(rest, "(") {
        let inner = value(rest);
        assert!(eat(rest, ")"), "{rest}");
        let code =
            |inner: &Value| inner.as_array().unwrap().iter().map(|byte| byte.as_u64().unwrap()).collect::<Vec<_>>();
        return match name {
            "Currency" => code(&inner)
                .iter()
                .filter_map(|byte| char::from_u32(u32::try_from(*byte).unwrap()))
                .collect::<String>()
                .into(),
            _ => inner,
        };
    }
    match name {
        "None" => Value::Null,
        _ => serde_json::from_str(name).unwrap_or_else(|_| name.into()),
    }
}

/// A text behind its first quote.
fn text(rest: &mut &str) -> String {
    let mut text = String::new();
    loop {
        let end = rest.find(['"', '\\']).unwrap();
        text += &rest[..end];
        *rest = &rest[end..];
        if eat(rest, "\"") {
            return text;
        }
        if eat(rest, "\\u{") {
            let (code, behind) = rest.split_once('}').unwrap();
            text.extend(char::from_u32(u32::from_str_radix(code, 16).unwrap()));
            *rest = behind;
        } else {
            let escape = rest.chars().nth(1).unwrap();
            text.push(match escape {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                '0' => '\0',
                other => other,
            });
            *rest = &rest[1 + escape.len_utf8()..];
        }
    }
}
