//! `POST /explain/:ssp?version=&now=&bid`: other versions and times, and the response. Nothing of it touches what serves.

import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ExtraBidders } from "../../src/catalog/extra-bidders.ts";
import { partKeys } from "../../src/catalog/pointer.ts";
import { MAX_EXTRA_BYTES } from "../../src/limits.ts";
import { filledShares, sharesAt, wholeShares } from "../../src/pacing/shares.ts";
import type { Bidder } from "../../src/wasm/bidder.ts";
import { bidderOf, catalogDocument, expectSound, fixtures, simple, text } from "../support/fixtures.ts";
import { clear, file, Isolate, later, pushed, store } from "../support/isolate.ts";

const request = simple;
const cheap = catalogDocument;
const dear = changed(cheap, (campaign) => ({ ...campaign, max_cpm: "1.90" }));
const vars = { ...env, OPERATOR: "anybody" } as Env;

let isolate: Isolate;
let [first, second] = ["", ""];

beforeEach(async () => {
  later();
  vi.spyOn(console, "error").mockImplementation(() => {});
  isolate = new Isolate();
  await clear();
  first = await pushed(cheap);
  second = await pushed(dear);
  await isolate.refresh();
});

/** The document with another acme-spring, the campaign that bids on the request. */
function changed(document: Uint8Array, change: (campaign: Record<string, unknown>) => object) {
  const { campaigns, ...rest } = JSON.parse(text(document));
  const all = campaigns.map((one: { cid: string }) => (one.cid === "acme-spring" ? change({ ...one }) : one));
  return file(JSON.stringify({ ...rest, campaigns: all }));
}

interface Report {
  catalog: string;
  outcome: string;
  error?: string;
  imps: { bids?: { cid: string; most: string }[] }[];
  response?: { seatbid: { bid: { cid: string; price: number; burl?: string }[] }[] } | null;
  assumed?: string[];
  rejected?: object[];
}

async function ask(query: string, { body = request, token = "", more = {} } = {}): Promise<[number, Report]> {
  const headers = { authorization: `Bearer ${token}` };
  const init = { method: "POST", body, headers };
  const response = await isolate.fetch(`/explain/demo?${query}`, init, { ...vars, ...more });
  const answer = await response.text();
  return [response.status, answer && JSON.parse(answer)];
}

/** The price of the campaign in the report, as `most`. */
async function most(query: string): Promise<string | undefined> {
  const [, { imps }] = await ask(query);
  return imps.flatMap(({ bids = [] }) => bids).find(({ cid }) => cid === "acme-spring")?.most;
}

