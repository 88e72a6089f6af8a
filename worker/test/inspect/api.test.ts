//! `GET /inspect/api/…`: versions, campaigns and differences, only for the operator.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { POINTER_KEY, versionOf } from "../../src/catalog/pointer.ts";
import { MAX_INSPECTED_BYTES, MAX_LISTED } from "../../src/limits.ts";
import type { Listed } from "../../src/operator/answers.ts";
import { catalogDocument, text } from "../support/fixtures.ts";
import { clear, file, Isolate, later, pushed, store } from "../support/isolate.ts";

const dear = file(text(catalogDocument).replace('"max_cpm": "1.80"', '"max_cpm": "1.90"'));

let isolate: Isolate;

beforeEach(async () => {
  later();
  vi.spyOn(console, "error").mockImplementation(() => {});
  isolate = new Isolate();
  await clear();
});

function ask(what: string, more: object = {}, init: RequestInit = {}): Promise<Response> {
  return isolate.fetch(`/inspect/api/${what}`, init, { OPERATOR: "anybody", ...more });
}

async function get<T = Record<string, unknown>>(what: string): Promise<T> {
  const response = await ask(what);
  expect(response.headers.get("cache-control")).toBe("no-store");
  return response.json();
}

it("only for the operator, by GET, and with a known name", async () => {
  await pushed(catalogDocument);
  const closed = { OPERATOR: "", OPERATOR_TOKEN: "operator" };
  for (const name of ["versions", "catalog", "diff?old=a&new=b"]) {
    expect((await ask(name, closed)).status).toBe(401);
    expect((await ask(name, { OPERATOR: "", OPERATOR_TOKEN: "" })).status).toBe(404);
    expect((await ask(name, {}, { method: "POST" })).status).toBe(405);
  }
  expect((await ask("versions", closed, { headers: { authorization: "Bearer operator" } })).status).toBe(200);
  expect((await ask("nothing")).status).toBe(404);
});

describe("versions", () => {
  it("lists what KV has, with which version is served, second and previous", async () => {
    const first = await pushed(catalogDocument, store, { note: "the first" });
    const second = await pushed(dear);
    const beside = file(text(dear).replace('"max_cpm": "1.90"', '"max_cpm": "2.00"'));
    const third = await pushed(beside, store, { second: { mode: "shadow", share: 5 } });
    const answer = await get("versions");
    expect(answer).toMatchObject({
      served: second,
      plain: false,
      problem: null,
      previous: first,
      second: { version: third, mode: "shadow", share: 5 },
      stopped: null,
      serving: { version: second },
    });
    const versions = answer["versions"] as Record<string, unknown>[];
    expect(versions).toHaveLength(3);
    expect(versions.find(({ version }) => version === first)).toMatchObject({
      current: false,
      note: "the first",
      campaigns: expect.any(Number),
      bytes: expect.any(Number),
      pushed: expect.any(String),
    });
    expect(versions.find(({ version }) => version === second)).toMatchObject({ current: true, served: {} });
    expect(versions.find(({ version }) => version === third)).toMatchObject({ beside: { mode: "shadow", share: 5 } });
  });

  it("answers without a catalog, with a document and with a broken pointer", async () => {
    expect(await get("versions")).toMatchObject({ served: null, plain: false, versions: [] });
    await env.CATALOG.put(POINTER_KEY, catalogDocument);
    expect(await get("versions")).toMatchObject({ served: await versionOf(catalogDocument), plain: true });
    await env.CATALOG.put(POINTER_KEY, '{"format":2,"version":"0123456789abcdef"}');
    expect(await get("versions")).toMatchObject({ served: null, problem: expect.stringContaining("format 2") });
  });
});

