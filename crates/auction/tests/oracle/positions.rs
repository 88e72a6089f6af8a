//! Attributes that a request may have in two positions.

use serde_json::{Value, json};

use super::json::{at, flag, has, list, merge, text};
use super::targeting::is_id;

/// The structured user agent of `OpenRTB` 2.6, completed by the one at the position of 2.5.
pub fn sua(device: &Value) -> Value {
    first_told(at(device, "sua"), at(device, "ext/sua"))
}

/// The location of the device, or that of the person if the device has none. The person's country counts if nothing
/// else says one.
pub fn geo(request: &Value) -> Value {
    let (device, home) = (told(at(request, "device/geo")), told(at(request, "user/geo")));
    let has_position = device.as_object().is_some_and(|device| device.keys().any(|key| key != "utcoffset"));
    let mut geo = if has_position { device.clone() } else { first_told(&device, &home) };
    if text(&device, "country").is_empty() && !text(&home, "country").is_empty() {
        geo["country"] = at(&home, "country").clone();
    }
    geo
}

/// The sellers of both positions: `null` without a chain. An older state of the chain, from its beginning, adds
/// nothing.
pub fn chain(request: &Value) -> Value {
    let chains = [at(request, "source/schain"), at(request, "source/ext/schain")];
    let with_nodes: Vec<&Value> = chains.into_iter().filter(|chain| !list(chain, "nodes").is_empty()).collect();
    match with_nodes[..] {
        [one, other] => {
            let (one_nodes, others) = (list(one, "nodes"), list(other, "nodes"));
            let nodes = match (one_nodes.starts_with(others), others.starts_with(one_nodes)) {
                (true, _) => one_nodes.to_vec(),
                (_, true) => others.to_vec(),
                _ => [one_nodes, others].concat(),
            };
            json!({"complete": i64::from(flag(one, "complete") && flag(other, "complete")), "nodes": nodes})
        }
        [one] => one.clone(),
        _ => chains.into_iter().rfind(|chain| !chain.is_null()).cloned().unwrap_or_default(),
    }
}

/// The extended ids of both positions that have an id.
pub fn eids(user: &Value) -> impl Iterator<Item = &Value> {
    let both = list(user, "eids").iter().chain(list(user, "ext/eids"));
    both.filter(|eid| list(eid, "uids").iter().any(|uid| is_id(text(uid, "id"))))
}

/// Site, app or DOOH: the first that tells something.
pub fn channel(request: &Value) -> (&'static str, &Value) {
    let all = ["site", "app", "dooh"].into_iter().filter(|name| has(request, name));
    let tells = |name: &&str| *at(request, name) != json!({});
    let name = all.clone().find(tells).or(all.clone().next());
    name.map_or(("", &Value::Null), |name| (name, at(request, name)))
}

fn first_told(first: &Value, second: &Value) -> Value {
    let mut both = second.clone();
    if !first.is_object() {
        return both;
    }
    merge(&mut both, told(first));
    both
}

/// The value without what says nothing.
fn told(value: &Value) -> Value {
    let Some(members) = value.as_object() else { return value.clone() };
    let says = |value: &Value| ![json!(""), json!([]), Value::Null].contains(value);
    members.iter().filter(|(_, value)| says(value)).map(|(key, value)| (key.clone(), told(value))).collect()
}
