//! The explanation of one request as JSON: for each impression who would bid what, and for each
//! campaign that does not, the check it failed on, with both sides.

use bumpalo::Bump;

use super::rejection::{self, Rejection};
use super::{gate, privacy as words};
use bidder_wasm::bid::Bid;
use bidder_wasm::catalog::{Campaign, Catalog};
use bidder_wasm::context::Context;
use bidder_wasm::decide::{self, Decision};
use bidder_wasm::limits::MAX_IMPS;
use bidder_wasm::money::Currency;
use bidder_wasm::no_bid::NoBidReason;
use bidder_wasm::price;
use bidder_wasm::privacy::{self, Verdict};
use bidder_wasm::read::{BadRequest, Reader, Wants};
use bidder_wasm::recorder::Recorder;
use bidder_wasm::request::{Deal, Imp, Request};
use bidder_wasm::targeting::Facts;
use bidder_wasm::write::{self, Object};

/// Appends `{"id","catalog","privacy","privacy_by","cur","outcome","cut_off","wanted","found","imps":[{"id","bids":[…],"rejected":[…]}],"rejected":[…]}`:
/// `catalog` is its version, `outcome` is `bid` or the reason of the no-bid, `cut_off` is `work`
/// where serving stops before everybody was looked at (see [`bidder_wasm::limits::BASE_WORK`]) and else left out, `wanted` and `found` stand
/// beside `outcome` where nobody may bid on the request, the outer `rejected` are the campaigns that the index
/// keeps out of the whole request; what it does not hold is told for each impression. `outbid` is a bid that could be made and
/// gives way to the one that is named. Before `imps`, `more_imps` is there where
/// others follow that are not looked at. `privacy_by` are the signals that forbid something, left out where none does and where no
/// bid is allowed at all; `cur` is left out where no currency of the request has a rate.
///
/// An error says why the body is no bid request; then nothing is appended.
pub fn explain(
    body: &[u8],
    ssp: usize,
    catalog: &Catalog<'_>,
    context: &Context<'_>,
    out: &mut String,
) -> Result<(), BadRequest> {
    let arena = Bump::new();
    // An explanation reads also what no campaign asks for.
    let request = Reader::default().read(body, &Wants::everything(catalog.parts().prebid_code()), &arena)?;
    report(out, &request, ssp, catalog, context, &arena);
    Ok(())
}

fn report(
    out: &mut String,
    request: &Request<'_>,
    ssp: usize,
    catalog: &Catalog<'_>,
    context: &Context<'_>,
    arena: &Bump,
) {
    let verdict = privacy::verdict(request, &catalog.privacy);
    let from = catalog.parts().ssp(ssp);
    let facts = Facts::new(request, from, context.now_ms, verdict, arena);
    let cur = price::response_currency(request, from, &catalog.rates).unwrap_or(Currency::UNKNOWN);
    let mut rejections = Rejections { facts: &facts, verdict, catalog, cur, rows: Vec::new() };
    let (decision, _) = decide::decide(request, ssp, catalog, context, arena, &mut rejections, &mut String::new());
    // The decision that is explained looks at everybody; the one that is served may have had to stop before.
    let (_, effort) = decide::decide(request, ssp, catalog, context, arena, &mut (), &mut String::new());
    let (outcome, bids, (wanted, found)) = match decision {
        Decision::Bids { bids, .. } => ("bid", bids, Default::default()),
        Decision::NoBid(reason) => (reason.as_str(), &[][..], gate::sides(reason, request, from, catalog)),
    };

    let mut report = Object::begin(out);
    report.string("id", request.id.value);
    report.raw("catalog", |out| write::version(out, context.version));
    report.string("privacy", words::name(verdict));
    report.text("privacy_by", &words::signals(request, &catalog.privacy, verdict));
    report.text("cur", if cur == Currency::UNKNOWN { "" } else { cur.as_str() });
    report.string("outcome", outcome);
    report.text("cut_off", if effort.gave_up { "work" } else { "" });
    report.text("wanted", &wanted);
    report.text("found", &found);
    if request.more_imps {
        report.string("more_imps", &format!("only the first {MAX_IMPS} impressions are looked at"));
    }
    report.list("imps", request.imp, |out, imp| {
        let mut object = Object::begin(out);
        object.string("id", imp.id.value);
        let own: Vec<&Bid<'_>> = bids.iter().filter(|bid| bid.imp.id == imp.id).collect();
        object.list("bids", &own, |out, bid| write_bid(out, bid));
        object.list("rejected", &rejections.of(Some(imp.id.value)), |out, row| row.write(out));
        object.end();
    });
    report.list("rejected", &rejections.of(None), |out, row| row.write(out));
    report.end();
}

