//! Frequency caps from the bid request to the notice, in the real runtime with real objects; and with objects that are
//! silent or fail.

import { createExecutionContext, env } from "cloudflare:test";
import { beforeEach, expect, it, vi } from "vitest";
import type { Ledger } from "../../src/ledger/ledger.ts";
import { at } from "../support/clock.ts";
import { bidsIn, clear, Isolate, NOTICE_KEYS, smallCatalog, smallRequest } from "../support/isolate.ts";

const NEW_KEY = "another-key-of-the-tests-another-key";

/** The most that an object has, in milliseconds. */
const DEADLINE_MS = 25;
const { setTimeout } = globalThis;

interface Bid {
  id: string;
  cid: string;
  burl: string;
}

let isolate: Isolate;
let vars: Env;
let people = 0;
/** A person that no test had before. All tests of this file share the objects. */
let person: string;

beforeEach(async () => {
  await clear();
  isolate = new Isolate();
  vars = { ...env, NOTICE_KEYS, OPERATOR: "anybody" } as unknown as Env;
  person = `person-${people++}`;
  at("2094-03-14T12:00");
  // On a busy machine, an object that is neither silent nor broken may need longer.
  const patient = (work: () => void, ms = 0) => setTimeout(work, ms === DEADLINE_MS ? 60_000 : ms);
  vi.spyOn(globalThis, "setTimeout").mockImplementation(patient as typeof setTimeout);
});

/** Serves a campaign with two impressions a day, and a cheaper one without a cap. */
async function serve(
  more: object = {},
  settings: object = {},
  creative: object = {},
  cheaper: object = {},
): Promise<void> {
  const capped = { cid: "capped", max_cpm: "3", caps: [{ n: 2, per: "day" }], ...more };
  const creatives = [{ crid: "b", ...creative, banner: { w: 300, h: 250, adm: "<p>" } }];
  const whole = { ssps: [{ id: "demo", ...settings }], creatives };
  await isolate.serve(smallCatalog([capped, { cid: "free", ...cheaper }], whole), vars);
}

function body(buyeruid: string | null, more: object = {}) {
  const user = buyeruid === null ? {} : { buyeruid };
  return smallRequest({ user, ...more });
}

/** The bid on a request of the person, after all work behind the answer. */
async function bid(buyeruid: string | null = person, more: object = {}, from = vars): Promise<Bid> {
  const [made] = await bidsIn<Bid>(await isolate.post(body(buyeruid, more), {}, from));
  if (made === undefined) throw new Error("no bid");
  return made;
}

async function cids(count: number, ...args: Parameters<typeof bid>): Promise<string[]> {
  const found: string[] = [];
  for (let n = 0; n < count; n++) found.push((await bid(...args)).cid);
  return found;
}

/** Sends the notice that bills, as an exchange would. */
async function bill(made: Bid, from = vars): Promise<void> {
  expect((await isolate.fetch(filled(made), {}, from)).status).toBe(204);
}

function filled({ burl }: Bid): string {
  return burl.replace(/\$\{AUCTION_PRICE\}/, "1").replace(/\$\{AUCTION_CURRENCY\}/, "USD");
}

/** Books, and loses the answer. */
function forget(ledger: { book: Ledger["book"] }) {
  return async (...args: Parameters<Ledger["book"]>) => {
    await ledger.book(...args);
    throw new Error("Network connection lost.");
  };
}

it("the third impression of a person is not bid, another person's is", async () => {
  await serve();
  expect(await cids(3)).toEqual(["capped", "capped", "capped"]);
  const made = [await bid(), await bid()];
  for (const one of made) await bill(one);
  expect(await cids(2)).toEqual(["free", "free"]);
  expect((await bid("another")).cid).toBe("capped");
  expect((await bid(null)).cid).toBe("capped");
});

it("an SSP that wants `nbr` gets it when all bids are capped", async () => {
  const france = { country: { include: ["FRA"] } };
  await serve({}, { nbr: true }, {}, { target: france });
  const inFrance = { device: { geo: { country: "FRA" } } };
  expect((await bid(person, inFrance)).cid).toBe("capped");
  const made = [await bid(), await bid()];
  for (const one of made) await bill(one);
  const response = await isolate.post(body(person), {}, vars);
  expect([response.status, await response.json()]).toEqual([200, { id: "r", nbr: 9 }]);
  expect(isolate.counters.toJSON()).toMatchObject({ frequency: 1 });
});

