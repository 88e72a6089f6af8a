//! Writes the explanation of one request as JSON: the bids on each impression, and why the other campaigns do not bid.

use base::json;
use bumpalo::Bump;
use bumpalo::collections::Vec as ArenaVec;

use super::at::{About, Paths};
use super::rejection::Case;
use super::rows::{Kept, Rejections};
use super::signals::FREE;
use super::tree::Tree;
use super::{checks, privacy as privacy_text, signals, steps};
use auction::bid::Bid;
use auction::context::Context;
use auction::decide::{self, Decision, Effort};
use auction::gate;
use auction::price;
use auction::write;
use base::hash::hash_of;
use base::json::Object;
use base::limits::MAX_IMPS;
use base::money::Currency;
use catalog::{Catalog, Per};
use flat::List;
use openrtb::read::{Body, Reader, Wants};
use reasons::no_bid::NoBidReason as R;
use rules::targeting::Facts;
use rules::targeting::data::FirstParty;
use rules::targeting::supply::Way;
use validate::strict;

/// Appends a JSON object with these members:
///
/// - `id`: the request's id;
/// - `catalog`: the catalog's version;
/// - `privacy`: the verdict;
/// - `privacy_by`: the signals that forbid something, unless the signals forbid every bid;
/// - `cur`: the currency of the answer, if one of the request's currencies has a rate;
/// - `outcome`: `bid` or the no-bid reason; `work` if only the explanation finds a bid;
/// - `cut_off`: `work`, if the serving decision stops early (see [`base::limits::BASE_WORK`]);
/// - `wanted`, `found`: what the check of `outcome` wants and what the request has, if no campaign may bid at all;
/// - `at`: the paths that this check looked at, as in a rejected row;
/// - `more_imps`: a note, if the request has more impressions than are read;
/// - `more_rows`: a note, if there are more rejected campaigns than are listed;
/// - `imps`: per impression its `id`, `bids` and `rejected` campaigns; if it can get no bid, whatever the campaign, also
///   the `reason`, what was `wanted` and `found`, and `at`, as in a rejected row;
/// - `rejected`: the campaigns that the index keeps out of the whole request;
/// - `signals`: the privacy signals of the request: `signal`, its value as text in `said`, what it `means`, and its
///   paths in `at`;
/// - `work`: what the serving decision does: `read`, the bytes of the body; `gate`, the impressions, 0 if the request is
///   refused as a whole; `examined`, the possible bids that are checked; `match`, the work for that, in the units of [`base::limits::BASE_WORK`],
///   and its `limit`; `write`, the bytes of the response without notice URLs;
/// - `campaigns`: the number of campaigns in the catalog;
/// - `checks`: all reasons, in the order in which campaigns are checked.
///
/// A bid has `steps`, each with `what` happens and the `value` after it: at least what the campaign pays at most, the
/// floor, and the price.
///
/// A rejected row has the `reason`, what was `wanted` and `found`, and `at`: the paths that the check looked at, of those
/// that the request has, or the one path where a value is missing. A row without `at` was not decided by the request. The
/// reason `outbid` is no check: its `by` is the better bid. For a request in protobuf, `at` is missing everywhere.
///
/// `only` asks about one impression, which is then decided alone, or about one campaign.
///
/// An error says why the body is not a bid request, or what to ask instead; nothing is then appended.
pub fn explain<'b>(
    body: impl Into<Body<'b>>,
    ssp: usize,
    catalog: &Catalog<'_>,
    context: &Context<'_>,
    only: Option<Only<'_>>,
    out: &mut String,
) -> Result<(), String> {
    let arena = Bump::new();
    let body: Body<'_> = body.into();
    let format = body.format;
    let body = body.bytes();
    let read = |wants: &Wants<'_>| {
        let read = Reader::default().read(Body::from(body).encoded_as(format), wants, &arena);
        read.map_err(|bad| strict::sentence(bad, body))
    };
    // Read every attribute: the explanation also names values that no campaign of the catalog needs. If that is too much,
    // read what the decision reads.
    let mut request = read(&Wants::everything(catalog.parts().prebid_code()))?;
    if request.has_too_much {
        request = read(&catalog.wants())?;
    }
    // A lot of its own, always the same for a request: that of its decision is not known.
    let context = &Context { lot: (hash_of(request.id.value) >> 32) as u32, ..*context };
    let Only { imp, campaign } = only.unwrap_or_default();
    if !imp.is_empty() {
        // All with this id: the decision leaves out impressions that share one.
        let mut named = ArenaVec::new_in(&arena);
        named.extend(request.imp.iter().copied().filter(|one| one.id.value == imp));
        if named.is_empty() {
            return Err(format!("the request has no impression {imp:?}"));
        }
        request.imp = named.into_bump_slice();
    }
    let (campaigns, imps) = (catalog.parts().campaigns(), request.imp.len());
    if !campaign.is_empty() && !campaigns.iter().any(|one| one.cid() == campaign) {
        return Err(super::campaign::unknown(campaign, catalog));
    }
    if imps > 1 && campaigns.len() * imps > MAX_EXPLAINED {
        let campaigns = campaigns.len();
        return Err(format!(
            "{campaigns} campaigns on {imps} impressions are too many to explain at once; ask about one impression \
             (imp), and perhaps one campaign (campaign)"
        ));
    }
    // Empty for protobuf.
    let tree = Tree::read(body);
    let paths = Paths { tree: &tree, request: &request, prebid_code: catalog.parts().prebid_code() };
    let verdict = consent::verdict(&request, &catalog.privacy);
    let entry = catalog.parts().ssp(ssp);
    let (below, addresses) = (Some(catalog.parts().below()), Some(catalog.parts().addresses()));
    let facts_under = |verdict| Facts {
        below,
        addresses,
        first_party: FirstParty::of(catalog, &arena),
        ..Facts::new(&request, entry, context.now_ms, verdict, &arena)
    };
    let mut facts = facts_under(verdict);
    facts.shade = gate::shade(entry, context);
    facts.supply = Way::of(catalog, &arena);
    let case = Case {
        tree: &tree,
        facts,
        told: facts_under(FREE),
        verdict,
        cur: price::response_currency(&request, entry, &catalog.rates).unwrap_or(Currency::UNKNOWN),
        catalog,
        pacing: context.pacing,
    };
    let mut rejections = Rejections { paths: &paths, case: &case, campaign, kept: Kept::default() };
    let (decision, _) =
        decide::decide((&request, verdict), ssp, catalog, context, &arena, &mut rejections, &mut String::new());
    // The explained decision checks every campaign. Run the serving one too: it may stop early.
    let (served, effort) =
        decide::decide((&request, verdict), ssp, catalog, context, &arena, &mut (), &mut String::new());
    let mut report = Object::begin(out);
    report.string("id", request.id.value);
    report.raw("catalog", |out| json::hex_string(out, context.version));
    outcome(&mut report, &decision, &served, &case, &paths);
    report.text("cut_off", if effort.gave_up { "work" } else { "" });
    rows(&mut report, &decision, &rejections);
    report.objects("signals", &signals::of(&tree, &request, &catalog.privacy), |object, said| {
        object.string("signal", said.signal);
        object.string("said", &said.said);
        object.string("means", &said.means);
        object.texts("at", &said.at);
    });
    report.object("work", |work| self::work(work, body.len(), &served, effort, &case));
    report.number("campaigns", count(campaigns.len()));
    report.texts("checks", &R::ALL.iter().map(|reason| reason.as_str()).collect::<Vec<_>>());
    report.end();
    Ok(())
}

