//! What the campaigns of a catalog can ask of a request: the rest need not be read.
//!
//! Follows the rules: what [`crate::rules`] looks at of a request because a campaign has something
//! set is needed when one has. `tests/needs.rs` holds decisions with and without this equal.

use super::{AmongDraft, BoundsDraft, CampaignDraft, CreativeDraft, MediaDraft, TargetDraft};
use crate::read::Needs;

/// What one of the campaigns needs.
pub(super) fn of(campaigns: &[CampaignDraft], creatives: &[CreativeDraft]) -> Needs {
    let mut needs = Needs::default();
    for campaign in campaigns {
        needs.deals |= !campaign.deals.is_empty();
        for creative in campaign.creatives.iter().filter_map(|place| creatives.get(*place as usize)) {
            match creative.media {
                MediaDraft::Banner(_) => needs.banner = true,
                MediaDraft::Video(_) => needs.video = true,
                MediaDraft::Audio(_) => needs.audio = true,
                MediaDraft::Native(_) => needs.native = true,
            }
        }
        add(&mut needs, &campaign.target, &campaign.bounds);
    }
    needs
}

fn add(needs: &mut Needs, target: &TargetDraft, bounds: &BoundsDraft) {
    let texts = |rules: &[&AmongDraft<String>]| rules.iter().any(|rule| rule.asks());
    needs.metric |= !bounds.metric.is_empty();
    needs.cat |= target.cat.asks();
    needs.keywords |= target.keywords.asks();
    needs.content |= needs.cat
        || needs.keywords
        || target.livestream.is_some()
        || texts(&[
            &target.genre,
            &target.contentrating,
            &target.content_language,
            &target.network,
            &target.content_channel,
        ]);
    needs.channel |= needs.content || texts(&[&target.domain, &target.bundle, &target.publisher, &target.id]);
    let versions = !bounds.osv.0.is_empty() || !bounds.osv.1.is_empty();
    needs.sua |= versions || texts(&[&target.os, &target.browser, &target.model]);
    needs.device |= versions
        || target.connectiontype.asks()
        || texts(&[&target.make, &target.model, &target.os, &target.language, &target.carrier]);
    needs.geo |= bounds.radius.asks()
        || bounds.hours.are_local()
        || texts(&[&target.country, &target.region, &target.metro, &target.city, &target.zip]);
    needs.eids |= target.eids.asks() || bounds.eids.asks();
    needs.data |= target.segment.asks();
    needs.schain |= bounds.schain.is_some();
}

#[cfg(test)]
mod tests {
    use super::super::compile;
    use super::*;

    /// Of a catalog with one campaign that has a banner, with these attributes and this target.
    fn needs(attributes: &str, target: &str) -> Needs {
        let document = format!(
            r#"{{"format":1,"ssps":[{{"id":"s"}}],"creatives":[{{"crid":"c","banner":{{"w":1,"h":1,"adm":"a"}}}}],
            "campaigns":[{{"cid":"c","name":"n","seat":"s","adomain":["a.example"],"max_cpm":"1","creatives":["c"],
            {attributes}"target":{target}}}]}}"#
        );
        compile(document.as_bytes(), &[]).unwrap().catalog().needs
    }

    #[test]
    fn each_target_needs_its_part() {
        let none = Needs { banner: true, ..Needs::default() };
        let channel = Needs { channel: true, ..none };
        let content = Needs { content: true, ..channel };
        let device = Needs { device: true, ..none };
        let agent = Needs { sua: true, ..device };
        let geo = Needs { geo: true, ..none };
        for (needed, rules) in [
            (
                none,
                r#""devicetype":{"include":[1]} "tagid":{"include":["a"]} "gpid":{"include":["a"]} "instl":true "rwdd":true "topframe":true "pos":{"include":[1]} "podseq":{"exclude":[1]} "channel":["app"] "buyeruid":true "yob":{"min":1990}"#,
            ),
            (Needs { metric: true, ..none }, r#""metric":[{"type":"viewability","min":"0.5"}]"#),
            (
                channel,
                r#""domain":{"include":["a"]} "bundle":{"exclude":["a"]} "publisher":{"include":["a"]} "id":{"include":["a"]}"#,
            ),
            (Needs { cat: true, ..content }, r#""cat":{"exclude":["IAB1"]}"#),
            (Needs { keywords: true, ..content }, r#""keywords":{"include":["a"]}"#),
            (
                content,
                r#""genre":{"include":["a"]} "contentrating":{"include":["a"]} "livestream":false "content_language":{"include":["de"]} "network":{"include":["a"]} "content_channel":{"include":["a"]}"#,
            ),
            (
                device,
                r#""make":{"include":["a"]} "language":{"include":["de"]} "connectiontype":{"include":[1]} "carrier":{"include":["a"]}"#,
            ),
            (agent, r#""model":{"include":["a"]} "os":{"include":["a"]} "osv":{"min":"1"} "osv":{"max":"1"}"#),
            (Needs { sua: true, ..none }, r#""browser":{"include":["a"]}"#),
            (
                geo,
                r#""country":{"include":["USA"]} "region":{"include":["a"]} "metro":{"include":["a"]} "city":{"include":["a"]} "zip":{"include":["a"]} "radius":{"include":[{"lat":"1","lon":"1","metres":1}]} "hours":[{"days":[1],"from":1,"to":2}]"#,
            ),
            (Needs { eids: true, ..none }, r#""eids":{"include":["a"]} "eids":{"include":["a"]},"mm":{"include":[1]}"#),
            (Needs { data: true, ..none }, r#""segment":{"include":[{"provider":"a","id":"a"}]}"#),
            (Needs { schain: true, ..none }, r#""schain":{"complete":true}"#),
        ] {
            for rule in rules.split(' ') {
                assert_eq!(needs("", &format!("{{{rule}}}")), needed, "{rule}");
            }
        }
        assert_eq!(needs(r#""deals":["d"],"#, "{}"), Needs { deals: true, ..none });
    }
}
