//! Whether a point is in a circle on the earth.

use catalog::Circle;
use openrtb::request::Point;

/// Metres of a millionth of a degree of latitude, times 2^20: the earth's mean radius is 6,371,009 m.
const METRES_PER_MICRODEGREE: i128 = 116_596;

/// Whether a point is in the circle. Calculates on a plane that touches the earth half-way between the point and the
/// centre: the error is at most one part in 1,000 for distances up to about 500 km. Integers give the same answer on
/// every machine.
pub(super) fn is_within(point: Point, circle: &Circle) -> bool {
    let centre = Point { lat: circle.lat, lon: circle.lon };
    let north = i128::from(point.lat - centre.lat);
    let mut east = i128::from(point.lon - centre.lon).abs();
    // The shorter way around the earth.
    east = east.min(360_000_000 - east);
    let shrink = i128::from(cosine(i64::midpoint(point.lat, centre.lat)));
    let east = (east * shrink) >> 30;
    let squared_microdegrees = north * north + east * east;
    let reach = (i128::from(circle.metres) << 20) / METRES_PER_MICRODEGREE;
    squared_microdegrees <= reach * reach
}

/// The cosine times 2^30 of an angle in millionths of a degree (−90° to 90°), with an error of about 1 in 10^6: the
/// Taylor series to the tenth power.
fn cosine(microdegrees: i64) -> i64 {
    // π / 180 × 10⁻⁶ × 2^30 × 2^20 = 19,650,660.
    const RADIANS: i128 = 19_650_660;
    let x = (i128::from(microdegrees) * RADIANS) >> 20;
    let x2 = (x * x) >> 30;
    let mut sum = 1_i128 << 30;
    let mut term = sum;
    for n in [2, 12, 30, 56, 90] {
        term = -((term * x2) >> 30) / n;
        sum += term;
    }
    i64::try_from(sum.max(0)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(lat: f64, lon: f64) -> Point {
        #[allow(clippy::cast_possible_truncation)]
        let micro = |degrees: f64| (degrees * 1e6).round() as i64;
        Point { lat: micro(lat), lon: micro(lon) }
    }

    /// The great-circle distance in metres.
    fn haversine(a: Point, b: Point) -> f64 {
        #[allow(clippy::cast_precision_loss)]
        let radians = |micro: i64| (micro as f64 / 1e6).to_radians();
        let (lat, lon) = (radians(b.lat - a.lat), radians(b.lon - a.lon));
        let h = (lat / 2.0).sin().powi(2) + radians(a.lat).cos() * radians(b.lat).cos() * (lon / 2.0).sin().powi(2);
        2.0 * 6_371_009.0 * h.sqrt().asin()
    }

    #[test]
    fn the_distance_is_that_of_the_great_circle() {
        for (a, b) in [
            (point(52.52, 13.405), point(52.3906, 13.0645)),
            (point(40.7128, -74.006), point(40.6, -73.8)),
            (point(-33.8688, 151.2093), point(-33.0, 150.0)),
            (point(0.0, 179.9), point(0.2, -179.9)),
            (point(69.65, 18.96), point(69.0, 20.0)),
            (point(51.5, 0.0), point(48.85, 2.35)),
        ] {
            let metres = haversine(a, b);
            #[allow(clippy::cast_possible_truncation)]
            let circle = |share: f64| Circle { lat: a.lat, lon: a.lon, metres: (metres * share) as i64 };
            assert!(is_within(b, &circle(1.002)), "{a:?} {b:?} {metres}");
            assert!(!is_within(b, &circle(0.998)), "{a:?} {b:?} {metres}");
        }
    }

    #[test]
    fn the_cosine_has_an_error_below_two_millionths() {
        for degrees in 0..=90 {
            let exact = f64::from(degrees).to_radians().cos();
            #[allow(clippy::cast_precision_loss)]
            let ours = cosine(i64::from(degrees) * 1_000_000) as f64 / f64::from(1 << 30);
            assert!((exact - ours).abs() < 2e-6, "{degrees}: {exact} {ours}");
        }
    }
}
