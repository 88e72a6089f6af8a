//! The values that the generator uses. Lists are short, so that requests and catalogs often agree.

/// Lists that rules of every dimension of texts share: one list has values of many dimensions.
pub const LISTS: &[(&str, &[&str])] = &[
    (
        "mixed",
        &["news.example", "DEU", "iOS", "p1", "w2", "top", "IAB1", "Berlin", "cars", "drama", "en", "Apple", "Chrome"],
    ),
    (
        "more",
        &[
            "sport.NEWS.example",
            "FRA",
            "p1",
            "P2",
            "w1",
            "side",
            "iab1-2",
            "IAB10",
            "PARIS",
            "news",
            "de",
            "5s",
            "10115",
        ],
    ),
    (
        "apps",
        &[
            "com.acme.app",
            "www.blog.example",
            "USA",
            "us-ca",
            "501",
            "sm-s918b",
            "Android",
            "Vodafone",
            "hgtv",
            "ABC",
            "TV-MA",
            "uidapi.com",
        ],
    ),
];

/// The values of a targeting attribute of texts or ids, in targets and in requests.
pub fn words_of(attribute: &str) -> &'static [&'static str] {
    match attribute {
        "country" => COUNTRIES,
        "region" => &["DE-BE", "US-CA"],
        "metro" => &["501", "803"],
        "city" => &["Berlin", "Paris"],
        "zip" => &["10115", "90210"],
        "make" => &["Apple", "Samsung"],
        "model" => &["iPhone", "SM-S918B"],
        "os" => SYSTEMS,
        "browser" => &["Chrome", "Safari", "Edge", "Firefox", "Opera", "Samsung Internet", "Chromium"],
        "language" | "content_language" => LANGUAGES,
        "carrier" => &["Vodafone", "310-005"],
        "domain" => &["news.example", "sport.news.example", "NEWS.example", "example.blog"],
        "bundle" => APPS,
        "publisher" => &["p1", "p2"],
        "id" => &["w1", "w2"],
        "tagid" | "gpid" => TAGS,
        "cat" => CATEGORIES,
        "genre" => &["drama", "sport"],
        "contentrating" => &["PG-13", "TV-MA"],
        "network" => &["ABC", "Discovery"],
        "content_channel" => &["HGTV", "Five"],
        "keywords" => KEYWORDS,
        "eids" => SOURCES,
        _ => &["5S", "other"],
    }
}

/// The values of a targeting attribute of numbers.
pub fn codes_of(attribute: &str) -> &'static [i64] {
    match attribute {
        "devicetype" => &[1, 2, 4, 5],
        "connectiontype" => &[2, 6, 0],
        "pos" => &[1, 3, 0],
        "startdelay" => &[0, -1, -2, 15],
        "playbackmethod" => PLAYBACKS,
        "podseq" | "slotinpod" => &[-1, 0, 1],
        _ => &[1, 2, 4],
    }
}

pub const SEATS: &[&str] = &["s1", "s2", "s3"];
/// The seats of requests, by the names of both SSPs.
pub const SEAT_NAMES: &[&str] = &["s1", "s2", "s3", "t1"];
pub const SSPS: &[&str] = &["north", "south"];
pub const DEALS: &[&str] = &["d1", "d2", "d3"];
pub const CIDS: &[&str] = &["k0", "k1", "k2", "k3", "k4", "k5"];
pub const CRIDS: &[&str] = &["c0", "c1", "c2", "c3"];
pub const ADVERTISERS: &[&str] = &["acme.example", "shop.acme.example", "velo.example", "notacme.example"];
pub const BLOCKED_ADVERTISERS: &[&str] =
    &["ACME.example", "acme.example", "velo.example", "a.velo.example", "example.acme"];
/// Unusual notations of a domain; `@` stands for the domain.
pub const DOMAIN_NOTATIONS: &[&str] =
    &["@.", "https://@/a?b=https://other.example", " @ ", "other.example, @", "@:443", "*.@ x.example"];
/// Categories of taxonomy 1: parents, children, and numbers that begin alike.
pub const CATEGORIES: &[&str] = &["IAB1", "IAB1-2", "IAB1-22", "IAB2", "IAB2-3", "IAB10"];
pub const TAXONOMIES: &[i64] = &[1, 1, 1, 1, 6];
pub const APPS: &[&str] = &["com.acme.app", "123456789"];

/// A URL with the macros that the bidder fills, and with others.
pub const WITH_MACROS: &str = "https://t.example/?i=${AUCTION_ID}&b=${AUCTION_BID_ID}&m=${AUCTION_IMP_ID}&s=${AUCTION_SEAT_ID}&c=${AUCTION_CURRENCY}&p=${AUCTION_PRICE}&x=${AUCTION_MULTIPLIER}&e=${AUCTION_PRICE:B64}&l=${AUCTION_LOSS}";

