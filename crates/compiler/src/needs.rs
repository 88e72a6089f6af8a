//! Computes which parts of a request the campaigns of a catalog need. The reader skips all other parts.
//!
//! `crates/auction/tests/all/needs.rs` checks that decisions stay the same.

use super::own_values::{OwnValues, Values};
use super::{campaigns::showing, targets::hours};
use catalog::{BoundsDraft, CampaignDraft, ConditionDraft, CreativeDraft, IncludeExclude, MediaDraft, RuleDraft, Side};
use document::choices::CapPerson;
use openrtb::read::{Needs, spec};
use openrtb::request::SEGTAX;
use reasons::kind::{Dimension, Kind, kind_of};

/// The parts that at least one campaign needs, and those that the values of macros need. `conditions` are those of the
/// campaigns' multipliers, `paths` those of first-party data.
pub(super) fn of(
    campaigns: &[CampaignDraft],
    conditions: &[ConditionDraft],
    (creatives, values): (&[CreativeDraft], &Values),
    paths: &[&str],
    (cap_person, of_macros): (CapPerson, Needs),
) -> Needs {
    let mut needs = of_macros;
    // The ids of the person.
    let has_caps = showing::has_caps(campaigns, creatives);
    needs.device |= has_caps;
    needs.eids |= has_caps;
    needs.address |= has_caps && cap_person == CapPerson::Household;
    for campaign in campaigns {
        // What tells places apart: see `shading::Spot`.
        let is_learned = campaign.bounds.iter().flat_map(|bounds| &bounds.prices).any(|prices| prices.learned);
        needs.device |= is_learned;
        needs.channel |= is_learned;
        needs.deals |= !campaign.deals.is_empty();
        for creative in campaign.creatives.iter().filter_map(|place| creatives.get(*place as usize)) {
            match creative.media {
                MediaDraft::Banner(_) => needs.banner = true,
                MediaDraft::Video(_) => needs.video = true,
                MediaDraft::Audio(_) => needs.audio = true,
                MediaDraft::Native(_) => needs.native = true,
            }
        }
        let paths = values.shown(campaign).into_iter().flat_map(OwnValues::paths);
        paths.for_each(|path| spec::add_needs(path, &mut needs));
        add_rules(&mut needs, [&campaign.request_rules, &campaign.imp_rules, &campaign.spot_rules]);
        campaign.bounds.iter().for_each(|bounds| add_bounds(&mut needs, bounds));
    }
    for condition in conditions {
        add_rules(&mut needs, [&condition.request_rules, &condition.imp_rules, &condition.spot_rules]);
        condition.bounds.iter().for_each(|bounds| add_bounds(&mut needs, bounds));
    }
    needs.first_party |= paths.iter().any(|path| !path.starts_with("imp."));
    needs.place |= needs.channel || paths.iter().any(|path| !path.starts_with("imp.") && !path.starts_with("user."));
    needs.country |= needs.geo;
    needs
}

fn add_rules(needs: &mut Needs, rules: [&Vec<RuleDraft>; 3]) {
    let rules = rules.into_iter().flatten();
    // A provider or a taxonomy tells a segment.
    let is_in_taxonomy = |rule: &RuleDraft| rule.values().any(|(provider, _)| provider.contains(SEGTAX));
    let mut of_segments = rules.clone().filter(|rule| kind_of(rule.reason()) == Some(Kind::Segment));
    needs.data_ext |= of_segments.any(|rule| rule.side() == Side::Known || is_in_taxonomy(rule));
    let dimensions = rules.filter_map(|rule| Dimension::of(rule.reason()));
    dimensions.flat_map(|dimension| dimension.paths).for_each(|path| spec::add_needs(path, needs));
}

fn add_bounds(needs: &mut Needs, bounds: &BoundsDraft) {
    let has_versions = !bounds.osv.0.is_empty() || !bounds.osv.1.is_empty();
    needs.metric |= !bounds.metric.is_empty();
    needs.sua |= has_versions;
    needs.device |= has_versions;
    needs.geo |= bounds.needs_point || bounds.radius != IncludeExclude::default() || hours::are_local(&bounds.hours);
    needs.eids |= bounds.needs_eids || bounds.eids != IncludeExclude::default();
    needs.schain |= bounds.schain.is_some() || bounds.supply.is_some();
    needs.channel |= bounds.supply.is_some();
    needs.skadn |= bounds.skadn.is_some();
}

#[cfg(test)]
mod tests {
    use super::super::compile;
    use super::*;
    use rules::rows::ROWS;

