//! Where a campaign bids: the rules as they are checked, and how they come from the document.

use super::document::{CirclesEntry, NumbersEntry, SchainEntry, TargetEntry, TextsEntry};
use super::finding;
use super::time::{Hours, Zone};
use crate::decode::{Finding, Rule};
use crate::money::{Micros, Rounding};
use crate::request::Point;

/// Where a campaign bids; every rule has to hold. Texts are compared in any case of letters.
#[derive(Debug, Default)]
pub struct Target {
    /// `site`, `app`, `dooh`: whether each will do.
    pub channel: Channels,
    /// Alpha-3 codes.
    pub country: Among<String>,
    /// ISO 3166-2 codes.
    pub region: Among<String>,
    /// Metro codes.
    pub metro: Among<String>,
    /// Cities.
    pub city: Among<String>,
    /// Postal codes.
    pub zip: Among<String>,
    /// Places.
    pub radius: Among<Circle>,
    /// AdCOM device types.
    pub devicetype: Among<i64>,
    /// Manufacturers.
    pub make: Among<String>,
    /// Models.
    pub model: Among<String>,
    /// Operating systems.
    pub os: Among<String>,
    /// Lowest and highest version of the operating system; empty when open.
    pub osv: (String, String),
    /// Browsers.
    pub browser: Among<String>,
    /// Languages of the device.
    pub language: Among<String>,
    /// AdCOM connection types.
    pub connectiontype: Among<i64>,
    /// Carriers.
    pub carrier: Among<String>,
    /// Domains; subdomains included.
    pub domain: Among<String>,
    /// App bundles.
    pub bundle: Among<String>,
    /// Publisher ids.
    pub publisher: Among<String>,
    /// Site, app or DOOH ids.
    pub id: Among<String>,
    /// Placements.
    pub tagid: Among<String>,
    /// Categories, in the taxonomy `cattax`.
    pub cat: Among<String>,
    /// Taxonomy of `cat`.
    pub cattax: i64,
    /// Genres.
    pub genre: Among<String>,
    /// Content ratings.
    pub contentrating: Among<String>,
    /// Whether the content has to be live.
    pub livestream: Option<bool>,
    /// Languages of the content.
    pub content_language: Among<String>,
    /// Names of the content's network.
    pub network: Among<String>,
    /// Names of the content's channel.
    pub content_channel: Among<String>,
    /// Keywords.
    pub keywords: Among<String>,
    /// AdCOM placement positions.
    pub pos: Among<i64>,
    /// Measurements to reach.
    pub metric: Vec<MetricFloor>,
    /// Whether the placement has to be an interstitial.
    pub instl: Option<bool>,
    /// Whether the placement has to be rewarded.
    pub rwdd: Option<bool>,
    /// AdCOM video placement subtypes.
    pub plcmt: Among<i64>,
    /// Start delays.
    pub startdelay: Among<i64>,
    /// AdCOM playback methods.
    pub playbackmethod: Among<i64>,
    /// Where the pod stands in the content.
    pub podseq: Among<i64>,
    /// Slots in the pod.
    pub slotinpod: Among<i64>,
    /// Whether the banner has to be in the top frame.
    pub topframe: Option<bool>,
    /// Provider and id of segments.
    pub segment: Among<(String, String)>,
    /// Sources of extended ids.
    pub eids: Among<String>,
    /// Match methods of the extended ids that count.
    pub mm: Among<i64>,
    /// Whether our own id has to be known.
    pub buyeruid: bool,
    /// First and last year of birth; `None` when nothing is asked.
    pub yob: Option<(i64, i64)>,
    /// When it bids.
    pub hours: Hours,
    /// What the supply chain has to be.
    pub schain: Option<Schain>,
}

/// Which kinds of distribution channel will do.
#[derive(Debug, Clone, Copy)]
pub struct Channels {
    /// Web sites.
    pub site: bool,
    /// Apps.
    pub app: bool,
    /// Digital out-of-home screens.
    pub dooh: bool,
}

impl Default for Channels {
    fn default() -> Self {
        Channels { site: true, app: true, dooh: true }
    }
}

