//! The device, its location and its user agent.

use crate::decode::{Decimal, Flag, JsonObject, Signal, object};

object! {
    /// A device (§3.2.18).
    pub struct Device {
        /// The device's current location.
        pub geo: Option<Geo>,
        /// 1: the browser asks not to track.
        pub dnt: Option<Signal<Flag>>,
        /// 1: tracking for ads is limited by the device's settings.
        pub lmt: Option<Signal<Flag>>,
        /// The browser's raw user agent string.
        pub ua: Option<String>,
        /// The user agent as an object; preferred to `ua` if both are given.
        pub sua: Option<UserAgent>,
        /// IPv4 address.
        pub ip: Option<String>,
        /// IPv6 address.
        pub ipv6: Option<String>,
        /// Kind of device (AdCOM list): 1 = mobile, 2 = computer, 3 = connected TV, 4 = phone, 5 = tablet and so on.
        pub devicetype: Option<i64>,
        /// Maker, e.g. `Apple`.
        pub make: Option<String>,
        /// Model, e.g. `iPhone`.
        pub model: Option<String>,
        /// Operating system, e.g. `iOS`.
        pub os: Option<String>,
        /// Version of the operating system.
        pub osv: Option<String>,
        /// Version of the hardware, e.g. `5S`.
        pub hwv: Option<String>,
        /// Screen height in physical pixels.
        pub h: Option<i64>,
        /// Screen width in physical pixels.
        pub w: Option<i64>,
        /// Pixels per inch.
        pub ppi: Option<i64>,
        /// Physical pixels per density-independent pixel.
        pub pxratio: Option<Decimal>,
        /// 1: runs JavaScript.
        pub js: Option<Flag>,
        /// 1: scripts in the banner can ask for the position.
        pub geofetch: Option<Flag>,
        /// Version of Flash.
        pub flashver: Option<String>,
        /// ISO 639-1 code of the browser's language.
        pub language: Option<String>,
        /// The language as a BCP 47 tag, instead of `language`.
        pub langb: Option<String>,
        /// Network operator, e.g. `VERIZON`.
        pub carrier: Option<String>,
        /// Mobile country and network code, joined by a dash, e.g. `310-005`.
        pub mccmnc: Option<String>,
        /// Connection (AdCOM list): 1 = Ethernet, 2 = Wi-Fi, 3 and above = cellular.
        pub connectiontype: Option<i64>,
        /// The advertising id, as the device gives it.
        pub ifa: Option<String>,
        /// SHA-1 of the hardware id; deprecated.
        pub didsha1: Option<String>,
        /// MD5 of the hardware id; deprecated.
        pub didmd5: Option<String>,
        /// SHA-1 of the platform's id; deprecated.
        pub dpidsha1: Option<String>,
        /// MD5 of the platform's id; deprecated.
        pub dpidmd5: Option<String>,
        /// SHA-1 of the MAC address; deprecated.
        pub macsha1: Option<String>,
        /// MD5 of the MAC address; deprecated.
        pub macmd5: Option<String>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }

    /// A location: of the device now, or of the person's home (§3.2.19).
    pub struct Geo {
        /// Latitude from -90 to 90 degrees, north positive.
        pub lat: Option<Decimal>,
        /// Longitude from -180 to 180 degrees, east positive.
        pub lon: Option<Decimal>,
        /// Source of the location: 1 = GPS, 2 = IP address, 3 = given by the user.
        pub kind as "type": Option<i64>,
        /// Accuracy in meters, where the device gives it.
        pub accuracy: Option<i64>,
        /// Seconds since the position was taken.
        pub lastfix: Option<i64>,
        /// The service that located the IP address (AdCOM list).
        pub ipservice: Option<i64>,
        /// ISO 3166-1 code of the country, three letters.
        pub country: Option<String>,
        /// ISO 3166-2 code of the region; in the USA the state's two letters.
        pub region: Option<String>,
        /// FIPS 10-4 code of the region.
        pub regionfips104: Option<String>,
        /// Nielsen's market area in the USA, as Google's metro codes.
        pub metro: Option<String>,
        /// City, as a UN/LOCODE.
        pub city: Option<String>,
        /// Postal code.
        pub zip: Option<String>,
        /// Minutes that local time is ahead of UTC.
        pub utcoffset: Option<i64>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }

    /// A structured user agent, as from client hints (§3.2.29).
    pub struct UserAgent {
        /// The browser and the software that it is built on.
        pub browsers: Vec<BrandVersion>,
        /// The operating system.
        pub platform: Option<BrandVersion>,
        /// 1: prefers content made for mobile devices.
        pub mobile: Option<Flag>,
        /// Instruction set, e.g. `x86` or `arm`.
        pub architecture: Option<String>,
        /// Word length of the instruction set in bits, e.g. `64`.
        pub bitness: Option<String>,
        /// Model of the device.
        pub model: Option<String>,
        /// Source of these data (AdCOM list): 1 = low-entropy hints, 2 = high-entropy hints, 3 = parsed from `ua`.
        /// Default 0, unknown.
        pub source: Option<i64>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }

    /// A browser or operating system (§3.2.30).
    pub struct BrandVersion {
        /// The browser's or system's name, e.g. `Chrome`.
        pub brand: Option<String> = required,
        /// The parts of the version, the major one first.
        pub version: Vec<String>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }
}
