//! What each campaign could buy, from the compiled rules: the values that its targeting includes, its channels, media
//! types, sizes of banners, deals and SSPs. `edgebid shape` makes descriptions for exchanges of it.
//!
//! Only conditions that a campaign cannot bid without are written. What excludes, and what only an impression, a person
//! or a time decides, is left out, so the result lets too much through and never too little.

use base::json::Object;
use catalog::{Catalog, Media, Rule, Shape, Side};
use reasons::kind::{Kind, kind_of};
use reasons::no_bid::NoBidReason;

use compiler::name_of;

/// Writes the campaigns of a catalog, each on a line of its own, after a line for the catalog:
///
/// ```text
/// {"ssps":[ids],"lists":[{dimension:[values]}]}
/// {"cid","ssps":[ids],"paused","ends":ms,"open","deals":[ids],"media":[…],"sizes":["320x50"],
///  "include":{dimension:[values]},"include_lists":{dimension:[numbers of lists]}}
/// ```
///
/// An attribute is left out if it restricts nothing. `sizes` are those of the fixed banners, and left out if a banner is
/// flexible. If a campaign has several rules with values of one dimension, the first one is written.
pub fn write(catalog: &Catalog<'_>, out: &mut String) {
    let parts = catalog.parts();
    let ssps: Vec<&str> = parts.ssps().iter().map(|ssp| ssp.id()).collect();
    let lists: Vec<_> = parts.lists().iter().collect();
    let index = parts.index().values();
    let mut object = Object::begin(out);
    object.texts("ssps", &ssps);
    object.objects("lists", &lists, |entry, list| {
        for own in list.uses().iter() {
            let postings = own.values().iter().filter_map(|position| index.get(position as usize));
            let values: Vec<_> = postings.map(|own| String::from_utf8_lossy(own.parts().0)).collect();
            entry.texts(name_of(NoBidReason::of_number(own.number()).unwrap_or(NoBidReason::NoCampaign)), &values);
        }
    });
    object.end();
    for campaign in parts.campaigns().iter() {
        out.push('\n');
        let mut object = Object::begin(out);
        object.string("cid", campaign.cid());
        let own: Vec<&str> = campaign.ssps().iter().filter_map(|ssp| ssps.get(ssp as usize).copied()).collect();
        object.texts("ssps", &own);
        if let Some(bounds) = campaign.bounds().get(0) {
            object.flag("paused", bounds.paused());
            object.maybe("ends", bounds.flights().iter().map(|(_, end)| end).max());
        }
        object.flag("open", campaign.open());
        object.texts("deals", &campaign.deals().iter().collect::<Vec<_>>());
        let media: Vec<Media<'_>> = parts.creatives_of(&campaign).map(|creative| creative.media()).collect();
        let has = |mtype: usize| media.iter().any(|ad| usize::from(ad.mtype()) == mtype);
        let types = ["banner", "video", "audio", "native"].into_iter().enumerate();
        object.texts("media", &types.filter(|(at, _)| has(at + 1)).map(|(_, name)| name).collect::<Vec<_>>());
        object.texts("sizes", &sizes(&media).unwrap_or_default());
        let all = [campaign.request_rules(), campaign.imp_rules(), campaign.spot_rules()];
        let rules: Vec<Rule<'_>> = all.iter().flat_map(|rules| rules.iter()).collect();
        let included = || rules.iter().filter(|rule| rule.side() == Side::Include);
        object.object("include", |entry| {
            for (name, rule) in firsts(included()) {
                entry.texts(name, &rule.values().map(|(value, _)| value).collect::<Vec<_>>());
            }
        });
        object.object("include_lists", |entry| {
            for (name, rule) in firsts(included()) {
                entry.numbers(name, &rule.lists().map(|(number, _)| i64::from(number)).collect::<Vec<_>>());
            }
        });
        object.end();
    }
}

