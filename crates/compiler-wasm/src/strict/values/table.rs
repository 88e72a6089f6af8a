//! The values that each attribute may have, from OpenRTB 2.6-202606, the lists of AdCOM 1.0, and Native 1.2.

/// The values that an attribute may have.
pub(super) enum Allowed {
    /// A number of an AdCOM list, or an exchange-specific one: [`EXCHANGE_SPECIFIC`] or above.
    Listed(&'static [i64]),
    /// One of these numbers.
    Only(&'static [i64]),
    /// This number or above.
    From(i64),
    /// A number from the first to the second.
    Between(i64, i64),
    /// An amount of 0 or more.
    NotNegative,
    /// A currency code of ISO 4217.
    Currency,
    /// A country code of ISO 3166-1 alpha-3.
    Country,
    /// A language code of ISO 639-1.
    Language,
}

/// AdCOM leaves the numbers from here on to exchanges.
pub(super) const EXCHANGE_SPECIFIC: i64 = 500;

use Allowed::{Between, Country, Currency, From, Language, Listed, NotNegative, Only};

/// Attributes that contain the objects (empty: any), attributes of these objects, and their allowed values.
type Row = (&'static [&'static str], &'static [&'static str], Allowed);

const AD: &[&str] = &["banner", "companionad", "format", "video"];
const LINEAR: &[&str] = &["video", "audio"];
const NATIVE: &[&str] = &["request", "native"];

pub(super) const ALLOWED: &[Row] = &[
    (&[""], &["at"], Listed(&[1, 2])),
    (&["deals"], &["at"], Listed(&[1, 2, 3])),
    (&[""], &["tmax"], From(1)),
    (&[], &["cattax"], Listed(&[1, 2, 3, 4, 5, 6, 7, 8, 9])),
    (&[], &["cur", "bidfloorcur"], Currency),
    (&[], &["bidfloor", "mincpmpersec"], NotNegative),
    (&[], &["wlang", "language"], Language),
    (&[], &["country"], Country),
    (&["imp"], &["ssai"], Only(&[0, 1, 2, 3])),
    (&["imp"], &["exp"], From(0)),
    (&["imp"], &["dt"], NotNegative),
    (AD, &["w", "h"], From(1)),
    (&["format"], &["wratio", "hratio", "wmin"], From(1)),
    (&["img"], &["w", "h", "wmin", "hmin"], From(0)),
    (&["device"], &["w", "h", "ppi"], From(0)),
    (&[], &["btype"], Listed(&[1, 2, 3, 4])),
    (&[], &["battr"], Listed(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23])),
    (&[], &["api"], Listed(&[1, 2, 3, 4, 5, 6, 7, 8, 9])),
    (&[], &["pos"], Listed(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17])),
    (&[], &["expdir"], Only(&[1, 2, 3, 4, 5, 6])),
    (&[], &["protocols", "protocol"], Listed(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16])),
    (&["video"], &["linearity"], Only(&[1, 2])),
    (LINEAR, &["delivery"], Only(&[1, 2, 3])),
    (&["video"], &["playbackmethod"], Listed(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])),
    (&["video"], &["playbackend"], Listed(&[1, 2, 3])),
    (&["video"], &["placement"], Listed(&[1, 2, 3, 4, 5])),
    (&["video"], &["plcmt"], Listed(&[1, 2, 3, 4, 5, 6, 7, 8, 9])),
    (&["video"], &["poddedupe"], Listed(&[1, 2, 3, 4, 5])),
    (LINEAR, &["podseq"], Only(&[-1, 0, 1])),
    (LINEAR, &["slotinpod"], Only(&[-1, 0, 1, 2])),
    (LINEAR, &["companiontype"], Only(&[1, 2, 3])),
    (LINEAR, &["startdelay"], From(-2)),
    (LINEAR, &["maxextended"], From(-1)),
    (&[], &["minduration", "skipmin", "skipafter", "minbitrate", "maxbitrate"], From(0)),
    (&[], &["maxduration", "poddur", "rqddurs", "maxseq"], From(1)),
    (&["durfloors"], &["mindur", "maxdur"], From(0)),
    (&["audio"], &["feed"], Listed(&[1, 2, 3, 4, 5, 6, 7])),
    (&["audio"], &["nvol"], Listed(&[0, 1, 2, 3, 4])),
    (&["qty"], &["multiplier"], NotNegative),
    (&["qty"], &["sourcetype"], Listed(&[0, 1, 2, 3])),
    (&["refsettings"], &["reftype"], Listed(&[0, 1, 2, 3])),
    (&["refsettings"], &["minint"], From(0)),
    (&["device"], &["devicetype"], Listed(&[1, 2, 3, 4, 5, 6, 7, 8])),
    (&["device"], &["connectiontype"], Listed(&[0, 1, 2, 3, 4, 5, 6, 7])),
    (&["sua"], &["source"], Listed(&[0, 1, 2, 3])),
    (&["geo"], &["lat"], Between(-90, 90)),
    (&["geo"], &["lon"], Between(-180, 180)),
    (&["geo"], &["type"], Only(&[1, 2, 3])),
    (&["geo"], &["accuracy", "lastfix"], From(0)),
    (&["geo"], &["ipservice"], Listed(&[1, 2, 3, 4])),
    (&["geo"], &["utcoffset"], Between(-840, 840)),
    (&["user"], &["yob"], Between(1900, 2100)),
    (&["eids"], &["mm"], Listed(&[0, 1, 2, 3, 4, 5])),
    (&["uids"], &["atype"], Listed(&[1, 2, 3])),
    (&["content"], &["context"], Listed(&[1, 2, 3, 4, 5, 6, 7])),
    (&["content"], &["prodq"], Only(&[0, 1, 2, 3])),
    (&["content"], &["qagmediarating"], Only(&[1, 2, 3])),
    (&["content"], &["len"], From(0)),
    (&["dooh"], &["venuetypetax"], Listed(&[0, 1, 2, 3, 4, 5])),
    (NATIVE, &["context"], Listed(&[1, 2, 3])),
    (NATIVE, &["contextsubtype"], Listed(&[10, 11, 12, 13, 14, 15, 20, 21, 22, 30, 31, 32])),
    (NATIVE, &["plcmttype"], Listed(&[1, 2, 3, 4])),
    (&["img"], &["type"], Listed(&[1, 2, 3])),
    (&["data"], &["type"], Listed(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])),
    (&["eventtrackers"], &["event"], Listed(&[1, 2, 3, 4, 5])),
    (&["eventtrackers"], &["methods"], Listed(&[1, 2])),
    (&["title"], &["len"], From(1)),
];

