//! Where a campaign bids: the rules as they are checked, and how they come from the document.

use super::among::AmongDraft;
use super::document::{CirclesEntry, NumbersEntry, SchainEntry, TargetEntry, TextsEntry};
use super::finding;
use super::time::{HoursDraft, Zone};
use crate::decode::{Finding, Rule};
use crate::flat::{Flat, Source, Writer, fingerprint, flat, sparse};
use crate::money::{Micros, Rounding};
use crate::rules::domain::MAX_DOMAIN_BYTES;

sparse! {
    /// Where a campaign bids, as far as equal values tell; every rule has to hold. Texts are compared in any case of letters,
    /// but for ids.
    pub struct Target from TargetDraft {
        /// `site`, `app`, `dooh`: whether each will do.
        pub channel: Channels,
        /// Alpha-3 codes.
        pub country: AmongDraft<String>,
        /// ISO 3166-2 codes.
        pub region: AmongDraft<String>,
        /// Metro codes.
        pub metro: AmongDraft<String>,
        /// Cities.
        pub city: AmongDraft<String>,
        /// Postal codes.
        pub zip: AmongDraft<String>,
        /// AdCOM device types.
        pub devicetype: AmongDraft<i64>,
        /// Manufacturers.
        pub make: AmongDraft<String>,
        /// Models.
        pub model: AmongDraft<String>,
        /// Operating systems.
        pub os: AmongDraft<String>,
        /// Browsers.
        pub browser: AmongDraft<String>,
        /// Languages of the device.
        pub language: AmongDraft<String>,
        /// AdCOM connection types.
        pub connectiontype: AmongDraft<i64>,
        /// Carriers.
        pub carrier: AmongDraft<String>,
        /// Domains; subdomains included.
        pub domain: AmongDraft<String>,
        /// App bundles.
        pub bundle: AmongDraft<String>,
        /// Publisher ids.
        pub publisher: AmongDraft<String>,
        /// Site, app or DOOH ids.
        pub id: AmongDraft<String>,
        /// Placements.
        pub tagid: AmongDraft<String>,
        /// Placements by their global id.
        pub gpid: AmongDraft<String>,
        /// Categories, in the taxonomy `cattax`.
        pub cat: AmongDraft<String>,
        /// Taxonomy of `cat`; 0 without any.
        pub cattax: i64,
        /// Genres.
        pub genre: AmongDraft<String>,
        /// Content ratings.
        pub contentrating: AmongDraft<String>,
        /// Whether the content has to be live.
        pub livestream: Option<bool>,
        /// Languages of the content.
        pub content_language: AmongDraft<String>,
        /// Names of the content's network.
        pub network: AmongDraft<String>,
        /// Names of the content's channel.
        pub content_channel: AmongDraft<String>,
        /// Keywords.
        pub keywords: AmongDraft<String>,
        /// Whether the placement has to be an interstitial.
        pub instl: Option<bool>,
        /// Whether the placement has to be rewarded.
        pub rwdd: Option<bool>,
        /// Provider and id of segments.
        pub segment: AmongDraft<(String, String)>,
        /// Sources of extended ids; without `exclude` where [`Bounds::mm`] says which ids count.
        pub eids: AmongDraft<String>,
        /// Whether our own id has to be known.
        pub buyeruid: bool,
    }
}

sparse! {
    /// Where a campaign bids, as far as equal values do not tell: see [`Target`].
    pub struct Bounds from BoundsDraft {
        /// Sources of extended ids, where `mm` says which ids count.
        pub eids: AmongDraft<String>,
        /// Match methods of the extended ids that count.
        pub mm: AmongDraft<i64>,
        /// Places.
        pub radius: AmongDraft<Circle>,
        /// Lowest and highest version of the operating system; empty when open.
        pub osv: (String, String),
        /// Measurements to reach.
        pub metric: Vec<MetricFloorDraft>,
        /// First and last year of birth; `None` when nothing is asked.
        pub yob: Option<(i64, i64)>,
        /// When it bids.
        pub hours: HoursDraft,
        /// What the supply chain has to be.
        pub schain: Option<SchainDraft>,
    }
}

