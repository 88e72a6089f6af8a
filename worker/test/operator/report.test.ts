//! Statuses, queries, formats and encodings of `/report`, with objects of the ledger that have made-up totals.

import { beforeEach, describe, expect, it, vi } from "vitest";
import { pieces } from "../../../shared/formats/format.ts";
import type { Query, Total } from "../../../shared/ledger/rows.ts";
import { FORMATS } from "../../../shared/report/formats.ts";
import { rowsOf } from "../../../shared/report/rows.ts";
import { shifted } from "../../../shared/time/days.ts";
import { at } from "../support/clock.ts";
import { groupsOf } from "../support/groups.ts";
import { Isolate, later } from "../support/isolate.ts";

/** What the ledger was asked, in one query: it is asked for some days at a time, one after the other. */
let asked: Query | undefined;

beforeEach(() => {
  asked = undefined;
  at("2094-11-18T23:59");
});

function get(
  parameters: string,
  headers: Record<string, string> = {},
  found: Total[] | Error | ((query: Query, name: string) => Total[]) = some(1),
  missing: string[] = [],
): Promise<Response> {
  const report = async (query: Query, name: string) => {
    if (found instanceof Error) throw found;
    if (missing.includes(name)) throw new Error("overloaded");
    return typeof found === "function" ? found(query, name) : [];
  };
  const LEDGER = { getByName: (name: string) => ({ report: (query: Query) => report(query, name) }) };
  let whole: Query | undefined;
  const summary = async (query: Query) => {
    const totals = typeof found === "function" ? found(query, "summary") : found;
    if (whole) expect(query.from).toBe(shifted(whole.to, 1));
    whole = { ...query, from: whole?.from ?? query.from };
    asked = whole;
    return { totals, places: [], objects: 0 };
  };
  const SUMMARY = { getByName: () => ({ report: summary }) };
  return new Isolate().fetch(`/report${parameters}`, { headers }, { OPERATOR: "anybody", LEDGER, SUMMARY });
}

/** The billed impressions of this many campaigns. */
function some(campaigns: number): Total[] {
  return Array.from({ length: campaigns }, (_, at) => ({
    ...{ day: "2094-11-18", hour: "", campaign: `campaign-${at}`, ssp: "", creative: "", version: "", cur: "USD" },
    ...{
      kind: "bill" as const,
      detail: "",
      count: at + 1,
      nanos: BigInt(at) * 1_800_001n,
      usdNanos: BigInt(at) * 1_800_001n,
    },
  }));
}

describe("the query", () => {
  const today = "2094-11-18";
  const DAY_CREATIVE: Query["by"] = ["day", "creative"];

  it.each<[string, Partial<Query>]>([
    ["", {}],
    ["?today", {}],
    ["?from=2094-11-01", { from: "2094-11-01" }],
    ["?to=2094-11-01&by=ssp", { from: "2094-11-01", to: "2094-11-01", by: ["ssp"] }],
    ["?from=2092-02-29&to=2092-03-01&by=creative,day,day", { from: "2092-02-29", to: "2092-03-01", by: DAY_CREATIVE }],
    ["?from=2093-10-15", { from: "2093-10-15" }],
    ["?by=", { by: [] }],
  ])("%s", async (parameters, more) => {
    const query = { from: today, to: today, by: ["day", "campaign"], ...more };
    const response = await get(parameters);
    expect(response.status).toBe(200);
    expect(asked).toEqual(query);
    expect(await response.json()).toMatchObject(query);
  });

  it("of one campaign also asks the ledger for campaigns, and shows no other attribute than those of the query", async () => {
    const response = await get("?campaign=campaign-2&by=ssp", {}, some(3).slice(2));
    expect(asked).toMatchObject({ campaign: "campaign-2", by: ["campaign", "ssp"] });
    const { by, rows } = await response.json<{ by: string[]; rows: Record<string, unknown>[] }>();
    expect(by).toEqual(["ssp"]);
    expect(rows).toEqual([expect.objectContaining({ ssp: "", billed: 3, spend: "0.003600002" })]);
    expect(rows[0]).not.toHaveProperty("campaign");
  });

  it.each([
    ["?from=18.11.2094", 'from: "18.11.2094" is not a day from 2000 to 2099; expected one such as 2026-11-18'],
    ["?from=2094-02-30", 'from: "2094-02-30" is not a day from 2000 to 2099; expected one such as 2026-11-18'],
    ["?to=", 'to: "" is not a day from 2000 to 2099; expected one such as 2026-11-18'],
    ["?from=2094-11-19", "from: 2094-11-19 is after 2094-11-18; expected the first day of the report"],
    ["?from=2093-10-14", "from: 2093-10-14 to 2094-11-18 are 401 days; expected at most 400"],
    ["?by=day,seat", 'by: "seat" is unknown; expected some of day,hour,campaign,ssp,creative,version'],
    ["?today&from=2094-11-01", "today: expected without from and to"],
    ["?from=2094-11-01&from=2094-11-02", "from: given twice; expected it once"],
    ["?form=2094-11-01", "form: unknown parameter; expected one of from, to, by, today, campaign"],
  ])("%s is refused", async (parameters, error) => {
    const response = await get(parameters);
    expect([response.status, response.headers.get("content-type")]).toEqual([400, "application/json"]);
    expect(await response.json()).toEqual({ error });
    expect(asked).toBeUndefined();
  });
});

