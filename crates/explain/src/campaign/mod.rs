//! Describes a campaign of a compiled catalog in sentences: where and when it bids, what it pays, shows and may spend.
//!
//! [`SECTIONS`] is the table: a new attribute of campaigns adds a sentence to one of its functions. Targeting needs
//! nothing more, because each dimension has a sentence by its kind.

mod described;
mod shows;
mod target;
mod terms;

use super::words::list;
use base::json::Object;
use catalog::Catalog;
use described::Described;
pub(super) use terms::condition_of;

/// The name of a section, and its sentences.
type Section = (&'static str, fn(&Described<'_>) -> Vec<String>);

/// The sections, in the order in which they are shown. A section without sentences is left out.
const SECTIONS: &[Section] = &[
    ("advertises", terms::advertises),
    ("buys from", terms::buys_from),
    ("bids where", target::locations),
    ("bids when", terms::times),
    ("pays", terms::pays),
    ("may spend", terms::budget),
    ("is seen", terms::caps),
    ("shows", shows::creatives),
];

/// Appends `{"cid","sections":[{"about","sentences":[…]}]}`. An error says that the catalog has no such campaign.
pub fn describe(cid: &str, catalog: &Catalog<'_>, out: &mut String) -> Result<(), String> {
    let campaigns = catalog.parts().campaigns();
    let Some((position, campaign)) = campaigns.iter().enumerate().find(|(_, campaign)| campaign.cid() == cid) else {
        return Err(unknown(cid, catalog));
    };
    let described = Described { catalog, campaign, position };
    let sections = SECTIONS.iter().map(|(about, sentences)| (*about, sentences(&described)));
    let sections: Vec<(&str, Vec<String>)> = sections.filter(|(_, sentences)| !sentences.is_empty()).collect();
    let mut report = Object::begin(out);
    report.string("cid", cid);
    report.objects("sections", &sections, |section, (about, sentences)| {
        section.string("about", about);
        section.texts("sentences", sentences);
    });
    report.end();
    Ok(())
}

/// Says that the catalog has no such campaign, and which one may be meant.
pub(super) fn unknown(cid: &str, catalog: &Catalog<'_>) -> String {
    let cids = || catalog.parts().campaigns().iter().map(|campaign| campaign.cid());
    let hint = document::decode::nearest(cid, cids())
        .map_or_else(|| format!("it has {}", list(cids())), |nearest| format!("did you mean {nearest}?"));
    format!("the catalog has no campaign {cid}; {hint}")
}

#[cfg(test)]
mod tests;
