//! The bidder's own macros. A value is percent-encoded behind `https://`, has the escapes of JavaScript in a script, and
//! character references elsewhere.

use core::fmt::Write;

use serde_json::Value;

use super::auction::Auction;
use super::crate_under_test::Bid;
use super::json::{at, has, ints, list, signal, text, text_of};
use super::privacy::{Verdict, gdpr, geo, verdict};
use super::targeting::{channel, country, domain};

/// The values of a bid, by the names of the macros.
pub struct Values(Vec<(&'static str, String)>);

impl Values {
    pub fn of(auction: &Auction<'_>, bid: &Bid, (campaign, deal): (&Value, &Value)) -> Values {
        let request = auction.request;
        let imp = list(request, "imp").iter().find(|imp| text(imp, "id") == bid.imp).unwrap();
        let (_, place) = channel(request);
        let personal = verdict(request, auction.settings) == Verdict::Free;
        let site = if has(request, "site") { at(request, "site") } else { &Value::Null };
        let sections: Vec<String> = ints(request, "regs/gpp_sid").iter().map(i64::to_string).collect();
        let values = [
            ("request.id", text(request, "id")),
            ("imp.id", text(imp, "id")),
            ("imp.tagid", text(imp, "tagid")),
            ("bid.id", &bid.id),
            ("cid", text(campaign, "cid")),
            ("crid", &bid.crid),
            ("seat", &bid.seat),
            ("ssp", auction.ssp),
            ("deal.id", text(deal, "id")),
            ("site.domain", domain(site)),
            ("site.page", text(site, "page")),
            ("app.bundle", text(request, "app/bundle")),
            ("publisher.id", text(place, "publisher/id")),
            ("device.ifa", if personal { text(request, "device/ifa") } else { "" }),
            ("device.os", text_of(at(request, "device"), &["sua/platform/brand", "os"])),
            ("country", country(text(geo(request), "country"))),
            ("gdpr", gdpr(request).map_or("", |gdpr| if gdpr { "1" } else { "0" })),
            ("gdpr_consent", text_of(request, &["user/consent", "user/ext/consent"])),
            ("gpp", text_of(request, &["regs/gpp", "regs/ext/gpp"])),
            ("gpp_sid", &sections.join(",")),
            ("us_privacy", text_of(request, &["regs/us_privacy", "regs/ext/us_privacy"])),
            ("coppa", if signal(request, "regs/coppa") == Some(true) { "1" } else { "0" }),
            ("timestamp", &auction.now_ms.to_string()),
        ];
        Values(values.map(|(name, value)| (name, value.to_owned())).to_vec())
    }

    /// The text of a creative or a campaign as the bid has it.
    pub fn filled(&self, template: &str) -> String {
        let mut filled = String::new();
        for part in template.split_inclusive('}') {
            let own = self.0.iter().find_map(|(name, value)| {
                let before = part.strip_suffix(&format!("{{{name}}}"))?;
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
}
