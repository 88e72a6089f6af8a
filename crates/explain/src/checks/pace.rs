//! Why pacing holds a campaign back, in words.

use super::super::comparison::Comparison;
use super::super::rejection::Rejection;
use base::money::Micros;
use pacing::shares::{HALVED_AFTER_MS, STOPPED_AFTER_MS, aged};

/// The campaign's share of requests, and why this request gets no bid.
pub(super) fn comparison(rejection: &Rejection<'_, '_>) -> Comparison {
    let Some(pacing) = rejection.pacing else {
        return ("a share of requests for the campaign's budget".into(), "no shares have come yet".into());
    };
    let age_ms = rejection.facts.now_ms.saturating_sub(pacing.made_ms);
    let age = age_ms / 1000;
    let share = pacing.share_of(rejection.catalog.parts().budget_key(rejection.campaign.cid()));
    match age_ms {
        STOPPED_AFTER_MS.. => {
            (format!("shares of requests that are under {} s old", STOPPED_AFTER_MS / 1000), format!("{age} s old"))
        }
        _ if share == 0 => {
            ("a share of requests above 0 %".into(), "0 %: its budget is used up, or still unknown to the pacer".into())
        }
        HALVED_AFTER_MS.. => (
            format!(
                "a request in the campaign's share of requests, {}: half of {}, because the shares are {age} s old",
                percent(aged(share, age_ms)),
                percent(share)
            ),
            OUTSIDE.into(),
        ),
        _ => (format!("a request in the campaign's share of requests, {}", percent(share)), OUTSIDE.into()),
    }
}

const OUTSIDE: &str = "a request outside it";

/// A share as a percentage with at most six decimals.
fn percent(share: u32) -> String {
    let millionths = (i64::from(share) * 100_000_000 + (1 << 31)) >> 32;
    if millionths == 0 { "under 0.000001 %".into() } else { format!("{} %", Micros(millionths)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use auction::context::Context;
    use auction::pace::Pacing;
    use base::hash::hash_of;
    use compiler::compile;
    use pacing::shares::WHOLE;

    #[test]
    fn percentages_are_exact_to_six_decimals() {
        for (share, text) in [
            (WHOLE, "100 %"),
            (WHOLE / 2, "50 %"),
            (WHOLE / 3, "33.333333 %"),
            (4_295, "0.0001 %"),
            (1, "under 0.000001 %"),
        ] {
            assert_eq!(percent(share), text);
        }
    }

    #[test]
    fn a_campaign_that_is_held_back_tells_its_share() {
        let document = br#"{"format":1,"ssps":[{"id":"a"}],"creatives":[{"crid":"b","banner":{"w":1,"h":1,"adm":"<b>"}}],
            "campaigns":[{"cid":"c","seat":"s","adomain":["a.example"],"max_cpm":"1","creatives":["b"],"budget":{"daily":"5"}}]}"#;
        let snapshot = compile(document, &[]).unwrap().snapshot;
        let catalog = snapshot.catalog();
        let body = br#"{"id":"r","imp":[{"id":"1","banner":{"w":1,"h":1}}]}"#;
        let small = WHOLE / 1_000_000;
        let in_share = "a request in the campaign's share of requests";
        let unknown = "0 %: its budget is used up, or still unknown to the pacer";
        let (halved, fresh) = (
            format!("{in_share}, 0.00005 %: half of 0.0001 %, because the shares are 61 s old"),
            format!("{in_share}, 0.0001 %"),
        );
        for (shares, wanted, found) in [
            (None, "a share of requests for the campaign's budget", "no shares have come yet"),
            (Some((0, "c", small)), &fresh, OUTSIDE),
            (Some((61_999, "c", small)), &halved, OUTSIDE),
            (Some((130_000, "c", WHOLE)), "shares of requests that are under 120 s old", "130 s old"),
            (Some((0, "c", 0)), "a share of requests above 0 %", unknown),
            (Some((0, "d", WHOLE)), "a share of requests above 0 %", unknown),
        ] {
            let of =
                |(age_ms, cid, share): (i64, _, _)| format!("{}\n{:016x} {share}\n", 1_000_000 - age_ms, hash_of(cid));
            let pacing = shares.and_then(|shares| Pacing::read(&of(shares), &catalog));
            let context = Context { now_ms: 1_000_000, pacing: pacing.as_ref(), ..Context::default() };
            let mut report = String::new();
            crate::explain(body, 0, &catalog, &context, None, &mut report).unwrap();
            let row = format!(r#"{{"cid":"c","reason":"pacing","wanted":"{wanted}","found":"{found}"}}"#);
            assert!(report.contains(&row), "{row}\n{report}");
        }
    }
}
