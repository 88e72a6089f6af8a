//! Notes on targets that are valid but hardly meant: values in another unit, swapped coordinates, and values that no
//! request has together.

use crate::drafts::Drafts;
use base::money::{Micros, Rounding};
use document::check::At;
use document::decode::Rule;
use document::{CampaignEntry, CircleEntry, HoursEntry, TargetEntry, TextsEntry};

pub(crate) fn check(drafts: &Drafts<'_>) {
    for (at, entry, _) in drafts.campaigns() {
        let conditions = entry.bids.iter().enumerate();
        let conditions =
            conditions.filter_map(|(j, bid)| Some((at.item("bids", j).attribute("when"), bid.when.as_ref()?)));
        let own = entry.target.as_ref().map(|target| (at.attribute("target"), target));
        for (at, target) in own.into_iter().chain(conditions) {
            of_target(target, &at);
        }
        hours(entry, &at);
    }
}

fn of_target(target: &TargetEntry, at: &At<'_>) {
    years(target, &at.attribute("yob"));
    metrics(target, at);
    circles(target, &at.attribute("radius"));
    bundles(target, &at.attribute("bundle"));
}

/// Nobody alive was born before this year.
const FIRST_YEAR: i64 = 1900;

fn years(TargetEntry { yob, .. }: &TargetEntry, at: &At<'_>) {
    let ends = yob.iter().flat_map(|range| [("min", range.min), ("max", range.max)]);
    for (name, year) in ends.filter_map(|(name, year)| Some((name, year?))).filter(|(_, year)| *year < FIRST_YEAR) {
        let message = format!("{year} is no year of birth; expected one such as 1990, not an age");
        at.attribute(name).report(Rule::Ambiguous, message);
    }
}

/// Notes shares in per cent. Other metrics may be above 1, such as the depth of a session.
fn metrics(TargetEntry { metric, .. }: &TargetEntry, at: &At<'_>) {
    const ONE: Micros = Micros(1_000_000);
    for (i, entry) in metric.iter().enumerate() {
        let (Some(kind), Some(min)) = (&entry.kind, &entry.min) else { continue };
        let is_share = kind == "viewability" || kind.ends_with("_rate");
        if is_share && Micros::parse(min, Rounding::Down).is_some_and(|least| least > ONE) {
            let message =
                format!("{min:?}, but {kind} is at most 1, so the campaign never bids; expected such as \"0.7\"");
            at.item("metric", i).attribute("min").report(Rule::NoBids, message);
        }
    }
}

/// The locations of devices are less accurate than this.
const LEAST_METRES: i64 = 50;

/// In millionths of a degree.
const MAX_LAT: i64 = 90_000_000;

/// Countries in which every latitude is above every longitude of the same location. The few islands near the date line
/// with another sign do not count.
const LAT_IS_ABOVE: &str = "ALB AND ARG AUT BEL BGR BIH BLR BOL BRA CAN CHE CHL COL CRI CUB CZE DEU DNK DOM DZA ECU ESP \
    EST FIN FRA GBR GRC GTM HND HRV HUN IRL ISL ITA JAM LIE LTU LUX LVA MAR MDA MEX MKD MLT MNE NIC NLD NOR PAN PER POL \
    PRI PRT PRY ROU SLV SMR SRB SVK SVN SWE TUN UKR URY USA VEN";
/// Countries in which every latitude is below every longitude.
const LAT_IS_BELOW: &str = "AFG AGO ARE ARM AUS AZE BGD BHR BWA CHN ETH HKG IDN IND IRN IRQ ISR JOR JPN KEN KHM KOR KWT LBN \
    LKA MDG MMR MNG MOZ MUS MYS NAM NPL NZL OMN PAK PHL QAT SAU SGP THA TWN TZA UGA UZB VNM ZAF ZMB ZWE";

