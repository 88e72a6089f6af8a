//! The rules that compare a native ad with the assets of a request.

use serde_json::Value;

use super::json::{at, flag, has, int, ints, list, text, texts};

/// Whether the ad lacks a required asset.
pub fn lacks_asset(ours: &Value, offer: &Value) -> bool {
    let request: Value = serde_json::from_str(text(offer, "request")).unwrap();
    let request = if has(&request, "native") { at(&request, "native") } else { &request };
    let required: Vec<Vec<String>> = list(request, "assets")
        .iter()
        .filter(|asset| flag(asset, "required"))
        .map(|asset| parts(ours, asset))
        .collect();
    !all_get_one(&required, &mut Vec::new())
}

/// Whether each of the lists can give a name that no other gives. Tries all ways.
fn all_get_one(lists: &[Vec<String>], used: &mut Vec<String>) -> bool {
    let Some((first, others)) = lists.split_first() else { return true };
    first.iter().any(|name| {
        if used.contains(name) {
            return false;
        }
        used.push(name.clone());
        let is_possible = all_get_one(others, used);
        used.pop();
        is_possible
    })
}

/// The names of the ad's parts that fit an asset.
fn parts(ours: &Value, asset: &Value) -> Vec<String> {
    let fits = |value: &str, of: &Value| int(of, "len").is_none_or(|most| length(value) <= most);
    let listed = |name: &str, fits: &dyn Fn(&Value) -> bool| {
        let all = list(ours, name).iter().enumerate().filter(|(_, part)| fits(part));
        all.map(|(position, _)| format!("{name} {position}")).collect()
    };
    let single = |name: &str, fits: bool| if fits { vec![name.to_owned()] } else { vec![] };
    if has(asset, "title") {
        single("title", fits(text(ours, "title"), at(asset, "title")))
    } else if has(asset, "img") {
        listed("img", &|img| image(img, at(asset, "img")))
    } else if has(asset, "video") {
        single("video", has(ours, "video") && video(at(ours, "video"), at(asset, "video")))
    } else {
        let wanted = at(asset, "data");
        listed("data", &|data| at(data, "type") == at(wanted, "type") && fits(text(data, "value"), wanted))
    }
}

/// The characters of a text; a macro counts as 32.
fn length(value: &str) -> i64 {
    let value = value.replace("{country}", &"x".repeat(32));
    i64::try_from(value.chars().count()).unwrap()
}

fn image(ours: &Value, wanted: &Value) -> bool {
    // `w` and `h` count only without `wmin` and `hmin`.
    let fits = |least: &str, side: &str| match (int(wanted, least).filter(|least| *least > 0), int(wanted, side)) {
        (Some(least), _) => int(ours, side).unwrap() >= least,
        (None, Some(exact)) => int(ours, side) == Some(exact),
        (None, None) => true,
    };
    let is_wanted = !has(wanted, "type") || at(ours, "type") == at(wanted, "type");
    is_wanted && fits("wmin", "w") && fits("hmin", "h")
}

fn video(ours: &Value, wanted: &Value) -> bool {
    let (seconds, protocols) = (int(ours, "dur").unwrap(), ints(wanted, "protocols"));
    // A native ad has no slots for companions.
    at(ours, "companion_required") != true
        && super::linear::files(ours).iter().any(|file| texts(wanted, "mimes").contains(&text(file, "mime")))
        && int(wanted, "minduration").is_none_or(|least| least <= seconds)
        && int(wanted, "maxduration").is_none_or(|most| seconds <= most)
        && (protocols.is_empty() || protocols.contains(&int(ours, "protocol").unwrap()))
}