/// A rule on several attributes of one object.
pub(super) enum Relation {
    /// At most one of these attributes is given.
    OneOf(&'static [&'static str]),
    /// At least one of these attributes is given.
    SomeOf(&'static [&'static str]),
    /// Both attributes are given, or neither.
    Together(&'static str, &'static str),
    /// The value of the first attribute is not above the value of the second.
    InOrder(&'static str, &'static str),
    /// The objects of a list have different ids.
    DifferentIds(&'static str),
}

/// Attributes that contain the objects, and the rule for these objects.
pub(super) const RELATIONS: &[(&[&str], Relation)] = &[
    (&[""], Relation::OneOf(&["site", "app", "dooh"])),
    (&[""], Relation::OneOf(&["wseat", "bseat"])),
    (&[""], Relation::OneOf(&["wlang", "wlangb"])),
    (&[""], Relation::OneOf(&["bcat", "acat"])),
    (&[""], Relation::DifferentIds("imp")),
    (&["imp"], Relation::SomeOf(&["banner", "video", "audio", "native"])),
    (&["pmp"], Relation::DifferentIds("deals")),
    (AD, Relation::Together("w", "h")),
    (&["format"], Relation::Together("wratio", "hratio")),
    (LINEAR, Relation::InOrder("minduration", "maxduration")),
    (LINEAR, Relation::InOrder("minbitrate", "maxbitrate")),
    (LINEAR, Relation::OneOf(&["rqddurs", "minduration"])),
    (LINEAR, Relation::OneOf(&["rqddurs", "maxduration"])),
    (&["durfloors"], Relation::InOrder("mindur", "maxdur")),
    (&["device", "content"], Relation::OneOf(&["language", "langb"])),
    (&["geo"], Relation::Together("lat", "lon")),
    (&["assets"], Relation::OneOf(&["title", "img", "video", "data"])),
    (&["assets"], Relation::SomeOf(&["title", "img", "video", "data"])),
];
