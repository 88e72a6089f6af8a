//! Finds the known name that is most similar to an unknown one.

/// The highest distance between similar names.
const MAX_DISTANCE: usize = 2;

/// The first of the most similar names. `None` if no name is similar enough.
pub fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let close = names.filter_map(|known| Some((distance(name, known)?, known)));
    let (distance, known) = close.min_by_key(|(distance, _)| *distance)?;
    (distance < name.len()).then_some(known)
}

/// The Levenshtein distance in bytes, if it is at most `MAX_DISTANCE`.
pub fn distance(a: &str, b: &str) -> Option<usize> {
    if a.len().abs_diff(b.len()) > MAX_DISTANCE {
        return None;
    }
    // Distances between the part of `a` that was read and every prefix of `b` except the empty one.
    let mut row: Vec<usize> = (1..=b.len()).collect();
    for (index, from) in a.bytes().enumerate() {
        let (mut diagonal, mut left) = (index, index + 1);
        let mut least = left;
        for (cell, to) in row.iter_mut().zip(b.bytes()) {
            let above = *cell;
            left = (diagonal + usize::from(from != to)).min(above + 1).min(left + 1);
            *cell = left;
            diagonal = above;
            least = least.min(left);
        }
        // The distance cannot become smaller, so most names are refused after a few letters.
        if least > MAX_DISTANCE {
            return None;
        }
    }
    row.last().copied().or(Some(a.len())).filter(|distance| *distance <= MAX_DISTANCE)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_most_similar_name_is_found() {
        for (name, names, expected) in [
            ("velo-300x520", &["velo-728x90", "velo-300x250"][..], Some("velo-300x250")),
            ("suoth", &["north", "south"], Some("south")),
            ("nort", &["nor", "north"], Some("nor")),
            ("a", &["ab", "b", ""], None),
            ("ab", &["ba", "abc"], Some("abc")),
            ("", &["a"], None),
            ("abc", &[""], None),
            ("south", &["north-west", "east"], None),
            ("south", &[], None),
        ] {
            assert_eq!(nearest(name, names.iter().copied()), expected, "{name} of {names:?}");
        }
    }
}