sparse! {
    /// What the banner, video or audio of an impression has to be that a creative would fill: see [`Target`]. What such an
    /// object does not have is unknown.
    pub struct Placement from PlacementDraft {
        /// AdCOM placement positions (banner, video).
        pub pos: AmongDraft<i64>,
        /// AdCOM video placement subtypes.
        pub plcmt: AmongDraft<i64>,
        /// Start delays (video, audio).
        pub startdelay: AmongDraft<i64>,
        /// AdCOM playback methods (video).
        pub playbackmethod: AmongDraft<i64>,
        /// Where the pod stands in the content (video, audio).
        pub podseq: AmongDraft<i64>,
        /// Slots in the pod (video, audio).
        pub slotinpod: AmongDraft<i64>,
        /// Whether the banner has to be in the top frame.
        pub topframe: Option<bool>,
    }
}

/// Which kinds of distribution channel will do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

impl Flat for Channels {
    type View<'s> = Channels;
    const SIZE: usize = 3;
    const LAYOUT: u64 = fingerprint(0, "site app dooh");

    fn write(&self, out: &mut Writer, record: &mut Vec<u8>) {
        ((self.site, self.app), self.dooh).write(out, record);
    }

    fn view(from: Source<'_>, at: usize) -> Channels {
        let ((site, app), dooh) = <((bool, bool), bool)>::view(from, at);
        Channels { site, app, dooh }
    }
}

flat! {
    /// A place and what is near it.
    pub struct Circle {
        /// Latitude of the middle, in millionths of a degree.
        pub lat: i64,
        /// Longitude of the middle, in millionths of a degree.
        pub lon: i64,
        /// Metres.
        pub metres: i64,
    }
}

flat! {
    /// A measurement to reach.
    pub struct MetricFloor from MetricFloorDraft {
        /// What is measured.
        pub kind: String,
        /// Who measured; empty: anyone.
        pub vendor: String,
        /// The least value, in millionths.
        pub min: Micros,
    }
}

flat! {
    /// What the supply chain has to be.
    pub struct Schain from SchainDraft {
        /// Whether it has to be complete.
        pub complete: bool,
        /// Most nodes.
        pub max_nodes: u32,
        /// Advertising systems: all nodes among `include`, none in `exclude`; subdomains included.
        pub asi: AmongDraft<String>,
    }
}

