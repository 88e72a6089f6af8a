//! Which categories are above others. Content Taxonomy 1.0 says it in its codes. For the later taxonomies, the files in
//! `taxonomies` have what the files of IAB Tech Lab say
//! (<https://github.com/InteractiveAdvertisingBureau/Taxonomies> of 2025-08-12, CC BY 3.0): a line `parent: child
//! first-last` for each category with others below it.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

use base::category::{ABOVE, key, parent};
use catalog::{CampaignDraft, ConditionDraft};
use document::ListEntry;
use reasons::no_bid::NoBidReason;

/// The values of `cattax`, and their table. Of several versions, the last one has all categories.
const TABLES: [(&[i64], &str); 5] = [
    (&[2, 5, 6], include_str!("taxonomies/content-2.txt")),
    (&[3], include_str!("taxonomies/product-1.txt")),
    (&[4], include_str!("taxonomies/audience-1.txt")),
    (&[7, 9], include_str!("taxonomies/content-3.txt")),
    (&[8], include_str!("taxonomies/product-2.txt")),
];

/// The parents of categories, which are in lower case.
type Parents = HashMap<String, &'static str>;

/// The parents in each table.
static PARENTS: LazyLock<Vec<Parents>> = LazyLock::new(|| TABLES.iter().map(|(_, table)| parents(table)).collect());

/// A category and those above it, as a snapshot has them: see [`base::category`].
pub(super) fn path(cattax: i64, cat: &str) -> String {
    above(cattax, cat).iter().fold(cat.to_owned(), |path, above| format!("{path}{ABOVE}{above}"))
}

/// For each category below one of a target, its key and the one of the target. The targets stay as they were written, so a
/// decision looks up what is above the categories of a request.
pub(super) fn below_targets(
    campaigns: &[CampaignDraft],
    conditions: &[ConditionDraft],
    lists: &[ListEntry],
) -> Vec<(u64, String)> {
    let rules = campaigns.iter().map(|one| &one.request_rules).chain(conditions.iter().map(|one| &one.request_rules));
    let mut targeted = HashSet::new();
    for rule in rules.flatten().filter(|rule| rule.reason() == NoBidReason::Cat) {
        let of_list = |(position, cattax)| {
            let values = lists.get(position as usize).map_or(&[][..], |list| &list.values);
            values.iter().map(move |cat| (cat.as_str(), cattax))
        };
        for (cat, cattax) in rule.values().chain(rule.lists().flat_map(of_list)) {
            targeted.extend(cattax.parse().map(|cattax: i64| (cattax, cat.to_ascii_lowercase())));
        }
    }
    let taxonomies: BTreeSet<i64> = targeted.iter().map(|(cattax, _)| *cattax).collect();
    let mut below = Vec::new();
    for cattax in taxonomies {
        for child in table(cattax).into_iter().flat_map(Parents::keys) {
            let wanted = above(cattax, child).into_iter().map(str::to_ascii_lowercase);
            let wanted = wanted.filter(|above| targeted.contains(&(cattax, above.clone())));
            below.extend(wanted.map(|above| (key(child, cattax), above)));
        }
    }
    below.sort_unstable();
    below
}

/// The categories above this one, the nearest first. Of a category that no table has, its code shows the parent.
fn above(cattax: i64, cat: &str) -> Vec<&str> {
    let next = |cat: &&str| table(cattax)?.get(&cat.to_ascii_lowercase()).copied();
    let shown = Some(parent(cat)).filter(|parent| parent.len() < cat.len());
    std::iter::successors(next(&cat).or(shown), next).collect()
}

fn table(cattax: i64) -> Option<&'static Parents> {
    TABLES.iter().position(|(numbers, _)| numbers.contains(&cattax)).and_then(|table| PARENTS.get(table))
}

fn parents(table: &'static str) -> Parents {
    let lines = table.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(": "));
    let children = lines.flat_map(|(parent, children)| children.split(' ').map(move |child| (parent, child)));
    let all = children.flat_map(|(parent, child)| {
        let (first, last) = child.split_once('-').unwrap_or((child, child));
        let codes = match (first.parse::<u32>(), last.parse()) {
            (Ok(first), Ok(last)) => (first..=last).map(|code| code.to_string()).collect(),
            _ => vec![child.to_ascii_lowercase()],
        };
        codes.into_iter().map(move |code| (code, parent))
    });
    all.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Children and all above them, from the files of IAB Tech Lab, and how many categories have a parent.
    #[test]
    fn each_taxonomy_has_its_parents() {
        for (taxonomies, count, pairs) in [
            (&[2, 5][..], 1159, &["3 2 1", "42", "483", "484 483", "552 552"][..4]),
            (&[6], 1159, &["3 2 1", "Rm3SiT v9i3On", "rM3sIt v9i3On"]),
            (&[3], 830, &["2 1", "10 1", "31 30 27", "80DV7O 1"][..3]),
            (&[4], 1555, &["3 2 1", "17 16 1"]),
            (&[7, 9], 667, &["3 2 1", "484 483", "497 496 483", "376 371 SPSHQ5", "1KXCLD JLBCU7"][..4]),
            (&[8], 538, &["1003 1002", "1037 1036 1010", "1000"]),
        ] {
            for cattax in taxonomies {
                assert_eq!(table(*cattax).unwrap().len(), count, "{cattax}");
                for pair in pairs {
                    let mut codes = pair.split(' ');
                    let above = above(*cattax, codes.next().unwrap());
                    assert_eq!(above, codes.collect::<Vec<&str>>(), "{cattax} {pair}");
                }
            }
        }
        assert_eq!(path(7, "484"), format!("484{ABOVE}483"));
        for (cattax, cat, expected) in [
            (1, "IAB7-39", &["IAB7"][..]),
            (1, "484", &[]),
            (500, "a-1", &["a"]),
            (7, "x", &[]),
            (6, "IAB7-39", &["IAB7"]),
        ] {
            assert_eq!(above(cattax, cat), expected, "{cattax} {cat}");
        }
    }

    #[test]
    fn no_category_is_above_itself() {
        for (taxonomies, _) in TABLES {
            for cat in table(taxonomies[0]).unwrap().keys() {
                let mut above = vec![cat.as_str()];
                while let Some(next) = table(taxonomies[0]).unwrap().get(&above[above.len() - 1].to_ascii_lowercase()) {
                    assert!(!above.contains(next) && above.len() < 8, "{taxonomies:?} {above:?}");
                    above.push(next);
                }
            }
        }
    }
}