/// What to explain; an empty text asks about everything.
#[derive(Debug, Clone, Copy, Default)]
pub struct Only<'a> {
    /// The id of an impression.
    pub imp: &'a str,
    /// The id of a campaign, whose rows are all that is listed.
    pub campaign: &'a str,
}

/// The most campaigns, times impressions, of one explanation: a quarter of a second. One impression is always explained.
const MAX_EXPLAINED: usize = 500_000;

/// Writes the outcome, and what led to it in the request as a whole.
fn outcome(
    report: &mut Object<'_>,
    decision: &Decision<'_>,
    served: &Decision<'_>,
    case: &Case<'_>,
    paths: &Paths<'_>,
) {
    let request = paths.request;
    let (reason, (wanted, found), at) = match *decision {
        Decision::Bids { .. } => ("bid", Default::default(), Vec::new()),
        Decision::NoBid(reason) => {
            let comparison = checks::of_request(reason, request, case.facts.ssp, case.catalog).unwrap_or_default();
            let is_of_request = checks::has(reason) || checks::is_unreadable(reason, request, case.facts.ssp);
            let at = if is_of_request { paths.of(reason, &About::default()) } else { Vec::new() };
            (reason.as_str(), comparison, at)
        }
    };
    report.string("privacy", privacy_text::name(case.verdict));
    report.text("privacy_by", &privacy_text::signals(request, &case.catalog.privacy, case.verdict));
    report.text("cur", if case.cur == Currency::UNKNOWN { "" } else { case.cur.as_str() });
    report.string("outcome", if matches!(served, Decision::NoBid(R::Work)) { R::Work.as_str() } else { reason });
    report.text("wanted", &wanted);
    report.text("found", &found);
    report.texts("at", &at);
}