fn circles(TargetEntry { radius, country, .. }: &TargetEntry, at: &At<'_>) {
    let Some(radius) = radius else { return };
    let is_above = country.as_ref().and_then(is_lat_above);
    for (side, circles) in [("include", &radius.include), ("exclude", &radius.exclude)] {
        for (i, CircleEntry { lat, lon, metres }) in circles.iter().enumerate() {
            let at = at.item(side, i);
            if let Some(metres) = metres.filter(|metres| *metres < LEAST_METRES) {
                let message =
                    format!("{metres} metres, but locations are less accurate; expected {LEAST_METRES} or more");
                at.attribute("metres").report(Rule::Ambiguous, message);
            }
            let (Some(lat), Some(lon)) = (lat, lon) else { continue };
            if lat.0.abs() > MAX_LAT {
                let message = format!("{} is no latitude; expected -90 to 90, and lon beside it", Micros(lat.0));
                at.attribute("lat").report(Rule::NoBids, message);
            } else if is_above.is_some_and(|is_above| (lat.0 > lon.0) != is_above) {
                let [lat, lon] = [lat, lon].map(|degrees| Micros(degrees.0));
                let message = format!(
                    "lat {lat}, lon {lon} is in none of the included countries; expected lat {lon}, lon {lat}, if they are swapped"
                );
                at.report(Rule::Ambiguous, message);
            }
        }
    }
}

/// Whether latitudes are above longitudes in all included countries; `None` if that differs or is not known.
fn is_lat_above(country: &TextsEntry) -> Option<bool> {
    if country.include.is_empty() || !country.include_lists.is_empty() {
        return None;
    }
    let sides = [(LAT_IS_ABOVE, true), (LAT_IS_BELOW, false)];
    let has_all =
        |codes: &str| country.include.iter().all(|code| codes.split(' ').any(|one| one.eq_ignore_ascii_case(code)));
    sides.into_iter().find(|(codes, _)| has_all(codes)).map(|(_, is_above)| is_above)
}

/// Notes bundles of another store than that of the only operating system.
fn bundles(TargetEntry { os, bundle, .. }: &TargetEntry, at: &At<'_>) {
    let (Some(os), Some(bundle)) = (os, bundle) else { return };
    let is_only = |name: &str| !os.include.is_empty() && os.include.iter().all(|os| os.eq_ignore_ascii_case(name));
    let are_of_apple = |is: bool| {
        let is_number = |id: &String| id.bytes().all(|byte| byte.is_ascii_digit());
        !bundle.include.is_empty() && bundle.include.iter().all(|id| is_number(id) == is)
    };
    let expected = if is_only("iOS") && are_of_apple(false) {
        "numbers, as the App Store gives them"
    } else if is_only("Android") && are_of_apple(true) {
        "package names such as com.example.weather"
    } else {
        return;
    };
    if bundle.include_lists.is_empty() {
        at.report(Rule::NoBids, format!("no included app is one of {}; expected {expected}", os.include.join(", ")));
    }
}

fn hours(CampaignEntry { target, curve, .. }: &CampaignEntry, at: &At<'_>) {
    let Some(target) = target.as_ref().filter(|target| !target.hours.is_empty()) else { return };
    if target.zone.is_none() {
        let message = "without a zone they are the person's own time, which many requests do not say, and then the campaign does not bid; expected target.zone, such as \"UTC\"";
        return at.attribute("target").attribute("hours").report(Rule::Ambiguous, message);
    }
    let is_whole = |own: &HoursEntry| own.days.is_empty() && (own.from, own.to) == (Some(0), Some(23));
    for (i, _) in target.hours.iter().enumerate().filter(|(_, own)| is_whole(own)) {
        let message = "23 is not included, so the last hour of the day is left out; expected 24";
        at.attribute("target").item("hours", i).attribute("to").report(Rule::Ambiguous, message);
    }
    let is_off = |hour: i64| usize::try_from(hour).ok().and_then(|hour| curve.get(hour)) == Some(&0);
    let is_never = |from: Option<i64>, to: Option<i64>| (from.unwrap_or_default()..to.unwrap_or_default()).all(is_off);
    if !curve.is_empty() && target.hours.iter().all(|entry| is_never(entry.from, entry.to)) {
        let message = "0 in all hours of target.hours, so the campaign never bids; expected more than 0 in one of them";
        at.attribute("curve").report(Rule::NoBids, message);
    }
}
