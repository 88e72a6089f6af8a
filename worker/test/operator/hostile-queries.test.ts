//! More than a hundred hostile values for each parameter that has a range: each is refused with a 400 that names the
//! parameter, and before an object is asked. The ends of the ranges are answered.

import { beforeEach, describe, expect, it } from "vitest";
import { MAX_LISTED_FROM, MAX_ONE_IN, MAX_TAIL_SECONDS } from "../../../shared/limits.ts";
import { catalogDocument, simple } from "../support/fixtures.ts";
import { fresh, type Isolate, OPERATOR } from "../support/isolate.ts";

const YEARS = [
  ...["0000", "0001", "1000", "1582", "1900", "1969", "1970", "1999", "2100", "2999", "9998", "9999", "275760"],
  ...["+009999", "+010000", "+275760", "-000001", "-009999", "-271821", "+999999", "99999", "999999999", "1e4", "20"],
];
const DATES = ["-01-01", "-06-15", "-12-31", "-12-31T23:59:59.999Z"];
const NO_TIMES = [
  ...["", " ", "0", "-1", "1", "1e308", "Infinity", "NaN", "null", "undefined", "today", "2026-W01-1"],
  ...["2026-02-30T", "2026-13-01", "2026-00-10", "2026-01-00", "2026-01-32", "2026-1-1-1", "../2026-01-01"],
  ...["\u0000", "2026-01-01\u0000", "२०२६-01-01", "2026−01−01", "9".repeat(1000), "8640000000000001"],
];
const TIMES = [...YEARS.flatMap((year) => DATES.map((date) => year + date)), ...NO_TIMES];
/** Times, but no days. */
const DAYS = [...TIMES, "2026-11-18T00:00", "2026-11-18T00:00:00Z", "2026-02-30", "2026-1-1", "2026", " 2026-11-18"];

const NUMBERS = [
  ...["", " ", "-0", "-1", "+1", "0x10", "0b1", "1e1", "1e3", "1e308", "1e309", "1.5", "1.0", ".5", "1_000", "1,000"],
  ...[
    "Infinity",
    "-Infinity",
    "NaN",
    "null",
    "true",
    "[]",
    "{}",
    "one",
    "१",
    "１",
    " 1",
    "1 ",
    "1\n",
    "\u0000",
    "1\u0000",
  ],
  ...Array.from({ length: 80 }, (_, digits) => `9${"0".repeat(digits + 7)}`),
];

let isolate: Isolate;

beforeEach(async () => {
  isolate = await fresh(catalogDocument);
});

const refuse = () => {
  throw new Error("an object was asked");
};
const OBJECTS = { LEDGER: { getByName: refuse }, SUMMARY: { getByName: refuse } };

/** Asks with the value of the parameter. Returns the status and the error. */
async function ask(route: string, name: string, value: string, vars: object = OBJECTS): Promise<[number, string]> {
  const post = { ...OPERATOR, method: "POST", body: simple };
  const path = `${route}${route.includes("?") ? "&" : "?"}${name}=${encodeURIComponent(value)}`;
  const { response } = await isolate.start(path, route.startsWith("/explain") ? post : OPERATOR, vars);
  if (response.status !== 400) await response.body?.cancel();
  return [response.status, response.status === 400 ? (await response.json<{ error: string }>()).error : ""];
}

describe.each<[route: string, parameter: string, values: string[], good: string[]]>([
  ["/report", "to", DAYS, ["2000-01-01", "2099-12-31", "2024-02-29"]],
  ["/report?to=2099-12-31", "from", DAYS, ["2099-12-31", "2098-11-27"]],
  ["/explain/demo", "now", TIMES, ["2000-01-01T00:00Z", "2099-12-31T23:59:59.999Z", "2026-11-18"]],
  ["/tail", "seconds", [...NUMBERS, "0", `${MAX_TAIL_SECONDS + 1}`], ["1", `${MAX_TAIL_SECONDS}`]],
  ["/tail", "one_in", [...NUMBERS, `${MAX_ONE_IN + 1}`], ["0", "1", `${MAX_ONE_IN}`]],
  ["/inspect/api/catalog", "from", [...NUMBERS, `${MAX_LISTED_FROM + 1}`], ["0", "7", `${MAX_LISTED_FROM}`]],
])("%s, %s", (route, name, values, good) => {
  it(`refuses ${values.length} hostile values`, async () => {
    expect(new Set(values).size).toBeGreaterThan(100);
    for (const value of new Set(values)) {
      const [status, error] = await ask(route, name, value);
      expect([value, status, error]).toEqual([value, 400, expect.stringMatching(new RegExp(`^${name}: .*expected`))]);
    }
  });

  it.each(good)("answers %s", async (value) => {
    const [report, absorbed] = [async () => [], async () => ({ totals: [], places: [], objects: 0 })];
    const vars = { LEDGER: { getByName: () => ({ report }) }, SUMMARY: { getByName: () => ({ report: absorbed }) } };
    expect((await ask(route, name, value, vars))[0]).toBe(200);
  });
});