/// The first rule of each dimension whose values are single texts, with the dimension's name.
fn firsts<'r, 's: 'r>(rules: impl Iterator<Item = &'r Rule<'s>>) -> impl Iterator<Item = (&'static str, &'r Rule<'s>)> {
    let mut seen = Vec::new();
    let has_texts = |kind: Kind| !kind.is_pair() && kind != Kind::Address;
    rules.filter(move |rule| kind_of(rule.reason()).is_some_and(has_texts)).filter_map(move |rule| {
        let is_new = !seen.contains(&rule.reason());
        seen.push(rule.reason());
        is_new.then(|| (name_of(rule.reason()), rule))
    })
}

/// The sizes of the banners; `None` if one of them is flexible.
fn sizes(media: &[Media<'_>]) -> Option<Vec<String>> {
    let banners = media.iter().filter_map(|ad| if let Media::Banner(ad) = ad { Some(ad.shape()) } else { None });
    let mut all = banners.map(|shape| match shape {
        Shape::Fixed { w, h } => Some(format!("{w}x{h}")),
        Shape::Ratio { .. } => None,
    });
    all.try_fold(Vec::new(), |mut sizes, size| {
        let size = size?;
        if !sizes.contains(&size) {
            sizes.push(size);
        }
        Some(sizes)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use compiler::compile;
    use serde_json::{Value, json};

    /// The lines about a catalog with these campaigns and creatives.
    fn lines(campaigns: &[Value], creatives: &Value) -> Vec<Value> {
        let common = json!({"seat": "s", "adomain": ["x.example"], "max_cpm": "1", "creatives": ["b"]});
        let campaigns = campaigns.iter().map(|own| {
            let mut campaign = common.clone();
            campaign.as_object_mut().unwrap().extend(own.as_object().unwrap().clone());
            campaign
        });
        let document = json!({"format": 1, "ssps": [{"id": "a"}, {"id": "b"}], "creatives": creatives,
            "lists": [{"id": "news", "values": ["News.example", "www.b.example"]}],
            "campaigns": campaigns.collect::<Vec<_>>()});
        let snapshot = compile(document.to_string().as_bytes(), &[]).unwrap().snapshot;
        let mut out = String::new();
        write(&snapshot.catalog(), &mut out);
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn what_a_campaign_cannot_bid_without_is_written_and_nothing_else() {
        let banner = json!([{"crid": "b", "banner": {"w": 320, "h": 50, "adm": "<b>"}}]);
        let target = json!({"country": {"include": ["usa"]}, "domain": {"include_lists": ["news"]},
            "region": {"exclude": ["x"]}, "channel": ["app"], "pos": {"include": [1]}});
        let narrow = json!({"cid": "narrow", "ssps": ["b"], "deals": ["d"], "open": false, "paused": true,
            "end": "2026-12-01T00:00Z", "target": target});
        assert_eq!(
            lines(&[narrow, json!({"cid": "open"})], &banner),
            [
                json!({"ssps": ["a", "b"], "lists": [{"domain": ["b.example", "news.example"]}]}),
                json!({"cid": "narrow", "ssps": ["b"], "paused": true, "ends": 1_796_083_200_000_i64, "deals": ["d"],
                    "media": ["banner"], "sizes": ["320x50"],
                    "include": {"channel": ["2"], "country": ["usa"], "pos": ["1"]},
                    "include_lists": {"domain": [0]}}),
                json!({"cid": "open", "open": true, "media": ["banner"], "sizes": ["320x50"], "include": {},
                    "include_lists": {}}),
            ]
        );
    }

    #[test]
    fn a_flexible_banner_fits_any_size() {
        let creatives = json!([{"crid": "b", "banner": {"w": 320, "h": 50, "adm": "<b>"}},
            {"crid": "f", "banner": {"wratio": 16, "hratio": 9, "wmin": 300, "adm": "<b>"}}]);
        let campaign = json!({"cid": "c", "creatives": ["b", "f"]});
        assert_eq!(lines(&[campaign], &creatives)[1].get("sizes"), None);
    }
}
