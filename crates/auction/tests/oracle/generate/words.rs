//! The words that the oracle has to know.

/// Lists that rules of every dimension of texts share: one list has values of many dimensions.
pub const LISTS: &[(&str, &str)] = &[
    ("mixed", "news.example DEU iOS p1 w2 top IAB1 Berlin cars drama en Apple Chrome"),
    ("more", "sport.NEWS.example FRA p1 P2 w1 side iab1-2 IAB10 PARIS news de 5s 10115"),
    ("apps", "com.acme.app www.blog.example USA us-ca 501 sm-s918b Android Vodafone hgtv ABC TV-MA uidapi.com"),
];

/// Lists of ranges. Some ranges are inside others, beside others, or end with the last address.
pub const RANGES: &[(&str, &str)] = &[
    ("offices", "203.0.113.0/25 203.0.113.128/25 2001:db8:1::/48 2001:db8:2::/64"),
    ("hosts", "203.0.113.7 198.51.100.0/24 203.0.113.192/26 203.0.113.192/27 2001:db8:1::7 224.0.0.0/3"),
    ("networks", "::ffff:198.51.0.0/112 203.0.112.0/23 2001:db8::/32 ffff::/16"),
];

pub const SSPS: &[&str] = &["north", "south"];
pub const CIDS: &[&str] = &["k0", "k1", "k2", "k3", "k4", "k5"];
pub const CRIDS: &[&str] = &["c0", "c1", "c2", "c3"];

/// Countries of requests, each with its code in three letters.
pub const COUNTRY_NOTATIONS: &[(&str, &str)] =
    &[("DEU", "DEU"), ("FRA", "FRA"), ("USA", "USA"), ("DE", "DEU"), ("fr", "FRA"), ("US", "USA"), ("XX", "XX")];

/// User agents and their browsers.
pub const BROWSERS: &[(&str, &str)] = &[
    (
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
        "Chrome",
    ),
    (
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.2592.87",
        "Edge",
    ),
    (
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36 OPR/110.0.0.0",
        "Opera",
    ),
    (
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
        "Safari",
    ),
    (
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1",
        "Chrome",
    ),
    ("Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0", "Firefox"),
    (
        "Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36",
        "Samsung Internet",
    ),
];

/// Starts of campaigns, each in milliseconds since the epoch. Some are equal to a generated time, or a millisecond later.
pub const STARTS: &[(&str, i64)] = &[
    ("2026-03-29T01:30Z", 1_774_747_800_000),
    ("2026-07-16T00:30:00+02:00", 1_784_154_600_000),
    ("2026-07-15T22:30:00.001Z", 1_784_154_600_001),
];
/// Ends of campaigns, all after every start.
pub const ENDS: &[(&str, i64)] = &[
    ("2026-07-16T04:00:00.002+05:30", 1_784_154_600_002),
    ("2026-10-24T17:30:00.001-08:00", 1_792_891_800_001),
    ("2026-12-31T23:30:00Z", 1_798_759_800_000),
];
