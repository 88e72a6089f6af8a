//! Finds entries of the document by their ids, for attributes that name them.

use std::collections::HashMap;

use super::check;
use crate::decode::{Finding, Rule};

/// The ids of the entries of a list.
pub(super) struct Names<'a> {
    places: HashMap<&'a str, u32>,
    /// The ids in the order of the document.
    names: Vec<&'a str>,
}

impl<'a> Names<'a> {
    pub(super) fn of(names: impl Iterator<Item = Option<&'a str>> + Clone) -> Names<'a> {
        let places = names.clone().zip(0..).filter_map(|(name, place)| Some((name?, place))).collect();
        Names { places, names: names.flatten().collect() }
    }

    /// The places of the named entries. Adds a finding under `path` for each unknown name.
    pub(super) fn places<'n>(
        &self,
        names: impl Iterator<Item = &'n str>,
        path: &str,
        expected: &str,
        findings: &mut Vec<Finding>,
    ) -> Vec<u32> {
        let place = |(i, name): (usize, &str)| {
            let place = self.places.get(name).copied();
            if place.is_none() {
                let suggestion = check::suggestion(name, self.names.iter().copied(), expected, findings);
                let message = format!("{name:?} does not exist; {suggestion}");
                findings.push(Finding::new(format!("{path}[{i}]"), Rule::Unknown, message));
            }
            place
        };
        names.enumerate().filter_map(place).collect()
    }
}
