//! `GET /healthz` and `GET /budget`: who sees what, and what the pacer tells of budgets and bills.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { POINTER_KEY } from "../../../shared/catalog/pointer.ts";
import type { BudgetState } from "../../../shared/pacing/budgets.ts";
import { Pacer } from "../../src/pacing/pacer.ts";
import { cheap, example, priced } from "../support/catalogs.ts";
import { now } from "../support/clock.ts";
import { fresh, type Isolate, NOTICE_KEYS, OPERATOR } from "../support/isolate.ts";

let isolate: Isolate;
let told: MockInstance<Pacer["told"]>;
let alarms: MockInstance<Pacer["alarms"]>;

beforeEach(async () => {
  isolate = await fresh();
  told = vi.spyOn(Pacer.prototype, "told");
  alarms = vi.spyOn(Pacer.prototype, "alarms").mockResolvedValue([]);
});

async function answer(path: string, init: RequestInit = OPERATOR, vars: object = {}): Promise<string> {
  const response = await isolate.fetch(path, init, vars);
  return `${response.status} ${await response.text()}`;
}

const health = (init?: RequestInit, vars?: object) => answer("/healthz", init, vars);
const budgeted = example({ spring: { budget: { daily: "5" } } });
const NO_TOKEN = { OPERATOR_TOKEN: "" };

