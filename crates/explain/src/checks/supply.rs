//! The way of a request to its SSP, and what a campaign asks of it, in words.

use super::super::rejection::Rejection;
use super::super::words::join;
use catalog::{SellerType, Supply};
use rules::targeting::supply::{Path, Standing, sellers};

/// What the campaign asks beyond an authorised seller.
pub(super) fn wanted(rejection: &Rejection<'_, '_>) -> String {
    let bounds = rejection.bounds();
    let Some(rule) = bounds.supply() else { return String::new() };
    let direct = rule.direct_only().then(|| "only the owner's own account (direct_only)".to_owned());
    let types: Vec<&str> = rule.seller_types().iter().map(SellerType::as_str).collect();
    let types = (!types.is_empty()).then(|| format!("a seller of type {}", types.join(" or ")));
    join(direct.into_iter().chain(types), ", ")
}

/// What the files say about the seller, with their date.
pub(super) fn found(rejection: &Rejection<'_, '_>) -> String {
    let path = rejection.facts.path();
    let supply = rejection.catalog.parts().supply().get(0);
    let date = supply.as_ref().map_or("", Supply::date);
    let Path { seller, hops, .. } = *path;
    let (asi, sid) = sellers(&rejection.facts).nth(seller).unwrap_or_default();
    let seller = format!("{sid} of {asi}");
    let file = if rejection.facts.site_domain().is_empty() { "app-ads.txt" } else { "ads.txt" };
    let partner = rejection.facts.channel.inventorypartnerdomain;
    let of_partner = |word: &str| {
        if partner.is_empty() { String::new() } else { format!("{word} ads.txt of its partner {partner}") }
    };
    let says = match path.standing {
        Standing::Unnamed => {
            format!("seller {} of {hops}: the request does not name its system and account", path.seller + 1)
        }
        Standing::OtherSystem => format!("{seller}: the files were not read for this system"),
        Standing::NoPlace => format!("{seller}: the request names no site or app that could have a file"),
        Standing::NoFile => format!("{seller}: there is no {file}{}", of_partner(", or no")),
        Standing::Unlisted => format!("{seller}: {file} does not name it{}", of_partner(", nor does")),
        Standing::NoSeller => format!("{seller}: sellers.json of the system does not have it"),
        Standing::TooMany => format!("{hops} paid sellers, too many to look all up"),
        Standing::Reseller => format!("{seller}: a reseller"),
        Standing::Direct => format!("{seller}: the owner's account"),
    };
    let kind = path.seller_type.map_or("unknown", |own| own.as_str());
    let more = match path.standing {
        Standing::Reseller | Standing::Direct if hops > 1 => format!(", type {kind}, and {} more", hops - 1),
        Standing::Reseller | Standing::Direct => format!(", type {kind}"),
        _ => String::new(),
    };
    let part = if path.is_whole { "" } else { "; the chain is not complete, or does not end at the SSP" };
    format!("{says}{more}{part} (files of {date})")
}