describe("version", () => {
  it("asks a version that does not serve, and the one that serves stays as it is", async () => {
    const price = await isolate.price();
    expect(await most("")).toBe("1.9");
    expect(await most(`version=${first}`)).toBe("1.8");
    expect(await most(`version=${second}`)).toBe("1.9");
    expect((await ask(`version=${first}`))[1].catalog).toBe(first);
    expect(isolate.keeper.version).toBe(second);
    expect(await isolate.price()).toBe(price);
    expect(isolate.extraBidders.held).toBe(0);
  });

  it("asks the second version, and says so if there is none", async () => {
    expect(await ask("version=second")).toEqual([404, { error: expect.stringContaining("no second"), status: 404 }]);
    const third = await pushed(
      changed(cheap, (campaign) => ({ ...campaign, max_cpm: "2.50" })),
      store,
      { second: { mode: "split", share: 0 } },
    );
    await isolate.refresh();
    expect(await most("version=second")).toBe("2.5");
    expect(await most(`version=${third}`)).toBe("2.5");
    expect(await most("")).toBe("1.9");
  });

  it("404 for an unknown version", async () => {
    for (const name of ["0123456789abcdef", "nonsense", first.slice(0, 8), `${first}/snapshot`, ""]) {
      const [status, answer] = await ask(`version=${encodeURIComponent(name)}`);
      expect(status, name).toBe(404);
      expect(answer.error, name).toContain(`no version ${name}`);
    }
  });

  it("only for the operator", async () => {
    const closed = { OPERATOR: "", OPERATOR_TOKEN: "operator" };
    expect((await ask(`version=${first}`, { more: closed }))[0]).toBe(401);
    expect((await ask(`version=${first}`, { more: closed, token: "operator" }))[0]).toBe(200);
    expect((await ask(`version=${first}`, { more: { OPERATOR: "", OPERATOR_TOKEN: "" } }))[0]).toBe(404);
  });

  it("what is stopped is stopped in every version", async () => {
    const pointer = JSON.parse((await env.CATALOG.get("catalog")) ?? "");
    await env.CATALOG.put("catalog", JSON.stringify({ ...pointer, stopped: { cids: ["acme-spring"] } }));
    await isolate.refresh();
    const [, { rejected, response }] = await ask(`version=${first}&bid`);
    expect(rejected).toContainEqual(expect.objectContaining({ cid: "acme-spring", reason: "stopped" }));
    expect(response).toBeNull();
  });

  it("with CATALOG_KEYS, a version that nobody has signed is not asked", async () => {
    const { publicKey } = (await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"])) as CryptoKeyPair;
    const key = new Uint8Array((await crypto.subtle.exportKey("spki", publicKey)) as ArrayBuffer);
    const more = { CATALOG_KEYS: btoa(String.fromCharCode(...key)) };
    expect(await ask(`version=${first}`, { more })).toEqual([
      503,
      { error: expect.stringContaining(`version ${first} is not signed`), status: 503 },
    ]);
  });

  it("says which part is damaged", async () => {
    await env.CATALOG.put(partKeys(first, "snapshot", 1)[0] ?? "", "other bytes");
    expect(await ask(`version=${first}`)).toEqual([
      503,
      { error: expect.stringContaining("other bytes for version"), status: 503 },
    ]);
  });
});

describe("bid", () => {
  it("adds the response, which is valid and counts nowhere", async () => {
    const [, { response, outcome }] = await ask("bid");
    expect(outcome).toBe("bid");
    expect(response?.seatbid[0]?.bid[0]).toMatchObject({ cid: "acme-spring" });
    expect(response?.seatbid[0]?.bid[0]).not.toHaveProperty("burl");
    expectSound(request, JSON.stringify(response));
    expect(isolate.keeper.use(vars, createExecutionContext())?.takeTally()).toEqual([{ uncounted: 0 }]);
  });

  it("null without a bid, and absent if it was not asked for", async () => {
    const other = fixtures("no-bid").find(({ name }) => name === "deal-for-another-seat")?.request;
    expect((await ask("bid", other && { body: other }))[1].response).toBeNull();
    expect((await ask(""))[1]).not.toHaveProperty("response");
  });

  it("has notice URLs that lead nowhere, and campaigns with frequency caps bid as for a new person", async () => {
    await pushed(
      changed(cheap, ({ nurl: _n, burl: _b, lurl: _l, ...campaign }) => ({
        ...{ ...campaign, max_cpm: "9.00", caps: [{ n: 1, per: "day" }] },
      })),
    );
    await isolate.refresh();
    const body = file(JSON.stringify({ ...JSON.parse(text(request)), user: { buyeruid: "someone" } }));
    const more = { NOTICE_KEYS: "a-key-of-the-tests-a-key-of-the-tests" };
    const [, { response }] = await ask("bid", { body, more });
    expect(response?.seatbid[0]?.bid[0]).toMatchObject({
      cid: "acme-spring",
      burl: expect.stringMatching(/^https:\/\/not-sent\.invalid\/n\//),
    });
  });
});

describe("now", () => {
  it("decides at that time", async () => {
    await pushed(changed(cheap, (campaign) => ({ ...campaign, start: "2099-01-01T00:00:00Z" })));
    await isolate.refresh();
    expect(await most("now=2098-12-31T23:59Z")).toBeUndefined();
    expect(await most("now=2099-01-01T00:00Z")).toBe("1.8");
  });

  it("400 if it is no time", async () => {
    expect(await ask("now=yesterday")).toEqual([400, { error: expect.stringContaining("now: expected"), status: 400 }]);
  });
});

describe("budgets", () => {
  const spending = changed(cheap, (campaign) => ({ ...campaign, budget: { daily: "10.00" } }));

  it("bid in a version that does not serve, if the pacer does not know them, and the answer says so", async () => {
    const served = isolate.keeper.use(vars, createExecutionContext());
    const third = await pushed(spending);
    await pushed(dear);
    expect((await ask(`version=${third}`))[1].outcome).not.toBe("bid");
    served?.useShares(new TextEncoder().encode(`${Date.now()}\n`));
    const [, { imps, assumed, outcome }] = await ask(`version=${third}`);
    expect(outcome).toBe("bid");
    expect(imps[0]?.bids).toMatchObject([{ cid: "acme-spring" }]);
    expect(assumed).toEqual([expect.stringContaining("1 of the budgets")]);
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

describe("the bidders beside those that serve", () => {
  const ctx = { waitUntil: () => {} };
  const plan = (version: string, bytes: number, build = async () => ({ snapshotBytes: bytes }) as Bidder) => ({
    version,
    bytes,
    build: vi.fn(build),
  });

  it("stay for a while and are built once", async () => {
    const asked = new ExtraBidders(20);
    const [one, two] = [plan("a", 1), plan("b", 1)];
    for (const each of [one, two, one, two]) await asked.build(each, ctx);
    expect([one, two].map(({ build }) => build.mock.calls.length)).toEqual([1, 1]);
    await vi.waitFor(() => expect(asked.held).toBe(0));
  });

  it("never take more than the limit together", async () => {
    const asked = new ExtraBidders(10_000);
    const most = MAX_EXTRA_BYTES;
    await asked.build(plan("a", most / 2), ctx);
    await asked.build(plan("b", most / 2), ctx);
    expect(asked.held).toBe(2);
    asked.of("a", ctx);
    await asked.build(plan("c", 1), ctx);
    expect([asked.of("a", ctx), asked.of("b", ctx)].map(Boolean)).toEqual([true, false]);
    const refused = plan("d", most + 1);
    await expect(asked.build(refused, ctx)).rejects.toThrow("17 MB");
    expect(refused.build).not.toHaveBeenCalled();
  });

  it("are built one at a time", async () => {
    const asked = new ExtraBidders(10_000);
    let [running, most] = [0, 0];
    const slow = async () => {
      most = Math.max(most, ++running);
      await scheduler.wait(5);
      running -= 1;
      return { snapshotBytes: 1 } as Bidder;
    };
    await Promise.all(["a", "b", "c", "a"].map((version) => asked.build(plan(version, 1, slow), ctx)));
    expect([most, asked.held]).toEqual([1, 3]);
  });

  it("a build that fails lets the next one begin", async () => {
    const asked = new ExtraBidders(10_000);
    const failing = plan("a", 1, async () => {
      throw new Error("KV is down");
    });
    await expect(asked.build(failing, ctx)).rejects.toThrow("KV is down");
    await asked.build(plan("a", 1), ctx);
    expect(asked.held).toBe(1);
  });
});
