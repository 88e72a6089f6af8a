//! `GET /budget`: only for the operator, with decimals, for all budgets or one.

import { beforeEach, expect, it, type MockInstance, vi } from "vitest";
import type { BudgetState } from "../../src/pacing/budgets.ts";
import { Pacer } from "../../src/pacing/pacer.ts";
import { Isolate } from "../support/isolate.ts";

const TOLD: BudgetState = {
  ...{ cid: "shoes", cur: "EUR", day: 20_778, daily: "200000000000", total: "0", asap: false },
  ...{ spent_today: "96400000001", spent: "96400000001", exposed: "1250000000", left: "102349999999" },
  ...{ share: 3, requests: 1840, forecast: "18446744073709551615", why: "on plan" },
};

let told: MockInstance<Pacer["told"]>;
let alarms: MockInstance<Pacer["alarms"]>;

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  told = vi.spyOn(Pacer.prototype, "told").mockResolvedValue([TOLD]);
  alarms = vi.spyOn(Pacer.prototype, "alarms").mockResolvedValue([]);
});

async function ask(query = "", token = "operator", method = "GET"): Promise<[number, unknown]> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await new Isolate().fetch(`/budget${query}`, { method, headers });
  const text = await response.text();
  return [response.status, text && JSON.parse(text)];
}

it("writes amounts as decimals, to the last place", async () => {
  const campaign = {
    ...{ cid: "shoes", cur: "EUR", day: "2026-11-21", pacing: "even", daily: "200" },
    ...{ spent: "96.400000001", exposed: "1.25", left: "102.349999999" },
    ...{ share: "0.0000000007", requests: 1840, forecast: "18446744073.709551615", why: "on plan" },
  };
  expect(await ask()).toEqual([200, { campaigns: [campaign], alarms: [] }]);
  expect(told).toHaveBeenLastCalledWith(undefined);
  expect((await ask("?cid=shoes"))[0]).toBe(200);
  expect(told).toHaveBeenLastCalledWith("shoes");
});

it("shows an order with its campaigns", async () => {
  const { cid: _, ...rest } = TOLD;
  told.mockResolvedValue([{ ...rest, order: "io-1", members: ["shoes", "hats"] }]);
  const [, answer] = await ask();
  expect(answer).toMatchObject({ campaigns: [{ order: "io-1", members: ["shoes", "hats"], daily: "200" }] });
  expect(answer).not.toHaveProperty("campaigns.0.cid");
});

it("a budget of the flight has what all days cost", async () => {
  told.mockResolvedValue([{ ...TOLD, daily: "0", total: "5000000000", asap: true, share: 2 ** 32 - 1 }]);
  const [, answer] = await ask();
  const expected = { pacing: "asap", total: "5", spent_total: "96.400000001", share: "1" };
  expect(answer).toMatchObject({ campaigns: [expected] });
  expect(answer).not.toHaveProperty("campaigns.0.daily");
});

it("shows alarms, with decimals", async () => {
  const missing = { what: "missing", place: "2026-11-22/07" };
  alarms.mockResolvedValue([missing, { what: "refused", ssp: "demo", count: 7, nanos: "12500000001", cur: "EUR" }]);
  const refused = { what: "refused", ssp: "demo", count: 7, amount: "12.500000001", cur: "EUR" };
  expect(await ask()).toMatchObject([200, { alarms: [missing, refused] }]);
});

it("is closed to everybody else, and to other methods", async () => {
  expect((await ask("", "wrong"))[0]).toBe(401);
  expect((await ask("", "operator", "POST"))[0]).toBe(405);
  expect(told).not.toHaveBeenCalled();
});

it("answers 503 if the pacer has just started or does not answer", async () => {
  told.mockResolvedValueOnce(null);
  expect(await ask()).toEqual([503, { error: expect.stringContaining("just started") }]);
  told.mockRejectedValueOnce(new Error("overloaded"));
  expect(await ask()).toEqual([503, { error: expect.stringContaining("try again") }]);
});