it("a bill that comes twice counts once", async () => {
  await serve();
  const made = await bid();
  await bill(made);
  isolate.repeats.has = () => false;
  await bill(made);
  expect((await bid()).cid).toBe("capped");
});

it("a bill that the ledger knows already counts, if nobody has told so: seed 17 of the simulator", async () => {
  await serve({ caps: [{ n: 1, per: "day" }] });
  const made = await bid();
  // The answer of the ledger is lost three times, and the exchange sends the bill again.
  const forgetful = { getByName: (name: string) => ({ book: forget(env.LEDGER.getByName(name)) }) };
  const lossy = { ...vars, LEDGER: forgetful } as unknown as Env;
  await isolate.fetch(filled(made), {}, lossy);
  expect((await bid()).cid).toBe("capped");
  await bill(made);
  expect((await bid()).cid).toBe("free");
});

it("caps that count bids refuse the third bid", async () => {
  await serve({ cap_on: "bid" });
  expect(await cids(3)).toEqual(["capped", "capped", "free"]);
});

it("a bill that the ledger knows already counts, if nobody has told so: seed 17 of the simulator", async () => {
  await serve({ caps: [{ n: 1, per: "day" }] });
  const made = await bid();
  // The answer of the ledger is lost three times, and the exchange sends the bill again.
  const forgetful = { getByName: (name: string) => ({ book: forget(env.LEDGER.getByName(name)) }) };
  const lossy = { ...vars, LEDGER: forgetful } as unknown as Env;
  await isolate.fetch(filled(made), {}, lossy);
  expect((await bid()).cid).toBe("capped");
  await bill(made);
  expect((await bid()).cid).toBe("free");
});

it("caps that count bids refuse the third bid of one request", async () => {
  await serve({ cap_on: "bid" });
  const imp = [1, 2, 3, 4, 5].map((n) => ({ id: `${n}`, banner: { w: 300, h: 250 } }));
  const made = await bidsIn<Bid>(await isolate.post(body(person, { imp }), {}, vars));
  expect(made.map(({ cid }) => cid).sort()).toEqual(["capped", "capped", "free", "free", "free"]);
  expect(await cids(1)).toEqual(["free"]);
});

it("a creative's cap counts in all campaigns together", async () => {
  await serve({ caps: [], cap_on: "bid" }, {}, { caps: [{ n: 1, per: "hour" }] });
  expect((await bid()).cid).toBe("capped");
  const { response } = await isolate.answer(body(person), {}, vars);
  expect(response.status).toBe(204);
});

it("a test auction counts nothing", async () => {
  await serve({ cap_on: "bid" });
  expect(await cids(3, person, { test: 1 })).toEqual(["capped", "capped", "capped"]);
  expect((await bid()).cid).toBe("capped");
});

it("without consent, nothing is asked and nothing is stored", async () => {
  const asked = vi.fn();
  vars = { ...vars, FREQUENCY: { getByName: asked } } as unknown as Env;
  await serve({ cap_on: "bid" });
  for (const more of [{ device: { lmt: 1 } }, { regs: { coppa: 1 } }, { regs: { us_privacy: "1YYN" } }]) {
    expect(await cids(3, person, more)).toEqual(["capped", "capped", "capped"]);
  }
  expect(asked).not.toHaveBeenCalled();
});

it("without keys, a campaign with caps bids only for unknown people", async () => {
  await serve();
  const without = { ...vars, NOTICE_KEYS: "" } as unknown as Env;
  expect((await bid(person, {}, without)).cid).toBe("free");
  expect((await bid(null, {}, without)).cid).toBe("capped");
});

it("counts stay when a key is replaced", async () => {
  await serve({ cap_on: "bid" });
  await bid();
  vars = { ...vars, NOTICE_KEYS: `${NEW_KEY},${NOTICE_KEYS}` } as unknown as Env;
  expect(await cids(2)).toEqual(["capped", "free"]);
  vars = { ...vars, NOTICE_KEYS: NEW_KEY } as unknown as Env;
  expect((await bid()).cid).toBe("capped");
});

