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

/// Kinds of objects (empty: any), attributes of these objects, and their allowed values.
type Row = (&'static [&'static str], &'static [&'static str], Allowed);

const AD: &[&str] = &["Banner", "Format", "Video"];
const LINEAR: &[&str] = &["Video", "Audio", "AssetVideo"];
const NATIVE: &[&str] = &["NativeWrapped"];

pub(super) const ALLOWED: &[Row] = &[
    (&["BidRequest"], &["at"], Listed(&[1, 2])),
    (&["Deal"], &["at"], Listed(&[1, 2, 3])),
    (&["BidRequest"], &["tmax"], From(1)),
    (&[], &["cattax"], Listed(&[1, 2, 3, 4, 5, 6, 7, 8, 9])),
    (&[], &["cur", "bidfloorcur"], Currency),
    (&[], &["bidfloor", "mincpmpersec"], NotNegative),
    (&[], &["wlang", "language"], Language),
    (&[], &["country"], Country),
    (&["Imp"], &["ssai"], Only(&[0, 1, 2, 3])),
    (&["Imp"], &["exp"], From(0)),
    (&["Imp"], &["dt"], NotNegative),
    (AD, &["w", "h"], From(1)),
    (&["Format"], &["wratio", "hratio", "wmin"], From(1)),
    (&["Img"], &["w", "h", "wmin", "hmin"], From(0)),
    (&["Device"], &["w", "h", "ppi"], From(0)),
    (&[], &["btype"], Listed(&[1, 2, 3, 4])),
    (&[], &["battr"], Listed(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23])),
    (&[], &["api"], Listed(&[1, 2, 3, 4, 5, 6, 7, 8, 9])),
    (&[], &["pos"], Listed(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17])),
    (&[], &["expdir"], Only(&[1, 2, 3, 4, 5, 6])),
    (&[], &["protocols", "protocol"], Listed(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16])),
    (&["Video"], &["linearity"], Only(&[1, 2])),
    (LINEAR, &["delivery"], Only(&[1, 2, 3])),
    (&["Video"], &["playbackmethod"], Listed(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])),
    (&["Video"], &["playbackend"], Listed(&[1, 2, 3])),
    (&["Video"], &["placement"], Listed(&[1, 2, 3, 4, 5])),
    (&["Video"], &["plcmt"], Listed(&[1, 2, 3, 4, 5, 6, 7, 8, 9])),
    (&["Video"], &["poddedupe"], Listed(&[1, 2, 3, 4, 5])),
    (LINEAR, &["podseq"], Only(&[-1, 0, 1])),
    (LINEAR, &["slotinpod"], Only(&[-1, 0, 1, 2])),
    (LINEAR, &["companiontype"], Only(&[1, 2, 3])),
    (LINEAR, &["startdelay"], From(-2)),
    (LINEAR, &["maxextended"], From(-1)),
    (&[], &["minduration", "skipmin", "skipafter", "minbitrate", "maxbitrate"], From(0)),
    (&[], &["maxduration", "poddur", "rqddurs", "maxseq"], From(1)),
    (&["DurFloor"], &["mindur", "maxdur"], From(0)),
    (&["Audio"], &["feed"], Listed(&[1, 2, 3, 4, 5, 6, 7])),
    (&["Audio"], &["nvol"], Listed(&[0, 1, 2, 3, 4])),
    (&["Qty"], &["multiplier"], NotNegative),
    (&["Qty"], &["sourcetype"], Listed(&[0, 1, 2, 3])),
    (&["RefSettings"], &["reftype"], Listed(&[0, 1, 2, 3])),
    (&["RefSettings"], &["minint"], From(0)),
    (&["Device"], &["devicetype"], Listed(&[1, 2, 3, 4, 5, 6, 7, 8])),
    (&["Device"], &["connectiontype"], Listed(&[0, 1, 2, 3, 4, 5, 6, 7])),
    (&["UserAgent"], &["source"], Listed(&[0, 1, 2, 3])),
    (&["Geo"], &["lat"], Between(-90, 90)),
    (&["Geo"], &["lon"], Between(-180, 180)),
    (&["Geo"], &["type"], Only(&[1, 2, 3])),
    (&["Geo"], &["accuracy", "lastfix"], From(0)),
    (&["Geo"], &["ipservice"], Listed(&[1, 2, 3, 4])),
    (&["Geo"], &["utcoffset"], Between(-840, 840)),
    (&["User"], &["yob"], Between(1900, 2100)),
    (&["Eid"], &["mm"], Listed(&[0, 1, 2, 3, 4, 5])),
    (&["Uid"], &["atype"], Listed(&[1, 2, 3])),
    (&["Content"], &["context"], Listed(&[1, 2, 3, 4, 5, 6, 7])),
    (&["Content"], &["prodq"], Only(&[0, 1, 2, 3])),
    (&["Content"], &["qagmediarating"], Only(&[1, 2, 3])),
    (&["Content"], &["len"], From(0)),
    (&["Dooh"], &["venuetypetax"], Listed(&[0, 1, 2, 3, 4, 5])),
    (NATIVE, &["context"], Listed(&[1, 2, 3])),
    (NATIVE, &["contextsubtype"], Listed(&[10, 11, 12, 13, 14, 15, 20, 21, 22, 30, 31, 32])),
    (NATIVE, &["plcmttype"], Listed(&[1, 2, 3, 4])),
    (&["Img"], &["type"], Listed(&[1, 2, 3])),
    (&["AssetData"], &["type"], Listed(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])),
    (&["EventTracker"], &["event"], Listed(&[1, 2, 3, 4, 5])),
    (&["EventTracker"], &["methods"], Listed(&[1, 2])),
    (&["Title"], &["len"], From(1)),
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

/// Kinds of objects, and the rule for them.
pub(super) const RELATIONS: &[(&[&str], Relation)] = &[
    (&["BidRequest"], Relation::OneOf(&["site", "app", "dooh"])),
    (&["BidRequest"], Relation::OneOf(&["wseat", "bseat"])),
    (&["BidRequest"], Relation::OneOf(&["wlang", "wlangb"])),
    (&["BidRequest"], Relation::OneOf(&["bcat", "acat"])),
    (&["BidRequest"], Relation::DifferentIds("imp")),
    (&["Imp"], Relation::SomeOf(&["banner", "video", "audio", "native"])),
    (&["Pmp"], Relation::DifferentIds("deals")),
    (AD, Relation::Together("w", "h")),
    (&["Format"], Relation::Together("wratio", "hratio")),
    (LINEAR, Relation::InOrder("minduration", "maxduration")),
    (LINEAR, Relation::InOrder("minbitrate", "maxbitrate")),
    (LINEAR, Relation::OneOf(&["rqddurs", "minduration"])),
    (LINEAR, Relation::OneOf(&["rqddurs", "maxduration"])),
    (&["DurFloor"], Relation::InOrder("mindur", "maxdur")),
    (&["Device", "Content"], Relation::OneOf(&["language", "langb"])),
    (&["Geo"], Relation::Together("lat", "lon")),
    (&["Asset"], Relation::OneOf(&["title", "img", "video", "data"])),
    (&["Asset"], Relation::SomeOf(&["title", "img", "video", "data"])),
];
