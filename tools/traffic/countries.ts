//! The values of a request that depend on a country: language, currency of floors, carriers, and cities with their
//! codes. A country without an entry has only a code and English.

export interface City {
  region: string;
  city: string;
  /** The first characters of its postal codes; two digits follow. */
  zips: string;
  lat: number;
  lon: number;
  /** Minutes from UTC in November. */
  utcoffset: number;
}

export interface Country {
  /** The two-letter code, which some exchanges send; empty if it is not known here. */
  short: string;
  language: string;
  /** The currency in which its exchanges often write floors. */
  cur: string;
  carriers: readonly (readonly [name: string, mccmnc: string])[];
  cities: readonly City[];
  /** The law that asks for consent. */
  law?: "gdpr" | "us";
}

const city = (text: string): City => {
  const [region = "", name = "", zips = "", lat, lon, utcoffset] = text.split("|");
  return { region, city: name, zips, lat: Number(lat), lon: Number(lon), utcoffset: Number(utcoffset) };
};

const carriers = (text: string) => text.split(", ").map((entry) => entry.split(" = ") as [string, string]);

/** `codes`: the two-letter code, the language and the currency. */
const country = (codes: string, names: string, cities: string[], law?: Country["law"]): Country => {
  const [short = "", language = "", cur = ""] = codes.split(" ");
  return { short, language, cur, carriers: carriers(names), cities: cities.map(city), ...(law && { law }) };
};

const COUNTRIES: Readonly<Record<string, Country>> = {
  DEU: country(
    "DE de EUR",
    "Telekom = 262-01, Vodafone = 262-02, O2 = 262-03",
    ["BE|Berlin|101|52.52|13.405|60", "HH|Hamburg|200|53.551|9.994|60", "BY|München|803|48.137|11.575|60"],
    "gdpr",
  ),
  USA: country(
    "US en USD",
    "Verizon = 311-480, AT&T = 310-410, T-Mobile = 310-260",
    [
      "CO|Denver|802|39.7392|-104.9903|-420",
      "NY|New York|100|40.7128|-74.006|-300",
      "CA|Los Angeles|900|34.05|-118.24|-480",
    ],
    "us",
  ),
  FRA: country(
    "FR fr EUR",
    "Orange = 208-01, SFR = 208-10",
    ["IDF|Paris|750|48.8566|2.3522|60", "ARA|Lyon|690|45.764|4.8357|60"],
    "gdpr",
  ),
  GBR: country("GB en GBP", "EE = 234-30, O2 = 234-10", ["ENG|London|EC1|51.5074|-0.1278|0"], "gdpr"),
  JPN: country("JP ja JPY", "NTT DOCOMO = 440-10, SoftBank = 440-20", ["13|東京|100-00|35.6762|139.6503|540"]),
  BRA: country("BR pt BRL", "Vivo = 724-06, Claro = 724-05", ["SP|São Paulo|010|-23.5505|-46.6333|-180"]),
  IND: country("IN en USD", "Jio = 405-857, Airtel = 404-45", ["MH|Mumbai|4000|19.076|72.8777|330"]),
  CAN: country("CA en CAD", "Rogers = 302-720, Bell = 302-610", ["ON|Toronto|M5|43.6532|-79.3832|-300"]),
  ITA: country("IT it EUR", "TIM = 222-01, Vodafone = 222-10", ["RM|Roma|001|41.9028|12.4964|60"], "gdpr"),
  ESP: country("ES es EUR", "Movistar = 214-07, Orange = 214-03", ["MD|Madrid|280|40.4168|-3.7038|60"], "gdpr"),
  NLD: country("NL nl EUR", "KPN = 204-08, Odido = 204-16", ["NH|Amsterdam|10|52.3676|4.9041|60"], "gdpr"),
  POL: country("PL pl PLN", "Play = 260-06, Orange = 260-03", ["MZ|Warszawa|00-|52.2297|21.0122|60"], "gdpr"),
  AUS: country("AU en AUD", "Telstra = 505-01, Optus = 505-02", ["NSW|Sydney|20|-33.8688|151.2093|660"]),
};

const OTHERS = country(" en USD", "Mobile One = 901-01", []);

/** More countries where the GDPR applies. */
const GDPR = new Set("SWE AUT BEL DNK NOR FIN PRT CZE GRC IRL ROU HUN SVK BGR HRV SVN LTU LVA EST LUX ISL".split(" "));

export function cityNamed(name: string): City | undefined {
  return Object.values(COUNTRIES)
    .flatMap(({ cities }) => cities)
    .find(({ city }) => city === name);
}

export function countryOf(code: string): Country {
  return COUNTRIES[code] ?? (GDPR.has(code) ? { ...OTHERS, cur: "EUR", law: "gdpr" } : OTHERS);
}
