//! Circles on the globe. Generated points are far from the edge of every circle, so plain trigonometry is exact enough.

use serde_json::Value;

use super::json::{at, list, text};
use super::targeting::excludes_unknown;

const EARTH_METRES: f64 = 6_371_008.8;

/// Whether a location is in an included circle, if the rule has any, and in no excluded one.
pub fn within(rule: &Value, geo: &Value) -> bool {
    let point = at(geo, "lat").as_f64().zip(at(geo, "lon").as_f64());
    let inside = |circle: &Value| point.is_some_and(|point| distance(point, centre(circle)) <= radius(circle));
    let (include, exclude) = (list(rule, "include"), list(rule, "exclude"));
    (include.is_empty() || include.iter().any(inside))
        && !exclude.iter().any(inside)
        && (point.is_some() || !excludes_unknown(rule))
}

fn centre(circle: &Value) -> (f64, f64) {
    (text(circle, "lat").parse().unwrap(), text(circle, "lon").parse().unwrap())
}

fn radius(circle: &Value) -> f64 {
    at(circle, "metres").as_f64().unwrap()
}

/// Metres along the surface, by the haversine formula.
fn distance(from: (f64, f64), to: (f64, f64)) -> f64 {
    let half = |a: f64, b: f64| ((a - b).to_radians() / 2.0).sin().powi(2);
    let chord = half(from.0, to.0) + from.0.to_radians().cos() * to.0.to_radians().cos() * half(from.1, to.1);
    2.0 * EARTH_METRES * chord.sqrt().min(1.0).asin()
}