/// A URL with the bidder's own macros, except the random one, and with one of the exchange.
pub const WITH_OURS: &str = "https://t.example/?r={request.id}&i={imp.id}&t={imp.tagid}&b={bid.id}&c={cid}&k={crid}&s={seat}&x={ssp}&d={deal.id}&h={site.domain}&p={site.page}&a={app.bundle}&u={publisher.id}&f={device.ifa}&o={device.os}&n={country}&g={gdpr}&q={gdpr_consent}&v={gpp}&w={gpp_sid}&y={us_privacy}&z={coppa}&l={timestamp}&m=${AUCTION_CURRENCY}";
/// Markup with the bidder's own macros in a text, an attribute, a script and a URL.
pub const MARKUP_WITH_OURS: &str = "<b title=\"{seat} {request.id}\">{imp.tagid}{site.page}</b><script>f('{request.id}', \"{country}\")</script><img src=\"https://t.example/?p={site.page}&amp;r={request.id}\">";

pub const COUNTRIES: &[&str] = &["DEU", "FRA", "USA"];
/// Countries of requests, each with its code in three letters.
pub const COUNTRY_NOTATIONS: &[(&str, &str)] =
    &[("DEU", "DEU"), ("FRA", "FRA"), ("USA", "USA"), ("DE", "DEU"), ("fr", "FRA"), ("US", "USA"), ("XX", "XX")];
/// Latitude and longitude, far from the edge of every generated circle.
pub const POINTS: &[(f64, f64)] = &[
    (52.52, 13.405),
    (52.57, 13.405),
    (52.3906, 13.0645),
    (48.8566, 2.3522),
    (0.0, 179.99),
    (-89.9, 0.0),
    (-33.8688, 151.2093),
];
pub const CENTRES: &[(&str, &str)] = &[("52.52", "13.405"), ("48.8566", "2.3522"), ("0", "-179.99"), ("-89.9", "180")];
pub const METRES: &[i64] = &[1_000, 8_000, 50_000, 900_000];
pub const SYSTEMS: &[&str] = &["iOS", "Android"];
pub const VERSIONS: &[&str] = &["16.4", "17", "17.0.1", "17.1", "9"];
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
/// The brands that browsers send in `sua`.
pub const BRANDS: &[&[&str]] =
    &[&["Not/A)Brand", "Chromium", "Google Chrome"], &["Chromium", "Microsoft Edge", "Not.A/Brand"], &["Firefox"]];
pub const LANGUAGES: &[&str] = &["en", "de", "fr"];
pub const LANGUAGE_TAGS: &[&str] = &["en-US", "de-AT", "fr"];

pub const DOMAINS: &[&str] = &["news.example", "sport.news.example", "badnews.example", "blog.example"];
pub const TAGS: &[&str] = &["top", "side"];
pub const KEYWORDS: &[&str] = &["cars", "news", "garden"];
pub const PROVIDERS: &[&str] = &["dmp", "graph"];
pub const SEGMENTS: &[&str] = &["g1", "g2"];
pub const METHODS: &[i64] = &[0, 2, 3, 5];
pub const SOURCES: &[&str] = &["id5-sync.com", "uidapi.com"];
pub const SYSTEMS_OF_CHAIN: &[&str] = &["ssp.example", "sub.ssp.example", "reseller.example"];
pub const METRICS: &[&str] = &["viewability", "click_through_rate"];
pub const VENDORS: &[&str] = &["EXCHANGE", "moat.example"];
pub const SHARES: &[&str] = &["0.3", "0.7", "0.700001"];

pub const SIZES: &[(i64, i64)] = &[(300, 250), (320, 50)];
pub const RATIOS: &[(i64, i64)] = &[(6, 5), (12, 10), (16, 9)];
pub const PLAYERS: &[(i64, i64)] = &[(640, 360), (1280, 720), (400, 400)];
pub const BANNER_MIMES: &[&str] = &["text/html", "image/gif", "application/javascript"];
pub const VIDEO_MIMES: &[&str] = &["video/mp4", "video/webm", "application/x-mpegurl"];
pub const AUDIO_MIMES: &[&str] = &["audio/mpeg", "audio/mp4"];
pub const DURATIONS: &[i64] = &[6, 15, 16, 30];
pub const PLAYBACKS: &[i64] = &[1, 2, 6];
/// Sizes of companions.
pub const COMPANIONS: &[(i64, i64)] = &[(300, 250), (728, 90)];
pub const PROTOCOLS: &[i64] = &[2, 3, 7, 13];
pub const BITRATES: &[i64] = &[400, 1200, 3000];
/// Networks of SKAdNetwork.
pub const APP_NETWORKS: &[&str] = &["abc123.skadnetwork", "xyz.skadnetwork"];
pub const APIS: &[i64] = &[2, 5, 7, 8];
pub const ATTRIBUTES: &[i64] = &[3, 13, 16];

/// Prices of campaigns and, plus or minus a micro, floors of sellers.
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
pub const MICROS: &[i64] = &[1_000_000, 1_650_000, 2_500_000, 2_500_001, 430_134];
pub const CURRENCIES: &[&str] = &["USD", "USD", "EUR", "JPY"];
