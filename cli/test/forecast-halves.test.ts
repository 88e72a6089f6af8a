//! A forecast from the first half of a recording says what the second half has, for 100 generated campaigns: counts within
//! 10 %, and intervals that hold.

import { beforeAll, expect, it } from "vitest";
import { generate as catalogOf } from "../../bench/catalogs/generate.ts";
import { compile } from "../../shared/catalog/compile.ts";
import { type Found, reachOf } from "../../tools/forecast/reach.ts";
import { Sample } from "../../tools/forecast/sample.ts";
import { documentsFor } from "../../tools/forecast/variants.ts";
import { unit } from "../../tools/traffic/draw.ts";
import { generate } from "../../tools/traffic/generate.ts";
import { Random } from "../../tools/traffic/random.ts";
import { bytesOf } from "../catalog/store.ts";
import { compiler } from "../module.ts";

const CAMPAIGNS = 100;
const LINES = 30_000;
const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 10, 16);
/** The length of each half. */
const HOURS = 24;
const BAD = { bad: { count: 0, first: [] }, problems: [] };

/** When each request came, in milliseconds from the start of the recording, if `rate` is how many come at an hour. */
function timesWith(rate: (hour: number) => number): number[] {
  const random = new Random(9);
  const times: number[] = [];
  while (times.length < LINES) {
    const hour = unit(random) * 2 * HOURS;
    if (unit(random) < rate(hour)) times.push(hour * HOUR_MS);
  }
  return times.sort((a, b) => a - b);
}

/** What each campaign matches, as the numbers of the lines. */
const found = new Map<string, Found>();

beforeAll(() => {
  const catalog = catalogOf(CAMPAIGNS);
  // Most generated campaigns are narrow. These are as wide as it takes to match often.
  for (const [n, campaign] of catalog.campaigns.entries()) {
    const all = Object.entries((campaign["target"] ?? {}) as object).filter(
      ([name]) => name !== "hours" && name !== "zone",
    );
    const target = Object.fromEntries(all.slice(0, n % 4));
    campaign["target"] = target;
    campaign.max_cpm = "9.00";
  }
  const requests = generate(1, { catalog: catalog as object });
  const bodies = Array.from({ length: LINES }, () => bytesOf(requests.next().value));
  const { snapshot } = compile(bytesOf(JSON.stringify(catalog)), compiler);
  for (const { cid } of catalog.campaigns) {
    const documents = documentsFor({ ...catalog }, cid);
    const sample = new Sample(
      { name: "", version: "0".repeat(16), snapshot },
      documents,
      { started: START, oneIn: 1 },
      () => {},
    );
    for (const [position, body] of bodies.entries()) {
      if (position % 10_000 === 0) sample.forget();
      sample.decide({ body, ssp: "demo", now: START }, position);
    }
    found.set(cid, sample);
  }
}, 1_800_000);

/** The part of what was found from line `first` to before line `end`, at these times. */
function part(whole: Found, times: number[], first: number, end: number): Found {
  const own = (lines: number[]) =>
    lines.filter((line) => line >= first && line < end).map((line) => START + (times[line] ?? 0));
  return {
    ...{ isTimed: true, oneIn: 1 },
    ...{ requests: own(whole.requests), matches: own(whole.matches), capped: own(whole.capped), bids: own(whole.bids) },
    without: new Map([...whole.without].map(([name, lines]) => [name, own(lines)])),
    people: new Map(),
  };
}

const WAVES: [name: string, rate: (hour: number) => number][] = [
  ["even", () => 1],
  ["in waves of a day", (hour) => 0.5 - 0.4 * Math.cos((hour / 24) * 2 * Math.PI)],
  ["in bursts of some minutes", (hour) => (Math.floor(hour * 12) % 3 === 0 ? 1 : 0.25)],
];

it.each(WAVES)("traffic that is %s", (_, rate) => {
  const times = timesWith(rate);
  const middle = times.findIndex((time) => time >= HOURS * HOUR_MS);
  const pairs = [...found.values()].flatMap((whole) => {
    const first = reachOf(part(whole, times, 0, middle), BAD, { name: "", days: HOURS / 24 }, { isCapped: false });
    const second = part(whole, times, middle, LINES);
    return [
      { what: "matches", estimate: first.matches, actual: second.matches.length },
      ...first.attributes.map((row) => ({
        what: row.without,
        estimate: row,
        actual: second.without.get(row.without)?.length ?? 0,
      })),
    ];
  });
  const matches = pairs.filter(({ what }) => what === "matches");
  const large = matches.filter(({ actual }) => actual >= 1000);
  const far = large.filter(({ estimate, actual }) => Math.abs(estimate.count - actual) > actual / 10);
  const holds = ({ estimate: { low, high }, actual }: (typeof pairs)[number]) =>
    (low ?? Number.NaN) <= actual && actual <= (high ?? Number.NaN);
  expect(large.length).toBeGreaterThanOrEqual(30);
  // Two counts of 1,000 differ by more than 10 % in 3 of 100 cases, by chance alone.
  expect(far.length).toBeLessThanOrEqual(large.length / 20);
  expect(matches.filter(holds).length).toBeGreaterThanOrEqual(90);
  expect(pairs.filter(holds).length).toBeGreaterThanOrEqual(pairs.length * 0.9);
});
