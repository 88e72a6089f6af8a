//! Checks the findings of each document of `mistakes.txt`, which says how a row is read.

use serde_json::{Map, Value, json};

use super::{found, right};

const ROWS: &str = include_str!("mistakes.txt");

/// The objects that rows add members to: name, path, and the object as it is without the row. `null`: as in [`right`].
fn positions() -> Vec<(&'static str, &'static str, Value)> {
    let media = json!([{ "url": "https://x.example/1", "mime": "video/mp4" }]);
    let linear = json!({ "dur": 15, "protocol": 3, "w": 1, "h": 1, "media": media });
    let adm = r#"<VAST version="3.0"><Ad><InLine/></Ad></VAST>"#;
    let ready = json!({ "dur": 15, "protocol": 3, "w": 1, "h": 1, "mimes": ["video/mp4"], "adm": adm });
    let audio = json!({ "dur": 15, "protocol": 11, "media": media });
    let skadn = json!({ "network": "abc.skadnetwork", "itunesitem": "123456789", "campaign": "45" });
    let template = json!({
        "id": "base", "seat": "s", "adomain": ["x.example"], "max_cpm": "1", "creatives": ["c"], "deals": ["d"],
    });
    vec![
        ("document", "", Value::Null),
        ("ssp", "ssps[0]", Value::Null),
        ("order", "orders[0]", json!({ "id": "io", "budget": { "daily": "5" } })),
        ("campaign", "campaigns[0]", Value::Null),
        ("list", "lists[0]", json!({ "id": "l", "values": ["x.example"] })),
        ("template", "templates[0]", template),
        ("day", "campaigns[0].flights[0]", json!({ "start": "2026-11-01T00:00Z", "end": "2026-11-02T00:00Z" })),
        ("target", "campaigns[0].target", json!({})),
        ("bid", "campaigns[0].bids[0]", json!({})),
        ("dsa", "campaigns[0].dsa.transparency[0]", json!({})),
        ("skadn", "campaigns[0].skadn", skadn),
        ("flights", "campaigns[0].flights", json!([])),
        ("creative", "creatives[0]", Value::Null),
        ("banner", "creatives[0].banner", Value::Null),
        ("video", "creatives[0].video", linear),
        ("ready", "creatives[0].video", ready),
        ("audio", "creatives[0].audio", audio),
        ("native", "creatives[0].native", json!({ "title": "t", "link": "https://x.example/" })),
    ]
}

/// The value at a path such as `campaigns[0].target`, which is made if it is not there.
fn at<'d>(document: &'d mut Value, path: &str) -> &'d mut Value {
    path.split(['.', '[']).filter(|part| !part.is_empty()).fold(document, |value, part| match part.strip_suffix(']') {
        Some(_) if value.is_array() => value.get_mut(0).unwrap(),
        Some(_) => {
            *value = json!([{}]);
            &mut value[0]
        }
        None => &mut value[part],
    })
}

/// Replaces each `‹x*3›` with `xxx`.
fn expanded(text: &str) -> String {
    let Some((before, rest)) = text.split_once('‹') else { return text.to_owned() };
    let (repeated, after) = rest.split_once('›').unwrap();
    let (part, times) = repeated.rsplit_once('*').unwrap();
    format!("{before}{}{}", part.repeat(times.parse().unwrap()), expanded(after))
}

/// `01 02, 03` as two flights, on days of January 1970.
fn flights(text: &str) -> Value {
    let time = |day: &str| format!("1970-01-{day}T00:00Z");
    let flight = |days: &str| match days.split_once(' ') {
        Some((start, end)) => json!({ "start": time(start), "end": time(end) }),
        None => json!({ "start": time(days) }),
    };
    text.split(", ").map(flight).collect()
}

/// Adds the members of a row to a document at a position. Returns the position's path.
fn add(document: &mut Value, position: &str, members: &str) -> &'static str {
    let positions = positions();
    let (_, path, whole) =
        positions.iter().find(|(name, ..)| *name == position).unwrap_or_else(|| panic!("{position}"));
    if path.starts_with("creatives[0].") && position != "banner" {
        document["creatives"][0].as_object_mut().unwrap().remove("banner");
    }
    let id = if members.contains(r#""id":"c""#) { "c" } else { "io" };
    let campaign = &mut document["campaigns"][0];
    match position {
        "dsa" => campaign["dsa"] = json!({ "behalf": "a", "paid": "a" }),
        "skadn" => campaign["bundle"] = json!("123456789"),
        "list" => campaign["target"] = json!({ "domain": { "exclude_lists": ["l"] } }),
        "order" => campaign["budget_of"] = json!(id),
        "template" => *campaign = json!({ "cid": "c", "template": "base" }),
        _ => {}
    }
    if members.contains("budget_of") {
        document["orders"] = json!([{ "id": "io", "budget": { "daily": "5" } }]);
    }
    let object = at(document, path);
    let is_there = position == "target" && object.is_object();
    if !whole.is_null() && !is_there {
        *object = whole.clone();
    }
    if position == "flights" {
        *object = flights(members);
        return path;
    }
    let members: Map<String, Value> = serde_json::from_str(&format!("{{{}}}", expanded(members)))
        .unwrap_or_else(|error| panic!("{members}: {error}"));
    object.as_object_mut().unwrap().extend(members);
    path
}

/// What is wrong with a row, if anything is.
fn mismatch(row: &str) -> Option<String> {
    let (positions, rest) = row.split_once(" | ").unwrap_or_else(|| panic!("{row}"));
    let (members, expected) = rest.rsplit_once(" |").unwrap_or_else(|| panic!("{row}"));
    let mut document = right();
    let paths = positions
        .split('+')
        .zip(members.split(" ++ "))
        .map(|(position, members)| add(&mut document, position, members));
    let path = paths.last().unwrap();
    let inside = |path_found: &str| {
        path_found.strip_prefix(path).and_then(|rest| rest.strip_prefix('.')).unwrap_or(path_found).to_owned()
    };
    let found: Vec<(String, String)> =
        found(&document).into_iter().map(|one| (format!("{} {}", inside(&one.path), one.rule), one.message)).collect();
    let expected: Vec<&str> = expected.split(" + ").map(str::trim).filter(|one| !one.is_empty()).collect();
    let is_expected = |((found, message), expected): (&(String, String), &&str)| {
        let (head, part) = expected.split_once(": ").unwrap_or((expected, ""));
        found == head && message.contains(part)
    };
    let is_right = found.len() == expected.len() && found.iter().zip(&expected).all(is_expected);
    (!is_right).then(|| format!("{row}\n    {found:?}"))
}

#[test]
fn each_row_has_its_findings() {
    let rows = ROWS.replace(" \\\n    ", " ");
    let wrong: Vec<String> =
        rows.lines().filter(|row| !row.is_empty() && !row.starts_with('#')).filter_map(mismatch).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
