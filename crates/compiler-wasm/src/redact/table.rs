//! The attributes that a kept request has: those of `crates/bidder-wasm/src/read/table.rs`, without identifiers.
//!
//! Left out although a decision may read them, because they name a person, a device or a place: `user.id`, `buyeruid`,
//! `eids`, `device.ifa` and `geo.zip`. A test compares the two tables.

/// What is kept of an attribute.
#[derive(Debug, Clone, Copy)]
pub(super) enum Keep {
    /// Numbers, texts and truth values, alone or in a list.
    Values,
    /// An object of this kind, or a list of them.
    Objects(&'static Kind),
    /// A number of degrees, with one decimal.
    Tenth,
    /// The scheme and host of a URL.
    Host,
    /// A consent string of the TCF.
    Tcf,
    /// A string of the Global Privacy Platform.
    Gpp,
    /// A US Privacy string.
    UsPrivacy,
    /// A Native Ads request: an object, or a text with one.
    Native(&'static Kind),
}

/// The attributes of a kind of object.
#[derive(Debug)]
pub(super) struct Kind {
    /// Names of attributes of which the values are kept, separated by spaces.
    pub(super) values: &'static str,
    /// The other attributes that are kept.
    pub(super) rest: &'static [(&'static str, Keep)],
}

impl Kind {
    /// The attribute with this name; `None` if it is left out.
    pub(super) fn member(&self, name: &str) -> Option<(&'static str, Keep)> {
        let values = self.values.split(' ').find(|known| *known == name).map(|known| (known, Keep::Values));
        values.or_else(|| self.rest.iter().find(|(known, _)| *known == name).copied())
    }
}