/// Writes the bids and the campaigns that do not bid.
fn rows(report: &mut Object<'_>, decision: &Decision<'_>, Rejections { paths, case, kept, .. }: &Rejections<'_>) {
    let bids = if let Decision::Bids { bids, .. } = decision { *bids } else { &[] };
    if paths.request.more_imps {
        report.string("more_imps", &format!("only the first {MAX_IMPS} impressions are looked at"));
    }
    report.text("more_rows", &kept.more());
    report.objects("imps", paths.request.imp, |object, imp| {
        object.string("id", imp.id.value);
        if let Some((reason, (wanted, found))) = checks::left_out(imp, paths.request, case.facts.ssp, case.catalog) {
            object.string("reason", reason.as_str());
            object.text("wanted", &wanted);
            object.text("found", &found);
            object.texts("at", &paths.of(reason, &About::of_imp(imp)));
        }
        let of_imp: Vec<&Bid<'_>> = bids.iter().filter(|bid| bid.imp.id == imp.id).collect();
        object.objects("bids", &of_imp, |object, bid| write_bid(object, bid, case));
        object.list("rejected", &kept.on_imp(Some(imp.id.value)), |out, row| row.write(out));
    });
    report.list("rejected", &kept.on_imp(None), |out, row| row.write(out));
}

/// Writes the members of `work`: counts, because the crate has no clock. `bytes` is the length of the body.
fn work(work: &mut Object<'_>, bytes: usize, served: &Decision<'_>, effort: Effort, case: &Case<'_>) {
    let mut response = String::new();
    let mut passed = case.facts.request.imp.len();
    match served {
        Decision::Bids { envelope, bids } => write::bids(&mut response, envelope, bids),
        Decision::NoBid(reason)
            if checks::has(*reason) || checks::is_unreadable(*reason, case.facts.request, case.facts.ssp) =>
        {
            passed = 0;
        }
        Decision::NoBid(_) => {}
    }
    work.number("read", count(bytes));
    work.number("gate", count(passed));
    work.number("examined", count(effort.examined));
    work.number("match", count(effort.work));
    work.number("limit", count(case.catalog.max_work));
    work.number("write", count(response.len()));
}

/// A count as a number of JSON.
fn count(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn write_bid(object: &mut Object<'_>, bid: &Bid<'_>, case: &Case<'_>) {
    object.string("cid", bid.campaign.cid());
    object.string("crid", bid.creative.crid());
    object.text("dealid", bid.deal.map_or("", |deal| deal.id.value));
    object.string("most", &bid.price.most.to_string());
    object.string("floor", &bid.price.floor.to_string());
    object.string("price", &bid.price.bid.to_string());
    object.objects("steps", &steps::of(bid, case), |object, (what, value)| {
        object.string("what", what);
        object.string("value", value);
    });
    object.text("caps", &caps(bid));
}

/// The frequency caps of a bid, and what the explanation assumes about them; empty if there are none.
fn caps(bid: &Bid<'_>) -> String {
    let of = |caps: List<'_, (Per, u32)>, what: &str| -> Vec<String> {
        caps.iter().map(|(per, n)| format!("{what} at most {n} per {}", per.as_str())).collect()
    };
    let all = [of(bid.campaign.caps(), "campaign"), of(bid.creative.caps(), "creative")].concat();
    if all.is_empty() {
        return String::new();
    }
    format!("{}; explain decides as if no cap were reached, without looking it up", all.join(", "))
}
