//! The values that generated catalogs and requests share, with the frequency of each value. Without shared values no
//! campaign would match a request. The values in `bench/bodies/` are included.

import { type City, cityNamed } from "./countries.ts";
import { shares, zipf } from "./draw.ts";

const SYLLABLES = ["ka", "ri", "mo", "ta", "lu", "ne", "so", "vi", "be", "du", "fa", "go"];

/** Zipf with exponent 1.1: the first country gets a quarter of all draws, the last one 0.3 %. */
export const COUNTRIES = zipf(
  (
    "DEU USA FRA GBR JPN BRA IND CAN ITA ESP AUS NLD MEX POL KOR SWE CHE AUT BEL TUR IDN DNK NOR FIN PRT CZE " +
    "GRC IRL ROU HUN ARG CHL COL PER ZAF NGA EGY MAR SAU ARE ISR THA VNM MYS PHL SGP HKG TWN NZL UKR SVK BGR " +
    "HRV SVN SRB LTU LVA EST LUX ISL"
  ).split(" "),
  1.1,
);

/** Approximate share of impressions per size, on the open web and in apps. */
export const SIZES = shares(
  "300x250 40, 320x50 21, 728x90 12, 160x600 7, 300x600 6, 970x250 5, 320x100 4, 336x280 3, 320x480 1.5, 468x60 0.5",
  (size) => size.split("x").map(Number) as [w: number, h: number],
);

export const MEDIA = shares<"banner" | "video" | "native" | "audio">("banner 72, video 17, native 9, audio 2");

/** Device types of AdCOM: phone, personal computer, tablet, connected TV, set-top box. */
export const DEVICE_TYPES = shares("4 62, 2 22, 5 7, 3 6, 7 3", Number);

export const SYSTEMS = shares("Android 48, iOS 30, Windows 14, macOS 6, Linux 2");

/** Zipf with exponent 0.9 over 2,000 sites. */
export const DOMAINS = zipf(
  ["abendblatt.example", "news.example", "motsetcie.example", "magazine.example", ...named(1996, ".example")],
  0.9,
);

/** Zipf with exponent 0.9 over 1,000 apps. */
export const BUNDLES = zipf(["1234567890", "com.example.weather", ...named(998, "", "com.")], 0.9);

/** Zipf with exponent 0.9 over 500 publishers. */
export const PUBLISHERS = zipf(["pub-7781", "pub-1", ...Array.from({ length: 498 }, (_, at) => `pub-${at + 2}`)], 0.9);

/** Zipf with exponent 0.8 over 3,000 segments: provider and id. */
export const SEGMENTS = zipf(
  Array.from({ length: 3000 }, (_, at) => ({ provider: String(1000 + (at % 8)), id: String(100_000 + at) })),
  0.8,
);

/** Zipf with exponent 0.7 over 300 categories of Content Taxonomy 1.0. The categories of `bench/bodies/` come first. */
export const CATEGORIES = zipf(
  [
    ...["IAB12", "IAB9-30", "IAB1", "IAB12-2", "IAB9", "IAB1-7"],
    ...Array.from({ length: 294 }, (_, at) => `IAB${1 + (at % 24)}-${1 + Math.floor(at / 12)}`),
  ],
  0.7,
);

/** Zipf with exponent 0.8 over 300 deals. */
export const DEALS = zipf(
  Array.from({ length: 300 }, (_, at) => `deal-${String(at).padStart(4, "0")}`),
  0.8,
);

/** Cities that catalogs target. */
export const CITIES = ["Berlin", "Hamburg", "Paris", "London", "Denver"].map(cityNamed) as [City, ...City[]];

export const KEYWORDS = zipf("konzert kultur hof berlin reise auto garten kochen sport finanzen".split(" "), 0.7);

/** `count` different names. */
function named(count: number, end: string, begin = ""): string[] {
  const syllable = (at: number, digit: number) => SYLLABLES[Math.floor(at / 12 ** digit) % 12] ?? "";
  const name = (at: number) => [0, 1, 2, 3].map((digit) => syllable(at, digit)).join("");
  return Array.from({ length: count }, (_, at) => `${begin}${name(at)}${end}`);
}