/// A rule over one value of the request.
#[derive(Debug)]
pub struct Among<T> {
    /// Only these. Empty: all.
    pub include: Vec<T>,
    /// None of these.
    pub exclude: Vec<T>,
}

impl<T> Default for Among<T> {
    fn default() -> Self {
        Among { include: Vec::new(), exclude: Vec::new() }
    }
}

impl<T> Among<T> {
    /// Whether a value is allowed, where `is` compares it with an entry. A value that the request
    /// does not tell compares with nothing: it fails an `include` and passes an `exclude`.
    pub fn allows(&self, is: impl Fn(&T) -> bool) -> bool {
        (self.include.is_empty() || self.include.iter().any(&is)) && !self.exclude.iter().any(&is)
    }
}

impl Among<String> {
    /// Whether a text is allowed, in any case of letters.
    #[must_use]
    pub fn allows_text(&self, text: &str) -> bool {
        self.allows(|listed| listed.eq_ignore_ascii_case(text))
    }
}

/// A place and what is near it.
#[derive(Debug, Clone, Copy)]
pub struct Circle {
    /// The middle.
    pub centre: Point,
    /// Metres.
    pub metres: i64,
}

/// A measurement to reach.
#[derive(Debug)]
pub struct MetricFloor {
    /// What is measured.
    pub kind: String,
    /// Who measured; empty: anyone.
    pub vendor: String,
    /// The least value, in millionths.
    pub min: Micros,
}

/// What the supply chain has to be.
#[derive(Debug)]
pub struct Schain {
    /// Whether it has to be complete.
    pub complete: bool,
    /// Most nodes.
    pub max_nodes: usize,
    /// Advertising systems: all nodes among `include`, none in `exclude`; subdomains included.
    pub asi: Among<String>,
}

/// The target, or findings under `path`.
pub(super) fn compile(entry: &TargetEntry, zones: &[Zone], path: &str, findings: &mut Vec<Finding>) -> Target {
    let mut report = |at: &str, message: String| {
        findings.push(finding(format!("{path}.{at}"), Rule::OutOfRange, message));
    };
    let country = texts(entry.country.as_ref());
    for code in country.include.iter().chain(&country.exclude) {
        if code.len() != 3 || !code.bytes().all(|b| b.is_ascii_alphabetic()) {
            report("country", format!("{code:?}; expected three-letter codes such as USA"));
        }
    }
    let metric = entry.metric.iter().enumerate().map(|(i, metric)| {
        let min = Micros::parse(metric.min.as_deref().unwrap_or_default(), Rounding::Up);
        if min.is_none() {
            report(&format!("metric[{i}].min"), "no number; expected a decimal such as \"0.7\"".to_owned());
        }
        MetricFloor {
            kind: metric.kind.clone().unwrap_or_default(),
            vendor: metric.vendor.clone().unwrap_or_default(),
            min: min.unwrap_or_default(),
        }
    });
    let metric = metric.collect();
    let yob = entry.yob.as_ref().filter(|range| range.min.is_some() || range.max.is_some());
    let yob = yob.map(|range| (range.min.unwrap_or(i64::MIN), range.max.unwrap_or(i64::MAX)));
    if yob.is_some_and(|(min, max)| min > max) {
        report("yob", "min is greater than max; expected a range".to_owned());
    }
    let osv =
        entry.osv.as_ref().map(|range| (range.min.clone().unwrap_or_default(), range.max.clone().unwrap_or_default()));
    let segment = entry.segment.as_ref().map_or_else(Among::default, |rule| {
        let of = |list: &[super::document::SegmentEntry]| {
            list.iter().map(|s| (s.provider.clone().unwrap_or_default(), s.id.clone().unwrap_or_default())).collect()
        };
        Among { include: of(&rule.include), exclude: of(&rule.exclude) }
    });
    let channel = channels(&entry.channel, &mut report);
    let radius = circles(entry.radius.as_ref(), &mut report);
    let hours = Hours::compile(&entry.hours, entry.zone.as_deref(), zones, &mut report);
    Target {
        channel,
        country,
        region: texts(entry.region.as_ref()),
        metro: texts(entry.metro.as_ref()),
        city: texts(entry.city.as_ref()),
        zip: texts(entry.zip.as_ref()),
        radius,
        devicetype: numbers(entry.devicetype.as_ref()),
        make: texts(entry.make.as_ref()),
        model: texts(entry.model.as_ref()),
        os: texts(entry.os.as_ref()),
        osv: osv.unwrap_or_default(),
        browser: texts(entry.browser.as_ref()),
        language: texts(entry.language.as_ref()),
        connectiontype: numbers(entry.connectiontype.as_ref()),
        carrier: texts(entry.carrier.as_ref()),
        domain: texts(entry.domain.as_ref()),
        bundle: texts(entry.bundle.as_ref()),
        publisher: texts(entry.publisher.as_ref()),
        id: texts(entry.id.as_ref()),
        tagid: texts(entry.tagid.as_ref()),
        cat: texts(entry.cat.as_ref()),
        cattax: entry.cattax.unwrap_or(1),
        genre: texts(entry.genre.as_ref()),
        contentrating: texts(entry.contentrating.as_ref()),
        livestream: entry.livestream,
        content_language: texts(entry.content_language.as_ref()),
        network: texts(entry.network.as_ref()),
        content_channel: texts(entry.content_channel.as_ref()),
        keywords: texts(entry.keywords.as_ref()),
        pos: numbers(entry.pos.as_ref()),
        metric,
        instl: entry.instl,
        rwdd: entry.rwdd,
        plcmt: numbers(entry.plcmt.as_ref()),
        startdelay: numbers(entry.startdelay.as_ref()),
        playbackmethod: numbers(entry.playbackmethod.as_ref()),
        podseq: numbers(entry.podseq.as_ref()),
        slotinpod: numbers(entry.slotinpod.as_ref()),
        topframe: entry.topframe,
        segment,
        eids: texts(entry.eids.as_ref()),
        mm: numbers(entry.mm.as_ref()),
        buyeruid: entry.buyeruid.unwrap_or(false),
        yob,
        hours,
        schain: entry.schain.as_ref().map(schain),
    }
}

