//! What entries of a document may refer to.

use super::targets::hours::Zone;
use base::limits::MAX_DATA_PATHS;
use base::money::Rates;
use document::Document;
use document::check::Names;

/// The parts of a document that a campaign may refer to by name.
pub(crate) struct References<'a> {
    pub(crate) rates: &'a Rates,
    pub(crate) ssps: Names<'a>,
    pub(crate) crids: Names<'a>,
    pub(crate) lists: Names<'a>,
    pub(crate) zones: &'a [Zone],
    /// The paths of first-party data that targets name, each once.
    pub(crate) paths: Vec<&'a str>,
}

impl<'a> References<'a> {
    pub(crate) fn of(document: &'a Document, rates: &'a Rates, zones: &'a [Zone]) -> References<'a> {
        References {
            rates,
            ssps: Names::of(&document.ssps, |entry| &entry.id, "an id in ssps"),
            crids: Names::of(&document.creatives, |entry| &entry.crid, "a crid in creatives"),
            lists: Names::of(&document.lists, |entry| &entry.id, "an id in lists"),
            zones,
            paths: paths(document),
        }
    }
}

fn paths(document: &Document) -> Vec<&str> {
    let mut paths = Vec::new();
    for campaign in &document.campaigns {
        let conditions = campaign.bids.iter().filter_map(|bid| bid.when.as_ref());
        let rules = campaign.target.iter().chain(conditions).flat_map(|target| &target.data);
        for path in rules.filter_map(|rule| rule.path.as_deref()) {
            // One path too many is enough for the error.
            if paths.len() <= MAX_DATA_PATHS && !paths.contains(&path) {
                paths.push(path);
            }
        }
    }
    paths
}
