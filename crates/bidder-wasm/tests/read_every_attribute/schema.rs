//! The attributes of a request and the types of their values, for the generator.

/// The type of a well-formed attribute.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Text,
    Integer,
    Flag,
    Number,
    Currency,
    Texts,
    Integers,
    Currencies,
    Object(Schema),
    Objects(Schema),
    /// A Native Ads request: as a string or an object, wrapped or bare.
    Native(Schema),
    /// A list of bidder codes.
    Bidders,
    /// A value of any type.
    Anything,
}

use Kind::{
    Anything, Bidders, Currencies, Currency, Flag, Integer, Integers, Native, Number, Object, Objects, Text, Texts,
};

/// The attributes of an object. Repeated entries make large objects more frequent.
pub(crate) type Schema = &'static [(&'static [&'static str], Kind)];

pub(crate) const REQUEST: Schema = &[
    (&["id"], Text),
    (&["imp"], Objects(IMP)),
    (&["imp"], Objects(IMP)),
    (&["imp"], Objects(IMP)),
    (&["site", "app", "dooh"], Object(CHANNEL)),
    (&["device"], Object(DEVICE)),
    (&["user"], Object(USER)),
    (&["test"], Flag),
    (&["at", "tmax", "cattax"], Integer),
    (&["wseat", "bseat", "bcat", "acat", "badv", "bapp", "wlang", "wlangb"], Texts),
    (&["cur"], Currencies),
    (&["regs"], Object(REGS)),
    (&["source"], Object(SOURCE)),
    (&["ext"], Object(EXT)),
    (&["ext"], Object(EXT)),
    (&["ext", "allimps", "unknown"], Anything),
];

const EXT: Schema = &[(&["prebid"], Object(&[(&["bidderconfig"], Objects(BIDDER_CONFIG))]))];

const BIDDER_CONFIG: Schema = &[
    (&["bidders"], Bidders),
    (&["config"], Object(&[(&["ortb2"], Object(ORTB2))])),
    (&["config"], Object(&[(&["ortb2"], Object(ORTB2))])),
];

pub(crate) const ORTB2: Schema = &[(&["site", "app", "dooh"], Object(CHANNEL)), (&["user"], Object(USER))];

const IMP: Schema = &[
    (&["id", "tagid"], Text),
    (&["banner"], Object(BANNER)),
    (&["video", "audio"], Object(LINEAR)),
    (&["native"], Object(NATIVE)),
    (&["native"], Object(NATIVE)),
    (&["pmp"], Object(&[(&["private_auction"], Flag), (&["deals"], Objects(DEAL))])),
    (&["instl", "secure", "rwdd"], Flag),
    (&["ssai", "exp"], Integer),
    (&["bidfloor", "dt"], Number),
    (&["bidfloorcur"], Currency),
    (&["qty"], Object(&[(&["multiplier"], Number)])),
    (&["metric"], Objects(&[(&["type", "vendor"], Text), (&["value"], Number)])),
    (&["ext"], Object(IMP_EXT)),
    (&["ext", "clickbrowser"], Anything),
];

const IMP_EXT: Schema = &[
    (&["gpid", "long_unknown_attribute"], Text),
    (&["data"], Object(&[(&["pbadslot"], Text)])),
    (&["skadn"], Object(SKADN)),
    (&["prebid"], Object(&[(&["is_rewarded_inventory", "is_rewarded_inventorz", "id"], Flag)])),
];

const SKADN: Schema = &[
    (&["version", "sourceapp"], Text),
    (&["versions", "skadnetids"], Texts),
    (&["skadnetlist"], Object(&[(&["max"], Integer), (&["excl"], Integers), (&["addl"], Texts)])),
];

const BANNER: Schema = &[
    (&["format"], Objects(&[(&["w", "h", "wratio", "hratio", "wmin"], Integer)])),
    (&["w", "h", "pos"], Integer),
    (&["btype", "battr", "api", "expdir"], Integers),
    (&["topframe"], Flag),
    (&["mimes"], Texts),
    (&["id", "ext"], Anything),
];

const LINEAR: Schema = &[
    (&["mimes"], Texts),
    (&["podid"], Text),
    (&["protocol"], Integer),
    (&["minduration", "maxduration", "w", "h", "linearity", "startdelay", "plcmt", "pos", "skipmin"], Integer),
    (&["maxextended", "minbitrate", "maxbitrate", "podseq", "slotinpod", "maxseq", "poddur"], Integer),
    (&["rqddurs", "protocols", "battr", "api", "delivery", "playbackmethod", "poddedupe", "companiontype"], Integers),
    (&["skip", "boxingallowed"], Flag),
    (&["companionad"], Objects(BANNER)),
    (&["mincpmpersec"], Number),
    (&["durfloors"], Objects(DUR_FLOOR)),
    (&["ext", "sequence"], Anything),
];

const DUR_FLOOR: Schema = &[(&["mindur", "maxdur"], Integer), (&["bidfloor"], Number)];

const NATIVE: Schema =
    &[(&["request", "request"], Native(NATIVE_REQUEST)), (&["ver"], Text), (&["battr", "api"], Integers)];

pub(crate) const NATIVE_REQUEST: Schema = &[
    (&["ver"], Text),
    (&["assets"], Objects(ASSET)),
    (&["eventtrackers"], Objects(&[(&["event"], Integer), (&["methods"], Integers)])),
    (&["privacy"], Flag),
    (&["assets"], Objects(ASSET)),
    (&["plcmttype", "native"], Anything),
];

const ASSET: Schema = &[
    (&["id"], Integer),
    (&["id"], Integer),
    (&["required"], Flag),
    (&["title"], Object(&[(&["len"], Integer)])),
    (&["img"], Object(&[(&["type", "w", "h", "wmin", "hmin"], Integer), (&["mimes"], Texts)])),
    (
        &["video"],
        Object(&[(&["mimes"], Texts), (&["minduration", "maxduration"], Integer), (&["protocols"], Integers)]),
    ),
    (&["data"], Object(&[(&["type", "len"], Integer)])),
];

const DEAL: Schema = &[
    (&["id"], Text),
    (&["bidfloor", "mincpmpersec"], Number),
    (&["bidfloorcur"], Currency),
    (&["at"], Integer),
    (&["wseat", "wadomain"], Texts),
    (&["guar"], Flag),
    (&["durfloors"], Objects(DUR_FLOOR)),
    (&["ext"], Anything),
];

const CHANNEL: Schema = &[
    (&["id", "domain", "page", "bundle", "keywords"], Text),
    (&["publisher"], Object(&[(&["id", "domain", "name"], Text)])),
    (&["cat", "sectioncat", "pagecat", "kwarray", "keywords"], Texts),
    (&["cattax"], Integer),
    (&["content"], Object(CONTENT)),
    (&["content"], Object(CONTENT)),
    (&["ext", "ref"], Anything),
];

const NAMED: Schema = &[(&["id", "name"], Text)];

const CONTENT: Schema = &[
    (&["genre", "contentrating", "language", "langb", "keywords"], Text),
    (&["livestream"], Flag),
    (&["network", "channel"], Object(NAMED)),
    (&["cat", "kwarray", "keywords", "genres"], Texts),
    (&["cattax"], Integer),
    (&["ext", "len"], Anything),
];

const DEVICE: Schema = &[
    (&["geo"], Object(GEO)),
    (&["devicetype", "connectiontype"], Integer),
    (&["dnt", "lmt"], Flag),
    (&["ua", "make", "model", "hwv", "os", "osv", "language", "langb", "carrier", "ifa"], Text),
    (&["sua"], Object(USER_AGENT)),
    (&["ext"], Object(&[(&["sua"], Object(USER_AGENT))])),
];

const USER_AGENT: Schema = &[(&["browsers"], Objects(BRAND)), (&["platform"], Object(BRAND)), (&["model"], Text)];

const BRAND: Schema = &[(&["brand"], Text), (&["version"], Texts)];

const GEO: Schema = &[
    (&["country", "region", "metro", "city", "zip"], Text),
    (&["lat", "lon", "lat", "lon"], Number),
    (&["utcoffset"], Integer),
    (&["type"], Anything),
];

const USER: Schema = &[
    (&["id", "buyeruid", "consent", "keywords"], Text),
    (&["geo"], Object(GEO)),
    (&["eids"], Objects(EID)),
    (&["yob"], Integer),
    (&["kwarray", "keywords"], Texts),
    (&["data"], Objects(&[(&["id", "name"], Text), (&["segment"], Objects(NAMED))])),
    (&["ext"], Object(&[(&["consent"], Text), (&["eids"], Objects(EID))])),
];

const EID: Schema = &[(&["source"], Text), (&["uids"], Objects(NAMED)), (&["mm"], Integer), (&["ext"], Anything)];

const REGS: Schema = &[
    (&["coppa", "gdpr", "gpc"], Flag),
    (&["us_privacy", "gpp"], Text),
    (&["gpp_sid"], Integers),
    (&["dsa"], Object(DSA)),
    (&["ext"], Object(SIGNALS)),
];

const SIGNALS: Schema =
    &[(&["gdpr", "gpc"], Flag), (&["us_privacy", "gpp"], Text), (&["gpp_sid"], Integers), (&["dsa"], Object(DSA))];

const DSA: Schema = &[(&["dsarequired", "pubrender", "datatopub"], Integer), (&["transparency"], Anything)];

const SOURCE: Schema = &[(&["schain"], Object(CHAIN)), (&["ext"], Object(&[(&["schain"], Object(CHAIN))]))];

const CHAIN: Schema = &[(&["complete"], Flag), (&["nodes"], Objects(&[(&["asi", "sid", "name"], Text)]))];

/// All fields of `Request` and of the objects inside it.
#[rustfmt::skip]
pub(crate) const READ: &[&str] = &[
    "literal", "value", "id", "imp", "site", "app", "dooh", "device", "user", "test", "at", "tmax", "wseat", "bseat",
    "cur", "bcat", "acat", "cattax", "badv", "bapp", "wlang", "wlangb", "regs", "schain", "banner", "video", "audio",
    "native", "private_auction", "deals", "instl", "tagid", "gpid", "bidfloor", "bidfloorcur", "secure", "rwdd",
    "ssai", "exp", "multiplier", "dt", "metric", "kind", "vendor", "format", "size", "btype", "battr", "mimes", "api", "pos",
    "expdir", "topframe", "wratio", "hratio", "wmin", "w", "h", "minduration", "maxduration", "rqddurs", "protocols",
    "linearity", "startdelay", "plcmt", "skip", "skipmin", "maxextended", "minbitrate", "maxbitrate", "delivery",
    "playbackmethod", "boxingallowed", "companionad", "companiontype", "podid", "podseq", "slotinpod", "maxseq",
    "poddur", "mincpmpersec", "durfloors", "poddedupe", "mindur", "maxdur", "ver", "assets", "eventtrackers",
    "privacy", "event", "method", "required", "len", "min", "wadomain", "guar", "domain", "bundle", "page",
    "publisher_id", "publisher_domain", "cat", "sectioncat", "pagecat", "keywords", "kwarray", "content", "genre",
    "genres", "contentrating", "livestream", "language", "langb", "network", "channel", "geo", "devicetype", "dnt",
    "lmt", "ua", "sua", "make", "model", "hwv", "os", "osv", "connectiontype", "carrier", "ifa", "browsers", "platform",
    "brand", "version", "country", "region", "metro", "city", "zip", "point", "utcoffset", "lat", "lon", "buyeruid",
    "consent", "eids", "yob", "data", "name", "segment", "source", "uids", "mm", "coppa", "gdpr", "us_privacy", "gpp",
    "gpp_sid", "gpc", "dsa", "dsarequired", "pubrender", "datatopub", "complete", "nodes", "asi", "sid",
    "skadn", "versions", "sourceapp", "skadnetids", "addl", "max", "excl",
];
