//! `POST /explain/:ssp?version=&now=&bid`: for the operator alone, the first check that each campaign failed; also of other
//! versions and times, with the response. Nothing of it touches what serves.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { partKeys } from "../../../shared/catalog/pointer.ts";
import { MAX_EXTRA_BYTES } from "../../../shared/limits.ts";
import { filledShares, numbered, sharesAt, wholeShares } from "../../../shared/pacing/shares.ts";
import type { Bidder } from "../../../shared/wasm/bidder.ts";
import { ExtraBidders } from "../../src/catalog/extra-bidders.ts";
import { cheap, dear, example, file, NO_URLS, priced, simpleWith } from "../support/catalogs.ts";
import { now, wait } from "../support/clock.ts";
import { bidderOf, fixtures, simple } from "../support/fixtures.ts";
import { fresh, type Isolate, NOTICE_KEYS } from "../support/isolate.ts";
import { patched, pushed } from "../support/kv.ts";

const forAnotherSeat = fixtures("no-bid").find(({ name }) => name === "deal-for-another-seat")?.request ?? simple;

let isolate: Isolate;
let [first, second] = ["", ""];

beforeEach(async () => {
  isolate = await fresh(cheap);
  isolate.vars = { OPERATOR: "anybody" };
  first = isolate.keeper.version ?? "";
  second = await isolate.serve(dear);
});

interface Report {
  catalog: string;
  outcome: string;
  error?: string;
  imps: { bids?: { cid: string; most: string }[] }[];
  response?: { seatbid: { bid: { cid: string; price: number; burl?: string }[] }[] } | null;
  assumed?: string[];
  rejected?: object[];
}

async function ask(query = "", init: RequestInit = {}, more: object = {}, ssp = "demo"): Promise<[number, Report]> {
  const sent = { method: "POST", body: simple, ...init };
  const response = await isolate.fetch(`/explain/${ssp}?${query}`, sent, more);
  const answer = await response.text();
  return [response.status, answer && JSON.parse(answer)];
}

const report = async (...args: Parameters<typeof ask>) => (await ask(...args))[1];
const refused = (status: number, error: string) => [status, { error: expect.stringContaining(error), status }];

/** The price of the campaign in the report, as `most`. */
async function most(query: string): Promise<string | undefined> {
  const { imps } = await report(query);
  return imps.flatMap(({ bids = [] }) => bids).find(({ cid }) => cid === "acme-spring")?.most;
}

it("shows for each campaign the check that it failed, with both values", async () => {
  const wseat = { cid: "acme-agency-deal", dealid: "AB-Agency1-0001", reason: "deal-wseat" };
  const values = { wanted: "Agency1", found: "Agency2", at: ["imp[0].pmp.deals[0].wseat"] };
  const imps = [{ id: "1", rejected: expect.arrayContaining([{ ...wseat, ...values }]) }];
  const all = { catalog: second, outcome: "deal-wseat", privacy: "personal", imps };
  expect(await ask("", { body: forAnotherSeat })).toMatchObject([200, all]);
  const one = await report("imp=1&campaign=acme-agency-deal", { body: forAnotherSeat });
  expect(one.imps).toMatchObject([{ id: "1", rejected: [{ cid: wseat.cid, reason: wseat.reason }] }]);
});

it("shows what is stopped, in every version", async () => {
  const stop = async (stopped: object) => {
    await patched({ stopped });
    await isolate.refresh();
  };
  const sides = { wanted: "campaigns that no operator has stopped", found: "stopped by edgebid stop" };
  await stop({ all: true });
  expect(await report()).toMatchObject({ outcome: "stopped", ...sides });
  await stop({ cids: ["acme-spring"] });
  for (const query of ["bid", `version=${first}&bid`]) {
    const { rejected, response } = await report(query);
    expect(rejected).toContainEqual({ cid: "acme-spring", reason: "stopped", ...sides });
    expect(response).toBeNull();
  }
});

