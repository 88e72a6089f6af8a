//! Compares versions such as `17.5.1`.

use core::cmp::Ordering;

/// Compares only as many parts as `bound` has: 17.5 equals 17. Missing parts of the version are 0.
/// `None` if the version is unknown or a part is not a number.
pub(super) fn compare<'a>(mut version: impl Iterator<Item = &'a str>, bound: &str) -> Option<Ordering> {
    let mut part = Some(version.next()?);
    for wanted in bound.split('.') {
        let has: u64 = part.unwrap_or("0").parse().ok()?;
        match has.cmp(&wanted.parse().ok()?) {
            Ordering::Equal => {}
            other => return Some(other),
        }
        part = version.next();
    }
    Some(Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_parts_of_the_bound_are_compared() {
        for (version, bound, order) in [
            ("17.5", "17", Some(Ordering::Equal)),
            ("17", "17.0", Some(Ordering::Equal)),
            ("17", "17.1", Some(Ordering::Less)),
            ("9.3", "10", Some(Ordering::Less)),
            ("10.15.7", "10.15.6", Some(Ordering::Greater)),
            ("unknown", "10", None),
            ("", "10", None),
        ] {
            let parts = version.split('.').filter(|part| !part.is_empty());
            assert_eq!(compare(parts, bound), order, "{version} {bound}");
        }
    }
}