it("requests that wait at once keep their own origins", async () => {
  await serve();
  const hosts = ["one.example", "two.example", "three.example"];
  const origins = hosts.map(async (host) => {
    const init = { method: "POST", body: body(`person of ${host}`) };
    const response = await isolate.fetch(`https://${host}/bid/demo`, init, vars);
    const [made] = await bidsIn<Bid>(response);
    return [made?.cid, new URL(made?.burl ?? "").host];
  });
  expect(await Promise.all(origins)).toEqual(hosts.map((host) => ["capped", host]));
});

it("no campaign with a cap is shown while the object is silent, and the answer comes all the same", async () => {
  await serve();
  vi.mocked(globalThis.setTimeout).mockRestore();
  const getByName = () => ({ left: () => new Promise(() => {}) });
  const silent = { ...vars, FREQUENCY: { getByName } } as unknown as Env;
  const times: number[] = [];
  for (let n = 0; n < 200; n++) {
    const begin = performance.now();
    const { response } = await isolate.answer(body(person), {}, silent);
    times.push(performance.now() - begin);
    expect(await response.text()).toContain('"cid":"free"');
  }
  times.sort((a, b) => a - b);
  const [p50 = 0, p99 = 0] = [times[100], times[197]];
  console.info(`a silent object: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
  expect(isolate.counters.toJSON()).toMatchObject({ "caps-asked": 200, "caps-late": 200, bid: 200 });
}, 60_000);

it("no campaign with a cap is shown if the object fails or there is no time to ask", async () => {
  await serve();
  vi.spyOn(console, "error").mockImplementation(() => {});
  const ask = vi.fn(async () => Promise.reject(new Error("broken")));
  const failing = { ...vars, FREQUENCY: { getByName: () => ({ left: ask }) } } as unknown as Env;
  expect((await bid(person, {}, failing)).cid).toBe("free");
  expect((await bid(person, { tmax: 30 }, failing)).cid).toBe("free");
  expect(ask).toHaveBeenCalledOnce();
  expect(isolate.counters.toJSON()).toMatchObject({ "caps-asked": 1, "caps-failed": 1, "caps-late": 1 });
});

it("the report counts the bids that were sent, and no others", async () => {
  await serve();
  const rows: { bids?: { cid: string; count: number }[] }[] = [];
  const bidder = isolate.keeper.use(vars, createExecutionContext());
  isolate.tally.watch = () => {};
  expect((await bid()).cid).toBe("capped");
  expect((await bid(person, { tmax: 30 })).cid).toBe("free");
  rows.push(...(bidder?.takeTally() ?? []));
  const counts = rows.flatMap(({ bids = [] }) => bids.map(({ cid, count }) => `${cid} ${count}`));
  expect(counts.sort()).toEqual(["capped 1", "free 1"]);
});

it("forgets a person by an id of any kind", async () => {
  await serve({ cap_on: "bid" });
  await cids(2);
  expect((await bid()).cid).toBe("free");
  const call = async (query: unknown, method = "POST", from = vars) => {
    return isolate.fetch("/forget", method === "POST" ? { method, body: JSON.stringify(query) } : { method }, from);
  };
  expect(await (await call({ id: person, kind: "ifa" })).json()).toEqual({ rows: 0 });
  expect((await bid()).cid).toBe("free");
  expect(await (await call({ id: person })).json()).toEqual({ rows: 1 });
  expect((await bid()).cid).toBe("capped");

  for (const query of [
    {},
    { id: "" },
    { id: 7 },
    [],
    { id: "a", kind: "b" },
    { id: "a", kind: "eid" },
    { id: "a\nb" },
  ]) {
    expect((await call(query)).status, JSON.stringify(query)).toBe(400);
  }
  expect((await call(null, "GET")).status).toBe(405);
  const closed = { ...vars, OPERATOR: "", OPERATOR_TOKEN: "secret" } as unknown as Env;
  expect((await call({ id: person }, "POST", closed)).status).toBe(401);
});
