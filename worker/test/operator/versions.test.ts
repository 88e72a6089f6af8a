//! `GET /inspect/api/…`: versions, campaigns and differences, only for the operator.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { POINTER_KEY, versionOf } from "../../../shared/catalog/pointer.ts";
import type { Plan } from "../../../shared/compare/plan.ts";
import { MAX_DESCRIBED, MAX_INSPECTED_BYTES, MAX_LISTED } from "../../../shared/limits.ts";
import type { Listed } from "../../../shared/operator/answers.ts";
import { changed, cheap, dear, priced } from "../support/catalogs.ts";
import { fresh, type Isolate } from "../support/isolate.ts";
import { pushed } from "../support/kv.ts";

let isolate: Isolate;

beforeEach(async () => {
  isolate = await fresh();
  isolate.vars = { OPERATOR: "anybody" };
});

const ask = (what: string) => isolate.fetch(`/inspect/api/${what}`);

async function get<T = Record<string, unknown>>(what: string): Promise<T> {
  const response = await ask(what);
  expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
  return response.json();
}

/** Campaigns like the first one of the example. */
const many = (count: number) => (document: { campaigns: object[] }) => {
  const [first] = document.campaigns;
  document.campaigns = Array.from({ length: count }, (_, n) => ({ ...first, cid: `c${n}` }));
};

it("lists the versions that KV has, with which one is served, second and previous", async () => {
  const first = await pushed(cheap, { note: "the first" });
  const served = await pushed(dear);
  const third = await pushed(priced("2.00"), { second: { mode: "shadow", share: 5 } });
  const answer = await get("versions");
  const second = { version: third, mode: "shadow", share: 5 };
  expect(answer).toMatchObject({ served, plain: false, problem: null, previous: first, second, stopped: null });
  expect(answer).toMatchObject({ serving: { version: served } });
  const [number, string] = [expect.any(Number), expect.any(String)];
  const versions = answer["versions"] as Record<string, unknown>[];
  expect(versions).toHaveLength(3);
  for (const [version, expected] of [
    [first, { current: false, note: "the first", campaigns: number, bytes: number, pushed: string }],
    [served, { current: true, served: {} }],
    [third, { beside: { mode: "shadow", share: 5 } }],
  ] as const) {
    expect(versions.find((one) => one["version"] === version)).toMatchObject(expected);
  }
});

it("lists versions without a catalog, with a document and with a broken pointer", async () => {
  expect(await get("versions")).toMatchObject({ served: null, plain: false, versions: [] });
  await env.CATALOG.put(POINTER_KEY, cheap);
  expect(await get("versions")).toMatchObject({ served: await versionOf(cheap), plain: true });
  await env.CATALOG.put(POINTER_KEY, '{"format":2,"version":"0123456789abcdef"}');
  expect(await get("versions")).toMatchObject({ served: null, problem: expect.stringContaining("format 2") });
});