describe("catalog", () => {
  it("tells the campaigns of the served version in sentences, with their creatives", async () => {
    const version = await pushed(catalogDocument);
    const answer = await get<Listed>("catalog");
    const { campaigns } = JSON.parse(text(catalogDocument));
    expect(answer).toMatchObject({ version, all: campaigns.length, more: 0 });
    expect(answer.campaigns).toHaveLength(campaigns.length);
    const spring = answer.campaigns.find(({ cid }) => cid === "acme-spring");
    expect(spring).toMatchObject({
      paused: false,
      capped: false,
      shaded: false,
      creatives: ["acme-300x250", "acme-728x90", "acme-320x50"],
    });
    expect(spring?.sections).toContainEqual({
      about: "pays",
      sentences: ["At most 1.8 USD for a thousand impressions."],
    });
    expect(answer.creatives).toContainEqual(
      expect.objectContaining({ crid: "acme-300x250", banner: expect.objectContaining({ w: 300, h: 250 }) }),
    );
  });

  it("tells no hash of a token", async () => {
    await pushed(catalogDocument);
    const { ssps } = await get<Listed>("catalog");
    expect(ssps).toContainEqual({ id: "closed", credentials: 1 });
    expect(JSON.stringify(ssps)).not.toMatch(/[0-9a-f]{64}/);
  });

  it("an old version has its own campaigns, and an unknown one is a 404", async () => {
    const first = await pushed(catalogDocument);
    const second = await pushed(dear);
    const pays = async (query: string) => {
      const { version, campaigns } = await get<Listed>(`catalog?cid=acme-spring${query}`);
      return [version, campaigns[0]?.sections.find(({ about }) => about === "pays")?.sentences[0]];
    };
    expect(await pays("")).toEqual([second, "At most 1.9 USD for a thousand impressions."]);
    expect(await pays(`&version=${first}`)).toEqual([first, "At most 1.8 USD for a thousand impressions."]);
    const unknown = await ask("catalog?version=0123456789abcdef");
    expect([unknown.status, await unknown.json()]).toEqual([404, { error: "KV has no version 0123456789abcdef" }]);
  });

  it("a plain document is told too", async () => {
    await env.CATALOG.put(POINTER_KEY, catalogDocument);
    expect(await get<Listed>("catalog?cid=acme-spring")).toMatchObject({ campaigns: [{ cid: "acme-spring" }] });
  });

  it("a campaign with a template shows what it has from there", async () => {
    const { campaigns, ...rest } = JSON.parse(text(catalogDocument));
    const [{ cid: _, ...spring }] = campaigns;
    const caps = [{ n: 1, per: "day" }];
    const shading = { typical: "1.00", steepness: 2 };
    const templates = [{ id: "house", ...spring, paused: true, name: "of the house", caps, shading }];
    await pushed(file(JSON.stringify({ ...rest, templates, campaigns: [{ cid: "own", template: "house" }] })));
    const { campaigns: listed } = await get<Listed>("catalog");
    expect(listed).toMatchObject([
      { cid: "own", name: "of the house", paused: true, capped: true, shaded: true, creatives: spring.creatives },
    ]);
  });

  it("lists a part of a large catalog, and finds the rest by the beginning of the id", async () => {
    const { campaigns, ...rest } = JSON.parse(text(catalogDocument));
    const many = Array.from({ length: MAX_LISTED + 5 }, (_, n) => ({ ...campaigns[0], cid: `c${n}` }));
    await pushed(file(JSON.stringify({ ...rest, campaigns: many })));
    const all = await get<Listed>("catalog");
    expect([all.all, all.campaigns.length, all.more]).toEqual([MAX_LISTED + 5, MAX_LISTED, 5]);
    const some = await get<Listed>(`catalog?cid=c100`);
    expect([some.campaigns.length, some.more]).toEqual([6, 0]);
    expect(some.campaigns.every(({ cid }) => cid.startsWith("c100"))).toBe(true);
  });

  it("413 if the source is too large to read, and 503 without a catalog", async () => {
    expect((await ask("catalog")).status).toBe(503);
    const version = await pushed(catalogDocument);
    await isolate.refresh();
    await env.CATALOG.put(`catalog/${version}/document`, new Uint8Array(MAX_INSPECTED_BYTES + 1));
    const response = await ask("catalog");
    expect([response.status, await response.json()]).toEqual([
      413,
      { error: expect.stringContaining(`npx edgebid catalog pull ${version}`) },
    ]);
  });
});

describe("diff", () => {
  it("shows what differs between two versions", async () => {
    const [old, now] = [await pushed(catalogDocument), await pushed(dear)];
    expect(await get(`diff?old=${old}&new=${now}`)).toEqual({
      ...{ old, new: now, errors: 0, more: 0 },
      changes: [
        {
          ...{ list: "campaigns", id: "acme-spring", change: "changed", at: null },
          details: ["max_cpm: 1.80 USD → 1.90 USD"],
        },
      ],
    });
    expect(await get(`diff?old=${now}&new=${now}`)).toMatchObject({ changes: [] });
  });

  it("400 without two names, 404 for an unknown one", async () => {
    const version = await pushed(catalogDocument);
    for (const query of ["", `?old=${version}`, `?new=${version}`])
      expect((await ask(`diff${query}`)).status).toBe(400);
    expect((await ask(`diff?old=${version}&new=0123456789abcdef`)).status).toBe(404);
    expect((await ask(`diff?old=../catalog&new=${version}`)).status).toBe(404);
  });

  it("lists a part of many changes", async () => {
    const { campaigns, ...rest } = JSON.parse(text(catalogDocument));
    const many = Array.from({ length: MAX_LISTED + 2 }, (_, n) => ({ ...campaigns[0], cid: `c${n}` }));
    const old = await pushed(file(JSON.stringify({ ...rest, campaigns: [campaigns[0]] })));
    const now = await pushed(file(JSON.stringify({ ...rest, campaigns: [campaigns[0], ...many] })));
    const answer = await get<{ changes: unknown[]; more: number }>(`diff?old=${old}&new=${now}`);
    expect([answer.changes.length, answer.more]).toEqual([MAX_LISTED, 2]);
  });
});