    /// The needs of a catalog with one campaign that has a banner, these attributes and this target.
    fn needs(attributes: &str, target: &str) -> Needs {
        let document = format!(
            r#"{{"format":1,"ssps":[{{"id":"s"}}],"creatives":[{{"crid":"c","banner":{{"w":1,"h":1,"adm":"a"}}}}],
            "campaigns":[{{"cid":"c","name":"n","seat":"s","adomain":["a.example"],"max_cpm":"1","creatives":["c"],
            {attributes}"target":{target}}}]}}"#
        );
        compile(document.as_bytes(), &[]).unwrap().snapshot.catalog().needs
    }

    #[test]
    fn each_rule_needs_its_part_of_the_request() {
        let none = Needs { banner: true, ..Needs::default() };
        let place = Needs { place: true, ..none };
        let content = Needs { content: true, ..place };
        let device = Needs { device: true, ..none };
        let country = Needs { country: true, ..none };
        for (needed, rules) in [
            (
                none,
                r#""devicetype":{"include":[1]} "topframe":true "channel":["app"] "buyeruid":true "yob":{"min":1990}"#,
            ),
            (Needs { metric: true, ..none }, r#""metric":[{"type":"viewability","min":"0.5"}]"#),
            (place, r#""bundle":{"exclude":["a"]} "bundle":{"exclude_unknown":true}"#),
            (Needs { channel: true, ..place }, r#""domain":{"include":["a"]} "publisher":{"include":["a"]}"#),
            (Needs { cat: true, ..content }, r#""cat":{"exclude":["IAB1"]}"#),
            (Needs { keywords: true, ..content }, r#""keywords":{"include":["a"]}"#),
            (
                content,
                r#""genre":{"include":["a"]} "livestream":false "realtime":true "firstbroadcast":true "network":{"include":["a"]}"#,
            ),
            (
                Needs { titles: true, ..content },
                r#""title":{"include":["a"]} "content_id":{"include":["a"]} "episode":{"exclude":[1]}"#,
            ),
            (Needs { channel: true, ..place }, r#""venuetype":{"include":["1"]}"#),
            (device, r#""ifa_type":{"include":["rida"]} "make":{"include":["a"]} "language":{"include":["de"]}"#),
            (Needs { sua: true, ..device }, r#""os":{"include":["a"]} "osv":{"min":"1"} "osv":{"max":"1"}"#),
            (Needs { sua: true, ..none }, r#""browser":{"include":["a"]}"#),
            (Needs { address: true, ..none }, r#""ip":{"exclude_unknown":true}"#),
            (country, r#""country":{"include":["USA"]}"#),
            (
                Needs { geo: true, ..country },
                r#""zip":{"include":["a"]} "radius":{"include":[{"lat":"1","lon":"1","metres":1}]} "radius":{"exclude_unknown":true} "hours":[{"days":[1],"from":1,"to":2}]"#,
            ),
            (
                Needs { eids: true, ..none },
                r#""eids":{"include":["a"]} "eids":{"include":["a"]},"mm":{"include":[1]} "eids":{"exclude_unknown":true},"mm":{"include":[1]}"#,
            ),
            (Needs { data: true, ..none }, r#""segment":{"include":[{"provider":"a","id":"a"}]}"#),
            (
                Needs { data: true, data_ext: true, ..none },
                r#""segment":{"exclude":[{"segtax":4,"id":"a"}]} "segment":{"exclude_unknown":true}"#,
            ),
            (Needs { content_data: true, ..content }, r#""content_segment":{"include":[{"provider":"a","id":"a"}]}"#),
            (
                Needs { content_data: true, data_ext: true, ..content },
                r#""content_segment":{"include":[{"segtax":4,"id":"a"}]} "cids":{"include":[{"provider":"a","id":"a"}]}"#,
            ),
            (none, r#""data":[{"path":"imp.ext.data.a","include":["b"]}]"#),
            (Needs { first_party: true, ..none }, r#""data":[{"path":"user.ext.data.a","include":["b"]}]"#),
            (Needs { first_party: true, ..place }, r#""data":[{"path":"dooh.ext.data.a","include":["b"]}]"#),
            (Needs { schain: true, ..none }, r#""schain":{"complete":true} "schain":{"asi":{"exclude_unknown":true}}"#),
        ] {
            for rule in rules.split(' ') {
                assert_eq!(needs("", &format!("{{{rule}}}")), needed, "{rule}");
                let bids = format!(r#""bids":[{{"when":{{{rule}}},"times":"2"}}],"#);
                assert_eq!(needs(&bids, "{}"), needed, "{bids}");
            }
        }
        let capped = r#""caps":[{"n":1,"per":"day"}],"#;
        let of_person = Needs { device: true, eids: true, ..none };
        assert_eq!(needs(capped, "{}"), of_person);
        let of_household = Needs { address: true, ..of_person };
        let household = r#"{}}],"cap_person":"household","lists":[{"id":"l","values":["a"]"#;
        assert_eq!(needs(capped, household), of_household);
        assert_eq!(needs("", household), none);
        assert_eq!(needs(r#""deals":["d"],"#, "{}"), Needs { deals: true, ..none });
        let skadn = r#""skadn":{"network":"a.skadnetwork","itunesitem":"1","campaign":"1"},"#;
        assert_eq!(needs(skadn, "{}"), Needs { skadn: true, ..none });
    }

    /// The paths of such rows do not become needs: [`of`] says by hand what they need.
    #[test]
    fn a_row_without_a_form_looks_only_at_the_object_that_the_ad_fills() {
        let whole = Needs { native: true, ..Needs::default() };
        for row in ROWS.iter().filter(|row| row.form.is_none()) {
            let mut needs = whole;
            row.paths.iter().for_each(|path| spec::add_needs(path, &mut needs));
            assert_eq!(needs, whole, "{}", row.reason.as_str());
        }
    }
}
