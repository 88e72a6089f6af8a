//! Adds to the index the values of lists that several campaigns share.

use super::Builder;
use base::domain;
use catalog::{ListUseDraft, SharedListDraft};
use document::ListEntry;
use flat::Wide;
use reasons::no_bid::NoBidReason as R;

impl Builder {
    /// Adds the values of the lists that rules name. Returns the lists with the positions of their values.
    pub(super) fn shared(&mut self, lists: &[ListEntry]) -> Vec<SharedListDraft> {
        let uses: Vec<_> = self.lists.keys().cloned().collect();
        for ((number, reason, second), place) in uses.iter().zip(0..) {
            for text in lists.get(*number as usize).map(|entry| entry.values.as_slice()).unwrap_or_default() {
                let text = if *reason == R::Domain { domain::strip_www(text) } else { text };
                let own = &mut self.value(*reason, text.as_bytes(), second.as_bytes()).lists;
                if own.last() != Some(&place) {
                    own.push(place);
                }
            }
        }
        let mut positions = vec![Vec::new(); uses.len()];
        for (sides, position) in self.values.values().zip(0..) {
            for place in &sides.lists {
                positions.get_mut(*place as usize).into_iter().for_each(|own: &mut Vec<u32>| own.push(position));
            }
        }
        let with_values = |(number, entry): (u32, &ListEntry)| SharedListDraft {
            id: entry.id.clone(),
            count: u32::try_from(entry.values.len()).unwrap_or(u32::MAX),
            uses: uses
                .iter()
                .zip(&positions)
                .filter(|((own, ..), _)| *own == number)
                .map(|((_, reason, second), positions)| ListUseDraft {
                    number: reason.number(),
                    second: second.clone(),
                    values: Wide(positions.clone()),
                })
                .collect(),
        };
        (0..).zip(lists).map(with_values).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{compiled, right};
    use serde_json::{Value, json};

    /// The bytes of a catalog in which so many campaigns exclude a list of so many domains.
    fn bytes(values: usize, campaigns: usize) -> usize {
        let mut document = right();
        let values: Vec<String> = (0..values).map(|n| format!("site-{n}.example")).collect();
        document["lists"] = json!([{ "id": "l", "values": values }]);
        let campaign = |n| {
            let mut campaign = right()["campaigns"][0].take();
            campaign["cid"] = Value::from(format!("c{n}"));
            campaign["target"] = json!({ "domain": { "exclude_lists": ["l"] } });
            campaign
        };
        document["campaigns"] = (0..campaigns).map(campaign).collect();
        compiled(&document).unwrap().snapshot.as_bytes().len()
    }

    #[test]
    fn a_value_takes_as_many_bytes_with_a_hundred_campaigns_as_with_one() {
        let of_values = |campaigns| bytes(1000, campaigns) - bytes(500, campaigns);
        assert_eq!(of_values(1), of_values(100));
        assert!(of_values(1) < 500 * 80, "{}", of_values(1));
    }
}