describe("an isolate that refused its catalog", () => {
  beforeEach(() => env.CATALOG.put(POINTER_KEY, priced("7.77secret")));

  const [NOTHING, ALL] = [/^503 \{"ok":false\}$/, /^503 \{"ok":false,"catalog":\{.*7\.77secret/];

  it.each<[string, RequestInit, object, RegExp]>([
    ["nothing without a token", {}, {}, NOTHING],
    ["nothing with a token but without an operator", OPERATOR, NO_TOKEN, NOTHING],
    ["nothing without a token and without an operator", {}, NO_TOKEN, NOTHING],
    ["nothing on a host that looks local", { headers: { host: "127.0.0.1" } }, NO_TOKEN, NOTHING],
    ["the operator what was refused", OPERATOR, {}, ALL],
    ["everybody what was refused if anybody is the operator", {}, { OPERATOR: "anybody", ...NO_TOKEN }, ALL],
  ])("shows %s", async (_, init, vars, shown) => {
    expect(await health(init, vars)).toMatch(shown);
  });

  it("with npm start, only a caller that names this machine is the operator", async () => {
    const on = (host: string, headers = {}) =>
      answer(`http://${host}/healthz`, { headers }, { OPERATOR: "local", ...NO_TOKEN });
    const others = ["rebound.example:8787", "localhost.example", "127.0.0.1.nip.example", "192.168.0.2:8787"];
    for (const host of ["localhost:8787", "127.0.0.1:8787", "[::1]:8787", "LOCALHOST"])
      expect(await on(host)).toMatch(ALL);
    for (const host of others) expect(await on(host)).toMatch(NOTHING);
    // A browser lets any page send a POST here, and names the page.
    for (const origin of ["http://127.0.0.1:8787", "http://localhost:8787"])
      expect(await on("127.0.0.1:8787", { origin })).toMatch(ALL);
    for (const origin of ["https://page.example", "http://localhost.example", "null"])
      expect(await on("127.0.0.1:8787", { origin })).toMatch(NOTHING);
    // The GET of an image or a script has no Origin.
    for (const [site, shown] of [
      ["none", ALL],
      ["same-origin", ALL],
      ["same-site", NOTHING],
      ["cross-site", NOTHING],
    ] as const)
      expect(await on("localhost:8787", { "sec-fetch-site": site })).toMatch(shown);
  });
});

it("shows the operator how old the shares are and whether counts get through, if there are budgets", async () => {
  await isolate.serve(cheap);
  expect(await health()).toContain('"pacing":null');
  await isolate.serve(budgeted);
  expect(await health()).toMatch(/"pacing":{"budgets":1,"pairs":[3-9],"age":null,"exchanged":null,"failure":null}/);
  const RELAY = { getByName: () => ({ exchange: async () => `${now() - 7000}\n` }) };
  await isolate.bid({}, { RELAY, NOTICE_KEYS });
  expect(await health()).toMatch(/"pacing":{"budgets":1,"pairs":[3-9],"age":[78],"exchanged":[01],"failure":null}/);
});

it("shows the operator, and nobody else, what is wrong with bills, if there are budgets", async () => {
  alarms.mockResolvedValue([{ what: "refused", ssp: "demo", count: 7, nanos: "1500000000", cur: "EUR" }]);
  await isolate.serve(cheap);
  expect(await health()).toContain('"alarms":[]');
  await isolate.serve(budgeted);
  const shown = '"alarms":[{"what":"refused","ssp":"demo","count":7,"cur":"EUR","amount":"1.5"}]';
  expect(await health()).toContain(shown);
  expect(await health({})).toBe('200 {"ok":true}');
  alarms.mockRejectedValue(new Error("overloaded"));
  expect(await health()).toContain('"alarms":null');
});

it("shows the operator which SSPs of the catalog that serves need price keys, before any bid", async () => {
  const vars = { NOTICE_KEYS, PRICE_KEYS: '{"dmeo":{"encryption":"x"}}' };
  await isolate.serve(example({ demo: { price_codec: "unity" } }));
  expect(await health({}, vars)).toBe('200 {"ok":true}');
  const errors =
    '"notices":{"on":true,"errors":["demo: price_codec unity, and PRICE_KEYS has no keys for it: its bills';
  expect(await health(OPERATOR, vars)).toContain(errors);
  expect(await health()).toContain('"notices":{"on":false,');
  await isolate.serve(cheap);
  expect(await health(OPERATOR, vars)).toContain('"notices":{"on":true,"errors":[]}');
});

describe("budgets", () => {
  const TOLD: BudgetState = {
    ...{ cid: "shoes", cur: "EUR", day: 20_778, daily: "200000000000", total: "0", asap: false },
    planned: "100000000001",
    ...{ spent_today: "96400000001", spent: "96400000001", exposed: "1250000000", left: "102349999999" },
    ...{ share: 3, requests: 1840, forecast: "18446744073709551615", why: "on-plan" },
  };
  const { cid: _, ...rest } = TOLD;
  const shown = {
    ...{ cur: "EUR", day: "2026-11-21", pacing: "even", daily: "200", spent: "96.400000001", exposed: "1.25" },
    planned: "100.000000001",
    ...{ left: "102.349999999", share: "0.0000000007", requests: 1840, forecast: "18446744073.709551615" },
    state: "on-plan",
    why: "on plan",
  };
  const { daily: _daily, planned: _planned, ...total } = shown;

  const ask = async (query = "", init?: RequestInit) => {
    const [, status, body = ""] = /^(\d+) (.*)/.exec(await answer(`/budget${query}`, init)) ?? [];
    return [Number(status), body && JSON.parse(body)];
  };

  it.each<[string, BudgetState, object]>([
    ["amounts as decimals, to the last place", TOLD, { ...shown, cid: "shoes" }],
    [
      "an order with its campaigns",
      { ...rest, order: "io", members: ["a", "b"] },
      { ...shown, order: "io", members: ["a", "b"] },
    ],
    [
      "what all days of a flight cost",
      { ...TOLD, daily: "0", total: "5000000000", asap: true, share: 2 ** 32 - 1 },
      { ...total, cid: "shoes", pacing: "asap", total: "5", spent_total: "96.400000001", share: "1" },
    ],
  ])("shows %s", async (_, state, expected) => {
    told.mockResolvedValue([state]);
    expect(await ask()).toEqual([200, { campaigns: [expected], alarms: [] }]);
    expect(told).toHaveBeenLastCalledWith(undefined);
    await ask("?cid=shoes");
    expect(told).toHaveBeenLastCalledWith("shoes");
  });

  it("shows alarms, with decimals", async () => {
    told.mockResolvedValue([]);
    const missing = { what: "missing", place: "2026-11-22/07" };
    alarms.mockResolvedValue([missing, { what: "refused", ssp: "demo", count: 7, nanos: "12500000001", cur: "EUR" }]);
    const refused = { what: "refused", ssp: "demo", count: 7, amount: "12.500000001", cur: "EUR" };
    expect(await ask()).toEqual([200, { campaigns: [], alarms: [missing, refused] }]);
  });

  it("503 if the pacer has just started or does not answer", async () => {
    told.mockResolvedValueOnce(null);
    expect(await ask()).toEqual([503, { error: expect.stringContaining("just started") }]);
    told.mockRejectedValueOnce(new Error("overloaded"));
    expect(await ask()).toEqual([503, { error: expect.stringContaining("try again") }]);
  });
});