describe("catalog", () => {
  it("tells the campaigns of the served version in sentences, with their creatives, and no hash of a token", async () => {
    const version = await pushed(cheap);
    const answer = await get<Listed>("catalog");
    expect(answer).toMatchObject({ version, all: 9, found: 9 });
    expect(answer.campaigns).toHaveLength(9);
    const spring = answer.campaigns.find(({ cid }) => cid === "acme-spring");
    expect(spring).toMatchObject({
      ...{ paused: false, capped: false, shaded: false },
      creatives: ["acme-300x250", "acme-728x90", "acme-320x50"],
      sections: expect.arrayContaining([{ about: "pays", sentences: ["At most 1.8 USD for a thousand impressions."] }]),
    });
    const banner = expect.objectContaining({ w: 300, h: 250 });
    expect(answer.creatives).toContainEqual(expect.objectContaining({ crid: "acme-300x250", banner }));
    expect(answer.ssps).toContainEqual({ id: "closed", credentials: 1 });
    expect(JSON.stringify(answer.ssps)).not.toMatch(/[0-9a-f]{64}/);
  });

  it("an old version has its own campaigns, and an unknown one is a 404", async () => {
    const [first, second] = [await pushed(cheap), await pushed(dear)];
    const pays = async (query: string) => {
      const { version, campaigns } = await get<Listed>(`catalog?words=acme-spring${query}`);
      return [version, campaigns[0]?.sections.find(({ about }) => about === "pays")?.sentences[0]];
    };
    expect(await pays("")).toEqual([second, "At most 1.9 USD for a thousand impressions."]);
    expect(await pays(`&version=${first}`)).toEqual([first, "At most 1.8 USD for a thousand impressions."]);
    const unknown = await ask("catalog?version=0123456789abcdef");
    expect([unknown.status, await unknown.json()]).toEqual([404, { error: "KV has no version 0123456789abcdef" }]);
  });

  it("a plain document is told too", async () => {
    await env.CATALOG.put(POINTER_KEY, cheap);
    expect(await get<Listed>("catalog?words=acme-spring")).toMatchObject({ campaigns: [{ cid: "acme-spring" }] });
  });

  it("a campaign with a template shows what it has from there", async () => {
    const more = { paused: true, name: "of the house", caps: [{ n: 1, per: "day" }] };
    const templated = changed((document) => {
      const [{ cid: _, ...spring }] = document.campaigns;
      document.templates = [{ id: "house", ...spring, ...more, shading: { typical: "1.00", steepness: 2 } }];
      document.campaigns = [{ cid: "own", template: "house" }];
    });
    await pushed(templated);
    const shown = { cid: "own", name: "of the house", paused: true, capped: true, shaded: true };
    const creatives = ["acme-300x250", "acme-728x90", "acme-320x50"];
    expect((await get<Listed>("catalog")).campaigns).toMatchObject([{ ...shown, creatives }]);
  });

  it("lists a part of a large catalog, and finds the rest by words of their document", async () => {
    const count = 1005;
    await pushed(changed(many(count)));
    const all = await get<Listed>("catalog");
    expect([all.all, all.found, all.campaigns.length]).toEqual([count, count, MAX_DESCRIBED]);
    const last = await get<Listed>(`catalog?from=${count - 1}`);
    expect(last.campaigns.map(({ cid }) => cid)).toEqual([`c${count - 1}`]);
    const some = await get<Listed>(`catalog?words=c100%20Agency1`);
    expect([some.all, some.found, some.campaigns.length]).toEqual([count, 6, 6]);
    expect(some.campaigns.every(({ cid }) => cid.startsWith("c100"))).toBe(true);
    const one = await get<Listed>("catalog?campaign=c100");
    expect([one.found, one.campaigns[0]?.cid, one.campaigns[0]?.sections.length]).toEqual([
      1,
      "c100",
      expect.any(Number),
    ]);
    expect((await ask("catalog?from=x")).status).toBe(400);
  });

  it("503 without a catalog", async () => {
    expect((await ask("catalog")).status).toBe(503);
  });
});

describe("diff", () => {
  it("shows what differs between two versions", async () => {
    const [old, now] = [await pushed(cheap), await pushed(dear)];
    const change = { list: "campaigns", id: "acme-spring", change: "changed", at: null };
    const changes = [{ ...change, details: ["max_cpm: 1.80 USD → 1.90 USD"] }];
    expect(await get(`diff?old=${old}&new=${now}`)).toMatchObject({ old, new: now, errors: 0, more: 0, changes });
    expect(await get(`diff?old=${now}&new=${now}`)).toMatchObject({ changes: [] });
  });

  it("has the plan of a push of the new version", async () => {
    const [old, now] = [await pushed(cheap), await pushed(priced("9.00"))];
    const { plan } = await get<{ plan: Plan }>(`diff?old=${old}&new=${now}`);
    expect(plan.campaigns.changed).toEqual(["acme-spring"]);
    expect(plan.warnings).toEqual([expect.stringMatching(/^max_cpm of acme-spring would more than double/)]);
  });

  it("400 without two names, 404 for an unknown one", async () => {
    const version = await pushed(cheap);
    expect((await ask("nothing")).status).toBe(404);
    for (const query of ["", `?old=${version}`, `?new=${version}`])
      expect((await ask(`diff${query}`)).status).toBe(400);
    expect((await ask(`diff?old=${version}&new=0123456789abcdef`)).status).toBe(404);
    expect((await ask(`diff?old=../catalog&new=${version}`)).status).toBe(404);
  });

  it("413 if a source is too large to compare", async () => {
    const version = await pushed(cheap);
    await env.CATALOG.put(`catalog/${version}/document`, new Uint8Array(MAX_INSPECTED_BYTES + 1));
    const response = await ask(`diff?old=${version}&new=${version}`);
    const error = expect.stringContaining(`npx edgebid catalog diff`);
    expect([response.status, await response.json()]).toEqual([413, { error }]);
  });

  it("lists a part of many changes", async () => {
    const [old, now] = [await pushed(changed(many(1))), await pushed(changed(many(MAX_LISTED + 3)))];
    const answer = await get<{ changes: unknown[]; more: number }>(`diff?old=${old}&new=${now}`);
    expect([answer.changes.length, answer.more]).toEqual([MAX_LISTED, 2]);
  });
});
