//! Who may sell what: the keys of the catalog's files, if a campaign asks for them.

use std::collections::HashMap;

use catalog::{
    CampaignDraft, ConditionDraft, Place, Relation, SellerType, SupplyDraft, line_key, place_key, seller_key,
};
use document::check::{At, ascii_domain};
use document::instant::day;
use document::{Document, SupplyEntry};

const DEFAULT_DAYS: i64 = 14;
const DAY_MS: i64 = 86_400_000;

/// The files; `None` if no campaign asks for them. Adds an error if one does, and the catalog has none.
pub(crate) fn compile(
    document: &Document,
    campaigns: &[CampaignDraft],
    conditions: &[ConditionDraft],
    at: &At<'_>,
) -> Option<SupplyDraft> {
    let bounds = campaigns.iter().flat_map(|one| &one.bounds).chain(conditions.iter().flat_map(|one| &one.bounds));
    let is_used = bounds.into_iter().any(|bounds| bounds.supply.is_some());
    let Some(entry) = &document.supply else {
        if is_used {
            let message =
                "missing, but a campaign targets supply; expected the files that edgebid supply compile writes";
            at.attribute("supply").error(message);
        }
        return None;
    };
    let draft = draft(entry, &at.attribute("supply"));
    is_used.then_some(draft)
}

fn draft(entry: &SupplyEntry, at: &At<'_>) -> SupplyDraft {
    let date = day(&entry.date);
    if date.is_none() {
        at.attribute("date").error(format!("{:?} is not a day; expected one such as 2026-11-28", entry.date));
    }
    let mut draft = SupplyDraft {
        date: entry.date.clone(),
        old_from_ms: date.unwrap_or_default() + DAY_MS * (entry.max_age_days.unwrap_or(DEFAULT_DAYS) + 1),
        ..SupplyDraft::default()
    };
    for (system, number) in entry.systems.iter().zip(0..) {
        draft.systems.push((ascii_domain(&system.domain), !system.sellers.is_empty()));
        for (i, seller) in system.sellers.iter().enumerate() {
            let read = seller.split_once(':').and_then(|(letter, sid)| Some((low(letter, &TYPES)?, sid)));
            match read {
                Some((low, sid)) if !sid.is_empty() => draft.sellers.push(seller_key(number, sid) | low),
                _ => {
                    let at = at.item("systems", number as usize).item("sellers", i);
                    at.error(format!("{seller:?} is no account; expected one such as \"P:pub-1\""));
                }
            }
        }
    }
    let systems = u32::try_from(entry.systems.len()).unwrap_or_default();
    let mut lines: HashMap<u64, u64> = HashMap::new();
    for (list, files) in [("ads", &entry.ads), ("app_ads", &entry.app_ads)] {
        for (i, text) in files.iter().enumerate() {
            let mut parts = text.split(',');
            let name = ascii_domain(parts.next().unwrap_or_default());
            let place = place_key(if list == "ads" { Place::Site(&name) } else { Place::App(&name) });
            draft.places.push(place);
            for part in parts {
                let read = match part.strip_prefix('=') {
                    Some(partner) => {
                        let partner = Some(ascii_domain(partner)).filter(|partner| !partner.is_empty());
                        partner.map(|partner| (line_key(place, place_key(Place::Site(&partner))), 0))
                    }
                    None => part.split_once(':').and_then(|(how, sid)| {
                        let (number, letter) = how.split_at_checked(how.len().checked_sub(1)?)?;
                        let number = number.parse().ok().filter(|number| *number < systems)?;
                        Some((line_key(place, seller_key(number, sid)), low(letter, &RELATIONS)?))
                    }),
                };
                // If both are there, the account is the owner's.
                if let Some((key, low)) = read {
                    lines.entry(key).and_modify(|own| *own = low.min(*own)).or_insert(low);
                } else {
                    let message =
                        format!("{part:?} is no seller; expected one such as \"0D:pub-1\", or \"=partner.example\"");
                    at.item(list, i).error(message);
                }
            }
        }
    }
    draft.lines = lines.into_iter().map(|(key, low)| key | low).collect();
    for keys in [&mut draft.places, &mut draft.lines, &mut draft.sellers] {
        keys.sort_unstable();
        keys.dedup_by_key(|key| *key & !3);
    }
    draft
}

/// The letters of types and relations, in the order of their values.
const TYPES: [(&str, u64); 3] =
    [("P", SellerType::Publisher as u64), ("I", SellerType::Intermediary as u64), ("B", SellerType::Both as u64)];
const RELATIONS: [(&str, u64); 2] = [("D", Relation::Direct as u64), ("R", Relation::Reseller as u64)];

fn low(letter: &str, letters: &[(&str, u64)]) -> Option<u64> {
    letters.iter().find(|(own, _)| *own == letter).map(|(_, low)| *low)
}
