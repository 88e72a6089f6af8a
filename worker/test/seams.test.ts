//! The seams of a bid request: without options, bids are as they are without them, and nothing is awaited. The tests of
//! the options show what each does at its seam.

import { expect, it } from "vitest";
import { type Decided, Seams } from "../src/seams.ts";
import { simpleWith } from "./support/catalogs.ts";
import { catalogDocument, simple } from "./support/fixtures.ts";
import { fresh, type Isolate, NOTICE_KEYS, OPERATOR } from "./support/isolate.ts";

/** The isolate without its options. */
function without(isolate: Isolate): Isolate {
  return Object.assign(isolate, { seams: new Seams({}) });
}

it("an isolate without options answers as one with all of them, if the catalog uses none", async () => {
  const vars = { NOTICE_KEYS };
  const prices: number[] = [];
  for (const isolate of [await fresh(catalogDocument), without(await fresh(catalogDocument))]) {
    expect((await isolate.post(simple, {}, vars)).status).toBe(200);
    expect((await isolate.post(simpleWith({ test: 1 }), {}, vars)).status).toBe(200);
    expect(isolate.counters.toJSON()).toMatchObject({ bid: 2, test: 1 });
    prices.push(await isolate.price());
  }
  expect(prices[0]).toBeGreaterThan(0);
  expect(prices[1]).toBe(prices[0]);
});

it("a request with nothing left for an option awaits none", async () => {
  const isolate = await fresh(catalogDocument);
  await isolate.refresh();
  const bidder = isolate.bidder();
  if (bidder === undefined) throw new Error("the isolate has no catalog");
  const visit = { request: new Request("https://bidder.test/bid/demo"), rest: "demo", env: {}, ctx: {} } as never;
  const seams = new Seams(isolate.options);
  expect(seams.fetch(bidder, undefined, visit)).toBeUndefined();
  const question = { body: simple, ssp: bidder.ssp("demo") ?? -1, now: Date.UTC(2026, 10, 18, 12) };
  const decided = seams.decide(bidder, undefined, question, visit);
  expect([decided.outcome.count, decided.outcome.left]).toEqual(["bid", null]);
  expect(seams.ask(decided, visit, 0)).toBeUndefined();
  expect(seams.complete(decided.outcome, visit)).toBeUndefined();
});

it("waits for each option that returns a promise, and asks each about the answer of the one before", async () => {
  const bidder = (await fresh(catalogDocument)).bidder();
  if (bidder === undefined) throw new Error("the isolate has no catalog");
  const question = { body: simple, ssp: bidder.ssp("demo") ?? -1, now: Date.UTC(2026, 10, 18, 12) };
  const outcome = { ...bidder.decide(question), left: { one: {} } };
  const said: string[] = [];
  const say = (text: string) => Promise.resolve().then(() => void said.push(text));
  const more = (name: string) => async (decided: Decided) => {
    const { outcome } = decided;
    return { ...outcome, count: `${outcome.count}, ${name}` };
  };
  const seams = new Seams({
    none: {},
    silent: { ask: () => undefined },
    one: { fetch: () => say("one fetches"), complete: () => say("one completes"), ask: more("one") },
    two: { fetch: () => say("two fetches"), complete: () => say("two completes"), ask: more("two") },
    late: { ask: () => undefined },
    three: { ask: more("three") },
  });
  const visit = {} as never;
  await seams.fetch(bidder, bidder, visit);
  await seams.complete(outcome, visit);
  const each = ["one fetches", "one fetches", "two fetches", "two fetches"];
  expect(said).toEqual([...each.toSorted(), "one completes", "two completes"]);
  expect(await seams.ask({ bidder, question, outcome }, visit, 0)).toEqual({
    ...outcome,
    count: "bid, one, two, three",
  });
});

it("an option with the name of another attribute of /healthz hides nothing", async () => {
  const isolate = await fresh(catalogDocument);
  const seams = new Seams({ counters: { state: () => "the state of an option" } });
  const answer = await Object.assign(isolate, { seams }).fetch("/healthz", OPERATOR);
  const { counters, options } = await answer.json<{ counters: object; options: object }>();
  expect(counters).toEqual(isolate.counters.toJSON());
  expect(options).toEqual({ counters: "the state of an option" });
});