const fn kind(values: &'static str, rest: &'static [(&'static str, Keep)]) -> Kind {
    Kind { values, rest }
}

use Keep::Objects;

pub(super) static BID_REQUEST: Kind = kind(
    "id test at tmax wseat bseat cur bcat acat cattax badv bapp wlang wlangb",
    &[
        ("imp", Objects(&IMP)),
        ("site", Objects(&CHANNEL)),
        ("app", Objects(&CHANNEL)),
        ("dooh", Objects(&CHANNEL)),
        ("device", Objects(&DEVICE)),
        ("user", Objects(&USER)),
        ("regs", Objects(&REGS)),
        ("source", Objects(&SOURCE)),
        ("ext", Objects(&REQUEST_EXT)),
    ],
);

static IMP: Kind = kind(
    "id instl tagid bidfloor bidfloorcur secure rwdd ssai exp dt",
    &[
        ("banner", Objects(&BANNER)),
        ("video", Objects(&LINEAR)),
        ("audio", Objects(&LINEAR)),
        ("native", Objects(&NATIVE)),
        ("pmp", Objects(&PMP)),
        ("qty", Objects(&QTY)),
        ("metric", Objects(&METRIC)),
        ("ext", Objects(&IMP_EXT)),
    ],
);

static IMP_EXT: Kind =
    kind("gpid", &[("data", Objects(&IMP_DATA)), ("prebid", Objects(&IMP_PREBID)), ("skadn", Objects(&SKADN))]);
static IMP_DATA: Kind = kind("pbadslot", &[]);
static IMP_PREBID: Kind = kind("is_rewarded_inventory", &[]);
static SKADN: Kind = kind("version versions sourceapp skadnetids", &[("skadnetlist", Objects(&SKADN_LIST))]);
static SKADN_LIST: Kind = kind("max excl addl", &[]);
static QTY: Kind = kind("multiplier", &[]);
static METRIC: Kind = kind("type value vendor", &[]);

static BANNER: Kind = kind("w h btype battr mimes api pos expdir topframe", &[("format", Objects(&FORMAT))]);
static FORMAT: Kind = kind("w h wratio hratio wmin", &[]);

static LINEAR: Kind = kind(
    "mimes minduration maxduration rqddurs protocols protocol w h linearity battr api startdelay plcmt pos skip skipmin \
     maxextended minbitrate maxbitrate delivery playbackmethod boxingallowed companiontype podid podseq slotinpod \
     maxseq poddur mincpmpersec poddedupe",
    &[("companionad", Objects(&BANNER)), ("durfloors", Objects(&DUR_FLOOR))],
);
static DUR_FLOOR: Kind = kind("mindur maxdur bidfloor", &[]);

static NATIVE: Kind = kind("ver battr api", &[("request", Keep::Native(&NATIVE_CONTENT))]);
static NATIVE_CONTENT: Kind = kind(
    "ver privacy",
    &[("native", Objects(&NATIVE_WRAPPED)), ("assets", Objects(&ASSET)), ("eventtrackers", Objects(&EVENT_TRACKER))],
);
static NATIVE_WRAPPED: Kind =
    kind("ver privacy", &[("assets", Objects(&ASSET)), ("eventtrackers", Objects(&EVENT_TRACKER))]);
static ASSET: Kind = kind(
    "id required",
    &[
        ("title", Objects(&ASSET_TEXT)),
        ("img", Objects(&ASSET_IMG)),
        ("video", Objects(&ASSET_VIDEO)),
        ("data", Objects(&ASSET_TEXT)),
    ],
);
static ASSET_TEXT: Kind = kind("type len", &[]);
static ASSET_IMG: Kind = kind("type w h wmin hmin", &[]);
static ASSET_VIDEO: Kind = kind("mimes minduration maxduration protocols", &[]);
static EVENT_TRACKER: Kind = kind("event methods", &[]);

static PMP: Kind = kind("private_auction", &[("deals", Objects(&DEAL))]);
static DEAL: Kind =
    kind("id bidfloor bidfloorcur at wseat wadomain guar mincpmpersec", &[("durfloors", Objects(&DUR_FLOOR))]);

static CHANNEL: Kind = kind(
    "id domain bundle cat sectioncat pagecat cattax keywords kwarray",
    &[("page", Keep::Host), ("publisher", Objects(&PUBLISHER)), ("content", Objects(&CONTENT))],
);
static PUBLISHER: Kind = kind("id domain", &[]);
static CONTENT: Kind = kind(
    "genre genres contentrating livestream language langb cat cattax keywords kwarray",
    &[("network", Objects(&NAMED)), ("channel", Objects(&NAMED))],
);
static NAMED: Kind = kind("name", &[]);

static DEVICE: Kind = kind(
    "devicetype dnt lmt ua make model hwv os osv language langb connectiontype carrier",
    &[("geo", Objects(&GEO)), ("sua", Objects(&USER_AGENT)), ("ext", Objects(&DEVICE_EXT))],
);
static DEVICE_EXT: Kind = kind("", &[("sua", Objects(&USER_AGENT))]);
static USER_AGENT: Kind = kind("model", &[("browsers", Objects(&BRAND)), ("platform", Objects(&BRAND))]);
static BRAND: Kind = kind("brand version", &[]);
static GEO: Kind = kind("country region metro city utcoffset", &[("lat", Keep::Tenth), ("lon", Keep::Tenth)]);

static USER: Kind = kind(
    "yob keywords kwarray",
    &[("consent", Keep::Tcf), ("geo", Objects(&GEO)), ("data", Objects(&DATA)), ("ext", Objects(&USER_EXT))],
);
static USER_EXT: Kind = kind("", &[("consent", Keep::Tcf)]);
static DATA: Kind = kind("id name", &[("segment", Objects(&SEGMENT))]);
static SEGMENT: Kind = kind("id", &[]);

static REGS: Kind = kind(
    "gpc coppa gdpr gpp_sid",
    &[("us_privacy", Keep::UsPrivacy), ("gpp", Keep::Gpp), ("dsa", Objects(&DSA)), ("ext", Objects(&REGS_EXT))],
);
static REGS_EXT: Kind =
    kind("gpc gdpr gpp_sid", &[("us_privacy", Keep::UsPrivacy), ("gpp", Keep::Gpp), ("dsa", Objects(&DSA))]);
static DSA: Kind = kind("dsarequired pubrender datatopub", &[]);

static SOURCE: Kind = kind("", &[("schain", Objects(&SUPPLY_CHAIN)), ("ext", Objects(&SOURCE_EXT))]);
static SOURCE_EXT: Kind = kind("", &[("schain", Objects(&SUPPLY_CHAIN))]);
static SUPPLY_CHAIN: Kind = kind("complete", &[("nodes", Objects(&NODE))]);
static NODE: Kind = kind("asi sid", &[]);

static REQUEST_EXT: Kind = kind("", &[("prebid", Objects(&PREBID))]);
static PREBID: Kind = kind("", &[("bidderconfig", Objects(&BIDDER_CONFIG))]);
static BIDDER_CONFIG: Kind = kind("bidders", &[("config", Objects(&CONFIG))]);
static CONFIG: Kind = kind("", &[("ortb2", Objects(&ORTB2))]);
static ORTB2: Kind =
    kind("", &[("site", Objects(&CHANNEL)), ("app", Objects(&CHANNEL)), ("user", Objects(&USER_PATCH))]);
static USER_PATCH: Kind = kind("yob keywords kwarray", &[("geo", Objects(&GEO)), ("data", Objects(&DATA))]);