fn channels(names: &[String], report: &mut impl FnMut(&str, String)) -> Channels {
    if names.is_empty() {
        return Channels::default();
    }
    let mut channels = Channels { site: false, app: false, dooh: false };
    for (i, name) in names.iter().enumerate() {
        match name.as_str() {
            "site" => channels.site = true,
            "app" => channels.app = true,
            "dooh" => channels.dooh = true,
            _ => report(&format!("channel[{i}]"), format!("{name:?} is unknown; expected site, app or dooh")),
        }
    }
    channels
}

fn circles(entry: Option<&CirclesEntry>, report: &mut impl FnMut(&str, String)) -> Among<Circle> {
    let Some(rule) = entry else { return Among::default() };
    let mut of = |list: &[super::document::CircleEntry]| -> Vec<Circle> {
        let circle = |circle: &super::document::CircleEntry| {
            let metres = circle.metres.unwrap_or_default();
            if !(1..=20_000_000).contains(&metres) {
                report("radius", format!("metres {metres}; expected 1 to 20000000"));
            }
            let degrees = |value: Option<super::amount::Degrees>| value.map_or(0, |degrees| degrees.0);
            Circle { centre: Point { lat: degrees(circle.lat), lon: degrees(circle.lon) }, metres }
        };
        list.iter().map(circle).collect()
    };
    Among { include: of(&rule.include), exclude: of(&rule.exclude) }
}

fn schain(entry: &SchainEntry) -> Schain {
    Schain {
        complete: entry.complete.unwrap_or(false),
        max_nodes: entry.max_nodes.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(0)),
        asi: texts(entry.asi.as_ref()),
    }
}

fn texts(entry: Option<&TextsEntry>) -> Among<String> {
    entry.map_or_else(Among::default, |rule| Among { include: rule.include.clone(), exclude: rule.exclude.clone() })
}

fn numbers(entry: Option<&NumbersEntry>) -> Among<i64> {
    entry.map_or_else(Among::default, |rule| Among { include: rule.include.clone(), exclude: rule.exclude.clone() })
}