it.each<[string, RequestInit, number, string, string?, string?]>([
  ["no JSON", { body: file("{]") }, 400, "byte 1: not JSON"],
  ["no id", { body: file('{"imp":[{"id":"1"}]}') }, 400, "id: missing; expected a string"],
  ["no impression", { body: file('{"id":"r"}') }, 400, "imp: missing, or no impression in it; expected an array of"],
  ["another impression", {}, 400, 'the request has no impression "2"', "imp=2"],
  ["no time", {}, 400, "now: expected", "now=yesterday"],
  ["an unknown SSP", {}, 404, "the catalog has no SSP nobody; it has ", "", "nobody"],
  ["another type", { headers: { "content-type": "text/plain" } }, 415, "the Content-Type is text/plain; expected "],
  ["another encoding", { headers: { "content-encoding": "br" } }, 415, "the Content-Encoding is unknown; expected g"],
  ["no gzip", { headers: { "content-encoding": "gzip" } }, 400, "the body is not gzip"],
  ["a long body", { body: new Uint8Array(2 ** 20 + 1) }, 413, "the body has more than 1048576 bytes"],
  ["no second version", {}, 404, "no second", "version=second"],
])("says why there is no report, with the status that the SSP gets: %s", async (_, init, status, error, query, ssp) => {
  expect(await ask(query, init, {}, ssp)).toEqual(refused(status, error));
});

