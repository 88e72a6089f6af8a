//! What a name that nobody knows may have meant.

/// Most letters that a name may be off by.
const MOST: usize = 2;

/// The first of the names that are closest to `name`, where one is close enough to have been meant.
pub(crate) fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let close = names.filter_map(|known| Some((distance(name, known)?, known)));
    let (distance, known) = close.min_by_key(|(distance, _)| *distance)?;
    (distance < name.len()).then_some(known)
}

/// Levenshtein distance in bytes, where it is no more than [`MOST`].
fn distance(a: &str, b: &str) -> Option<usize> {
    if a.len().abs_diff(b.len()) > MOST {
        return None;
    }
    // Distances from the part of `a` so far to every beginning of `b` but the empty one.
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
        // It only grows from here: most names are done with after a few letters.
        if least > MOST {
            return None;
        }
    }
    row.last().copied().or(Some(a.len())).filter(|distance| *distance <= MOST)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn close_names_are_meant() {
        for (name, names, meant) in [
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
            assert_eq!(nearest(name, names.iter().copied()), meant, "{name} of {names:?}");
        }
    }
}