fn write_bid(out: &mut String, bid: &Bid<'_>) {
    let mut object = Object::begin(out);
    object.string("cid", bid.campaign.cid());
    object.string("crid", bid.creative.crid());
    object.text("dealid", bid.deal.map_or("", |deal| deal.id.value));
    object.string("most", &bid.price.most.to_string());
    object.string("floor", &bid.price.floor.to_string());
    object.string("price", &bid.price.bid.to_string());
    object.end();
}

/// The reason of a campaign that could bid and gave way to a better bid: no check failed, so it is no [`NoBidReason`].
const OUTBID: &str = "outbid";

struct Row {
    imp: Option<String>,
    cid: String,
    dealid: String,
    reason: &'static str,
    wanted: String,
    found: String,
}

impl Row {
    fn write(&self, out: &mut String) {
        let mut object = Object::begin(out);
        object.string("cid", &self.cid);
        object.text("dealid", &self.dealid);
        object.string("reason", self.reason);
        object.text("wanted", &self.wanted);
        object.text("found", &self.found);
        object.end();
    }
}

struct Rejections<'a> {
    facts: &'a Facts<'a>,
    verdict: Verdict,
    catalog: &'a Catalog<'a>,
    cur: Currency,
    rows: Vec<Row>,
}

impl Rejections<'_> {
    fn of(&self, imp: Option<&str>) -> Vec<&Row> {
        self.rows.iter().filter(|row| row.imp.as_deref() == imp).collect()
    }

    fn add(
        &mut self,
        campaign: &Campaign<'_>,
        imp: Option<&Imp<'_>>,
        deal: Option<&Deal<'_>>,
        reason: &'static str,
        (wanted, found): (String, String),
    ) {
        self.rows.push(Row {
            imp: imp.map(|imp| imp.id.value.to_owned()),
            cid: campaign.cid().to_owned(),
            dealid: deal.map_or_else(String::new, |deal| deal.id.value.to_owned()),
            reason,
            wanted,
            found,
        });
    }
}

impl Recorder for Rejections<'_> {
    fn rejected(
        &mut self,
        campaign: &Campaign<'_>,
        imp: Option<&Imp<'_>>,
        deal: Option<&Deal<'_>>,
        reason: NoBidReason,
    ) {
        let rejection = Rejection {
            facts: self.facts,
            verdict: self.verdict,
            catalog: self.catalog,
            cur: self.cur,
            campaign,
            imp,
            deal,
        };
        let (wanted, found) = rejection::of(reason, &rejection);
        self.add(campaign, imp, deal, reason.as_str(), (wanted, found));
    }

    fn outbid(&mut self, bid: &Bid<'_>, by: &Bid<'_>) {
        let price = |bid: &Bid<'_>| format!("{} {}", bid.price.bid, self.cur.as_str());
        let wanted = format!("{} with {}", price(bid), bid.creative.crid());
        let deal = by.deal.map_or_else(String::new, |deal| format!(" under {}", deal.id.value));
        let found = format!("{} of {} with {}{deal}", price(by), by.campaign.cid(), by.creative.crid());
        self.add(&bid.campaign, Some(bid.imp), bid.deal, OUTBID, (wanted, found));
    }
}