it("says so if the ledger cannot answer", async () => {
  later();
  const logged = vi.spyOn(console, "error").mockReturnValue();
  const response = await get("", {}, new Error("object reset"));
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await response.json()).toEqual({ error: "the ledger cannot answer now; try again" });
  expect(logged).toHaveBeenCalledWith(expect.stringContaining("object reset"));
});

it("names the objects of the ledger whose totals are missing, in all formats", async () => {
  const missing = ["2094-11-18/07", "2094-11-18/21"];
  const answers = Object.keys(FORMATS).map((accept) => get("", { accept }, some(1), missing));
  const [json, csv, protobuf] = await Promise.all(answers);
  for (const response of [json, csv, protobuf]) {
    expect(response?.status).toBe(200);
    expect(response?.headers.get("edgebid-missing")).toBe("2094-11-18/07, 2094-11-18/21");
  }
  expect(await json?.json()).toMatchObject({ missing, rows: [{ campaign: "campaign-0" }] });
  expect(await protobuf?.text()).toContain("2094-11-18/07,2094-11-18/21");
  const whole = await get("");
  expect(whole.headers.has("edgebid-missing")).toBe(false);
  expect(await whole.json()).not.toHaveProperty("missing");
});

describe("a question that is too large is refused with what to ask instead", () => {
  const days = "?from=2094-11-17&to=2094-11-18";
  const [rows, sums] = ["more than 50000 rows", "more than 2000000 sums of the ledger's objects"];
  const one = ", or one campaign by campaign=ID";

  it.each([
    [`${days}&by=campaign`, 50_001, `by: campaign gives ${rows}; expected fewer attributes, day among them${one}`],
    ["", 50_001, `by: day,campaign gives ${rows} on two successive days; expected fewer attributes${one}`],
    // Of each of the 64 objects of two days.
    ["?by=ssp&campaign=no", 31_251, `by: campaign,ssp gives ${sums}; expected fewer attributes, fewer days`],
  ])("%s", async (parameters, count, error) => {
    later();
    vi.spyOn(console, "error").mockReturnValue();
    const totals = some(count);
    const response = await get(parameters, {}, () => totals);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error });
  });

  it("but many days may have so many rows each", async () => {
    const most = some(40_000);
    const found = ({ from: day }: Query, name: string) =>
      name === "summary" ? most.map((total) => ({ ...total, day })) : [];
    const response = await get("?from=2094-11-17", { accept: "text/csv" }, found);
    expect((await response.text()).match(/\n/g)).toHaveLength(1 + 2 * most.length);
  });
});

it("an answer whose later days fail breaks off, and the log says why", async () => {
  later();
  const logged = vi.spyOn(console, "error").mockReturnValue();
  const found = ({ from: day }: Query, name: string) => {
    if (name !== "summary") return [];
    if (day > "2094-11-01") throw new Error("object reset");
    return some(10_000).map((total) => ({ ...total, day }));
  };
  for (const headers of [{}, { accept: "text/csv" }, { "accept-encoding": "gzip" }]) {
    const response = await get("?from=2094-11-01", headers, found);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow("object reset");
  }
  expect(logged).toHaveBeenCalledWith(expect.stringContaining("object reset"));
});

describe("the formats", () => {
  const query: Query = { from: "2094-11-18", to: "2094-11-18", by: ["day", "campaign"] };
  const many = some(10_000);

  async function expected(type: string, totals: Total[]): Promise<ArrayBuffer> {
    const format = FORMATS[type]?.(query);
    if (format === undefined) throw new Error(type);
    // A piece is valid only until the next one.
    return new Blob(
      [...pieces(rowsOf(groupsOf(totals), query.by), format)].map((piece) => piece.slice()),
    ).arrayBuffer();
  }

  it.each([
    ["*/*", "application/json", "application/json"],
    ["text/csv", "text/csv", "text/csv; charset=utf-8; header=present"],
    ["application/x-protobuf, text/csv;q=0.9", "application/x-protobuf", "application/x-protobuf"],
  ])("Accept %s", async (accept, type, contentType) => {
    for (const totals of [[], some(3), many]) {
      const response = await get("", { accept }, totals);
      const headers = ["content-type", "cache-control"].map((name) => response.headers.get(name));
      expect([response.status, ...headers]).toEqual([200, contentType, "no-store"]);
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array(await expected(type, totals)));
    }
  });

  it("406 for others", async () => {
    const response = await get("", { accept: "text/html, application/json;q=0" });
    expect(response.status).toBe(406);
    expect(await response.json()).toEqual({
      error: "Accept: expected one of application/json, text/csv, application/x-protobuf",
    });
  });

  it("are compressed where the client accepts gzip", async () => {
    for (const totals of [some(3), many]) {
      const response = await get("", { "accept-encoding": "br, gzip" }, totals);
      expect(response.headers.get("content-encoding")).toBe("gzip");
      const plain = response.body?.pipeThrough(new DecompressionStream("gzip"));
      expect(await new Response(plain).arrayBuffer()).toEqual(await expected("application/json", totals));
    }
  });

  it("are sent while the rows are written", async () => {
    const written = vi.spyOn(JSON, "stringify");
    const rows = () => written.mock.calls.filter(([value]) => Object.hasOwn(Object(value), "bids")).length;
    const reader = (await get("", {}, many)).body?.getReader();
    await reader?.read();
    expect(rows()).toBeGreaterThan(10);
    expect(rows()).toBeLessThan(many.length / 5);
    await reader?.cancel();
  });
});