describe("version", () => {
  it("asks a version that does not serve, and the one that serves stays as it is", async () => {
    for (const [query, paid] of Object.entries({
      "": "1.9",
      [`version=${first}`]: "1.8",
      [`version=${second}`]: "1.9",
    })) {
      expect(await most(query)).toBe(paid);
    }
    expect((await report(`version=${first}`)).catalog).toBe(first);
    expect(isolate.keeper.version).toBe(second);
    expect(await isolate.price()).toBe(1.9);
    expect(isolate.extraBidders.held).toBe(0);
  });

  it("asks the second version", async () => {
    const third = await pushed(priced("2.50"), { second: { mode: "split", share: 0 } });
    await isolate.refresh();
    for (const query of ["version=second", `version=${third}`]) expect(await most(query)).toBe("2.5");
    expect(await most("")).toBe("1.9");
  });

  it.each(["0123456789abcdef", "nonsense", "0123456789abcdef/snapshot", ""])("404 for version %j", async (name) => {
    expect(await ask(`version=${encodeURIComponent(name)}`)).toEqual(refused(404, `no version ${name}`));
  });

  it("with CATALOG_KEYS, a version that nobody has signed is not asked", async () => {
    const { publicKey } = (await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"])) as CryptoKeyPair;
    const key = new Uint8Array((await crypto.subtle.exportKey("spki", publicKey)) as ArrayBuffer);
    const answer = await ask(`version=${first}`, {}, { CATALOG_KEYS: key.toBase64() });
    expect(answer).toEqual(refused(503, `version ${first} is not signed`));
  });

  it("says which part is damaged", async () => {
    await env.CATALOG.put(partKeys(first, "snapshot", 1)[0] ?? "", "other bytes");
    expect(await ask(`version=${first}`)).toEqual(refused(503, "other bytes for version"));
  });
});

describe("bid", () => {
  it("adds the response, which is valid and counts nowhere; null without a bid", async () => {
    const { response, outcome } = await report("bid");
    expect(outcome).toBe("bid");
    expect(response?.seatbid[0]?.bid[0]).toMatchObject({ cid: "acme-spring" });
    expect(response?.seatbid[0]?.bid[0]).not.toHaveProperty("burl");
    expect(isolate.bidder()?.takeTally()).toEqual([{ uncounted: 0 }]);
    expect((await report("bid", { body: forAnotherSeat })).response).toBeNull();
    expect(await report()).not.toHaveProperty("response");
  });

  it("has notice URLs that lead nowhere, and campaigns with frequency caps bid as for a new person", async () => {
    await isolate.serve(example({ spring: { ...NO_URLS, max_cpm: "9.00", caps: [{ n: 1, per: "day" }] } }));
    const body = simpleWith({ user: { buyeruid: "someone" } });
    const { response } = await report("bid", { body }, { NOTICE_KEYS });
    const burl = expect.stringMatching(/^https:\/\/not-sent\.invalid\/n\//);
    expect(response?.seatbid[0]?.bid[0]).toMatchObject({ cid: "acme-spring", burl });
  });
});

it("decides at another time", async () => {
  await isolate.serve(example({ spring: { start: "2099-01-01T00:00:00Z" } }));
  expect(await most("now=2098-12-31T23:59Z")).toBeUndefined();
  expect(await most("now=2099-01-01T00:00Z")).toBe("1.8");
});

describe("budgets", () => {
  const spending = example({ spring: { budget: { daily: "10.00" } } });

  it("bid in a version that does not serve, if the pacer does not know them, and the answer says so", async () => {
    const served = isolate.bidder();
    const third = await pushed(spending);
    await pushed(dear);
    expect((await report(`version=${third}`)).outcome).not.toBe("bid");
    served?.useShares(new TextEncoder().encode(`${now()}\n`));
    const { imps, assumed, outcome } = await report(`version=${third}`);
    expect(outcome).toBe("bid");
    expect(imps[0]?.bids).toMatchObject([{ cid: "acme-spring" }]);
    expect(assumed).toEqual([expect.stringContaining("1 of the budgets")]);
  });

  it("have new shares in the first explanation, also after idle minutes", async () => {
    await isolate.serve(spending);
    const served = bidderOf(spending);
    const exchange = async () => numbered(wholeShares(served, now()), now(), 0);
    const vars = { NOTICE_KEYS, RELAY: { getByName: () => ({ exchange }) } };
    expect((await report("", {}, vars)).outcome).toBe("bid");
    wait(180_000);
    const { imps, outcome } = await report("", {}, vars);
    expect([outcome, imps[0]?.bids]).toMatchObject(["bid", [{ cid: "acme-spring" }]]);
  });

  it("shares that are known stay, and their time can be another", () => {
    const bidder = bidderOf(spending);
    const [, own = ""] = wholeShares(bidder, 5).split("\n");
    const [key = ""] = own.split(" ");
    expect(own).toBe(`${key} 4294967295`);
    expect(filledShares(bidder, "7\n0000000000000001 3\n")).toBe(`7\n0000000000000001 3\n${own}\n`);
    expect(filledShares(bidder, `7\n${key} 9\n`)).toBe(`7\n${key} 9\n`);
    expect(sharesAt(`7\n${key} 9\n`, 8)).toBe(`8\n${key} 9\n`);
  });
});

describe("the extra bidders", () => {
  const ctx = { waitUntil: () => {} };
  const plan = (version: string, bytes: number, build = async () => ({ snapshotBytes: bytes }) as Bidder) => ({
    version,
    bytes,
    build: vi.fn(build),
  });
  let extra: ExtraBidders;

  beforeEach(() => {
    extra = new ExtraBidders(10_000);
  });

  it("stay for a while and are built once", async () => {
    extra = new ExtraBidders(20);
    const [one, two] = [plan("a", 1), plan("b", 1)];
    for (const each of [one, two, one, two]) await extra.build(each, ctx);
    expect([one, two].map(({ build }) => build.mock.calls.length)).toEqual([1, 1]);
    await vi.waitFor(() => expect(extra.held).toBe(0));
  });

  it("never take more than the limit together", async () => {
    for (const version of ["a", "b"]) await extra.build(plan(version, MAX_EXTRA_BYTES / 2), ctx);
    expect(extra.held).toBe(2);
    extra.of("a", ctx);
    await extra.build(plan("c", 1), ctx);
    expect([extra.of("a", ctx), extra.of("b", ctx)].map(Boolean)).toEqual([true, false]);
    const tooLarge = plan("d", MAX_EXTRA_BYTES + 1);
    await expect(extra.build(tooLarge, ctx)).rejects.toThrow("17 MB");
    expect(tooLarge.build).not.toHaveBeenCalled();
  });

  it("are built one at a time", async () => {
    let [running, most] = [0, 0];
    const slow = async () => {
      most = Math.max(most, ++running);
      await scheduler.wait(5);
      running -= 1;
      return { snapshotBytes: 1 } as Bidder;
    };
    await Promise.all(["a", "b", "c", "a"].map((version) => extra.build(plan(version, 1, slow), ctx)));
    expect([most, extra.held]).toEqual([1, 3]);
  });

  it("a build that fails lets the next one begin", async () => {
    const failing = plan("a", 1, () => Promise.reject(new Error("KV is down")));
    await expect(extra.build(failing, ctx)).rejects.toThrow("KV is down");
    await extra.build(plan("a", 1), ctx);
    expect(extra.held).toBe(1);
  });
});
