//! The macros that the bidder fills: its own, and those of an exchange that fills none.

use core::fmt::Write;

use proptest::prelude::*;
use serde_json::Value;

use super::compare::Check;
use super::creative::medium;
use super::json::{at, has, ints, signal, text, text_of};
use super::pair::Auction;
use super::positions::{channel, geo, sua};
use super::privacy::{Verdict, gdpr, verdict};
use super::targeting::{country, domain};

/// Checks each text of the bid: it is the catalog's text with its macros filled.
pub fn check(auction: &Auction<'_>, bid: &Value, (campaign, creative, deal): (&Value, &Value, &Value)) -> Check {
    let medium = medium(creative);
    let ours = at(creative, medium);
    let own = custom_values(auction, bid, (campaign, deal));
    let nurl = if auction.calls("nurl") { text(campaign, "nurl") } else { "" };
    let mut texts = vec![(nurl, text(bid, "nurl").to_owned()), (text(campaign, "burl"), text(bid, "burl").to_owned())];
    if has(ours, "adm") {
        texts.push((text(ours, "adm"), text(bid, "adm").to_owned()));
    }
    if medium == "native" {
        let answer: Value = serde_json::from_str(text(bid, "adm")).unwrap();
        let answer = if has(&answer, "native") { at(&answer, "native") } else { &answer };
        texts.push((text(ours, "link"), text(answer, "link/url").to_owned()));
    }
    let pays_bid = [1, 3].contains(&auction.at(deal));
    let multiplier = at(auction.imp_of(bid), "qty/multiplier").as_f64().unwrap_or(1.0).to_string();
    let escaped = [("ID", text(auction.request, "id")), ("IMP_ID", text(bid, "impid")), ("SEAT_ID", text(bid, "seat"))];
    let escaped = escaped.map(|(name, value)| (format!("${{AUCTION_{name}}}"), value.to_owned()));
    let escaped = if auction.fills_macros() { &escaped[..] } else { &[] };
    let own: Vec<(String, String)> = own.into_iter().map(|(name, value)| (format!("{{{name}}}"), value)).collect();
    let own = [&own, escaped].concat();
    let values = [
        // `bidid` of the response, to which a bid's id adds two digits.
        ("BID_ID", &text(bid, "id")[..text(bid, "id").len() - 2]),
        ("CURRENCY", auction.cur().unwrap()),
        ("MULTIPLIER", &multiplier),
        ("PRICE", if pays_bid { text(bid, "price") } else { "${AUCTION_PRICE}" }),
    ];
    for (template, found) in texts {
        let filled = |text: String, (name, value): &(&str, &str)| text.replace(&format!("${{AUCTION_{name}}}"), value);
        let template = with_custom(template, &own);
        let expected = if auction.fills_macros() { values.iter().fold(template, filled) } else { template };
        prop_assert_eq!(found, expected);
    }
    Ok(())
}

/// The values of the bidder's own macros in a bid, by name.
fn custom_values(
    auction: &Auction<'_>,
    bid: &Value,
    (campaign, deal): (&Value, &Value),
) -> Vec<(&'static str, String)> {
    let request = auction.request;
    let imp = auction.imp_of(bid);
    let (_, position) = channel(request);
    let personal = verdict(request, auction.settings) == Verdict::Free;
    let site = if has(request, "site") { at(request, "site") } else { &Value::Null };
    let (geo, sua) = (geo(request), sua(at(request, "device")));
    let os = [text(&sua, "platform/brand"), text(request, "device/os")].into_iter().find(|os| !os.is_empty());
    let sections: Vec<String> = ints(request, "regs/gpp_sid").iter().map(i64::to_string).collect();
    let values = [
        ("request.id", text(request, "id")),
        ("imp.id", text(imp, "id")),
        ("imp.tagid", text(imp, "tagid")),
        ("bid.id", text(bid, "id")),
        ("cid", text(campaign, "cid")),
        ("crid", text(bid, "crid")),
        ("seat", text(bid, "seat")),
        ("ssp", auction.ssp),
        ("deal.id", text(deal, "id")),
        ("site.domain", domain(site)),
        ("site.page", text(site, "page")),
        ("app.bundle", text(request, "app/bundle")),
        ("publisher.id", text(position, "publisher/id")),
        ("device.ifa", if personal { text(request, "device/ifa") } else { "" }),
        ("device.os", os.unwrap_or("")),
        ("country", country(text(&geo, "country"))),
        ("gdpr", gdpr(request).map_or("", |gdpr| if gdpr { "1" } else { "0" })),
        ("gdpr_consent", text_of(request, &["user/consent", "user/ext/consent"])),
        ("gpp", text_of(request, &["regs/gpp", "regs/ext/gpp"])),
        ("gpp_sid", &sections.join(",")),
        ("us_privacy", text_of(request, &["regs/us_privacy", "regs/ext/us_privacy"])),
        ("coppa", if signal(request, "regs/coppa") == Some(true) { "1" } else { "0" }),
        ("timestamp", &auction.now_ms.to_string()),
    ];
    values.map(|(name, value)| (name, value.to_owned())).to_vec()
}

/// The text of a creative or a campaign with these macros filled: the bidder's own ones, and those of the exchange whose
/// values come from a request or a catalog. A value is percent-encoded behind `https://`,
/// has the escapes of JavaScript in a script, and character references elsewhere.
fn with_custom(template: &str, own: &[(String, String)]) -> String {
    let mut filled = String::new();
    for part in template.split_inclusive('}') {
        let own = own.iter().find_map(|(name, value)| {
            let before = part.strip_suffix(name)?;
            (!before.ends_with('$')).then_some((before, value))
        });
        let Some((before, value)) = own else {
            filled.push_str(part);
            continue;
        };
        filled.push_str(before);
        let since = |mark: &str| filled.rfind(mark);
        let in_script = since("<script>") > since("</script>");
        let in_url = since("https://") > since("\">") && since("https://") > since("</");
        for c in value.chars() {
            match c {
                'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '.' | '_' | '~' => filled.push(c),
                _ if in_url => c.to_string().bytes().for_each(|byte| write!(filled, "%{byte:02X}").unwrap()),
                // Every generated value is of the Basic Multilingual Plane.
                _ if in_script => write!(filled, "\\u{:04x}", u32::from(c)).unwrap(),
                _ if c.is_ascii() => write!(filled, "&#x{:x};", u32::from(c)).unwrap(),
                _ => filled.push(c),
            }
        }
    }
    filled
}