/// The target, or findings under `path`.
pub(super) fn compile(
    entry: &TargetEntry,
    zones: &[Zone],
    path: &str,
    findings: &mut Vec<Finding>,
) -> (TargetDraft, BoundsDraft, PlacementDraft) {
    let mut report = |at: &str, message: String| {
        findings.push(finding(format!("{path}.{at}"), Rule::OutOfRange, message));
    };
    let metric = entry.metric.iter().enumerate().map(|(i, metric)| {
        let min = Micros::parse(metric.min.as_deref().unwrap_or_default(), Rounding::Up);
        if min.is_none() {
            report(&format!("metric[{i}].min"), "no number; expected a decimal such as \"0.7\"".to_owned());
        }
        MetricFloorDraft {
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
    let segment = entry.segment.as_ref().map_or_else(AmongDraft::default, |rule| {
        let of = |list: &[super::document::SegmentEntry]| {
            list.iter().map(|s| (s.provider.clone().unwrap_or_default(), s.id.clone().unwrap_or_default())).collect()
        };
        AmongDraft { include: of(&rule.include), exclude: of(&rule.exclude) }
    });
    let domain = texts(entry.domain.as_ref());
    for name in domain.include.iter().chain(&domain.exclude).filter(|name| name.len() > MAX_DOMAIN_BYTES) {
        report("domain", format!("{name:?} is longer than a domain can be; expected {MAX_DOMAIN_BYTES} bytes at most"));
    }
    let channel = channels(&entry.channel, &mut report);
    let radius = circles(entry.radius.as_ref(), &mut report);
    let hours = HoursDraft::compile(&entry.hours, entry.zone.as_deref(), zones, &mut report);
    let (cat, eids, mm) = (texts(entry.cat.as_ref()), texts(entry.eids.as_ref()), numbers(entry.mm.as_ref()));
    let mut asked = eids.clone();
    if mm != AmongDraft::default() {
        asked.exclude.clear();
    }
    let target = TargetDraft {
        channel,
        country: texts(entry.country.as_ref()),
        region: texts(entry.region.as_ref()),
        metro: texts(entry.metro.as_ref()),
        city: texts(entry.city.as_ref()),
        zip: texts(entry.zip.as_ref()),
        devicetype: numbers(entry.devicetype.as_ref()),
        make: texts(entry.make.as_ref()),
        model: texts(entry.model.as_ref()),
        os: texts(entry.os.as_ref()),
        browser: texts(entry.browser.as_ref()),
        language: texts(entry.language.as_ref()),
        connectiontype: numbers(entry.connectiontype.as_ref()),
        carrier: texts(entry.carrier.as_ref()),
        domain,
        bundle: texts(entry.bundle.as_ref()),
        publisher: texts(entry.publisher.as_ref()),
        id: texts(entry.id.as_ref()),
        tagid: texts(entry.tagid.as_ref()),
        gpid: texts(entry.gpid.as_ref()),
        cattax: if cat == AmongDraft::default() { 0 } else { entry.cattax.unwrap_or(1) },
        cat,
        genre: texts(entry.genre.as_ref()),
        contentrating: texts(entry.contentrating.as_ref()),
        livestream: entry.livestream,
        content_language: texts(entry.content_language.as_ref()),
        network: texts(entry.network.as_ref()),
        content_channel: texts(entry.content_channel.as_ref()),
        keywords: texts(entry.keywords.as_ref()),
        instl: entry.instl,
        rwdd: entry.rwdd,
        segment,
        eids: asked,
        buyeruid: entry.buyeruid.unwrap_or(false),
    };
    let bounds = BoundsDraft {
        eids: if mm == AmongDraft::default() { AmongDraft::default() } else { eids },
        mm,
        radius,
        osv: osv.unwrap_or_default(),
        metric,
        yob,
        hours,
        schain: entry.schain.as_ref().map(schain),
    };
    (target, bounds, placement(entry))
}

fn placement(entry: &TargetEntry) -> PlacementDraft {
    PlacementDraft {
        pos: numbers(entry.pos.as_ref()),
        plcmt: numbers(entry.plcmt.as_ref()),
        startdelay: numbers(entry.startdelay.as_ref()),
        playbackmethod: numbers(entry.playbackmethod.as_ref()),
        podseq: numbers(entry.podseq.as_ref()),
        slotinpod: numbers(entry.slotinpod.as_ref()),
        topframe: entry.topframe,
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

fn circles(entry: Option<&CirclesEntry>, report: &mut impl FnMut(&str, String)) -> AmongDraft<Circle> {
    let Some(rule) = entry else { return AmongDraft::default() };
    let mut of = |list: &[super::document::CircleEntry]| -> Vec<Circle> {
        let circle = |circle: &super::document::CircleEntry| {
            let metres = circle.metres.unwrap_or_default();
            if !(1..=20_000_000).contains(&metres) {
                report("radius", format!("metres {metres}; expected 1 to 20000000"));
            }
            let degrees = |value: Option<super::amount::Degrees>| value.map_or(0, |degrees| degrees.0);
            Circle { lat: degrees(circle.lat), lon: degrees(circle.lon), metres }
        };
        list.iter().map(circle).collect()
    };
    AmongDraft { include: of(&rule.include), exclude: of(&rule.exclude) }
}

fn schain(entry: &SchainEntry) -> SchainDraft {
    SchainDraft {
        complete: entry.complete.unwrap_or(false),
        max_nodes: entry.max_nodes.map_or(u32::MAX, |most| u32::try_from(most.max(0)).unwrap_or(u32::MAX)),
        asi: texts(entry.asi.as_ref()),
    }
}

fn texts(entry: Option<&TextsEntry>) -> AmongDraft<String> {
    entry.map_or_else(AmongDraft::default, |rule| AmongDraft {
        include: rule.include.clone(),
        exclude: rule.exclude.clone(),
    })
}

fn numbers(entry: Option<&NumbersEntry>) -> AmongDraft<i64> {
    entry.map_or_else(AmongDraft::default, |rule| AmongDraft {
        include: rule.include.clone(),
        exclude: rule.exclude.clone(),
    })
}
