//! `edgebid creatives export` prints the bids that an SSP would get, for every kind of creative.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { samplesOf } from "../../tools/creatives/export.ts";
import { eachInFolder, edgebidIn } from "./edgebid.ts";

const folder = eachInFolder("export");
const edgebid = (...args: string[]) => edgebidIn(folder())(...args);
const FIXTURES = new URL("../../fixtures/", import.meta.url);

function exported(catalog: object, ...options: string[]) {
  writeFileSync(join(folder(), "catalog.json"), JSON.stringify(catalog));
  return edgebid("creatives", "export", "--ssp", "demo", "--catalog", "catalog.json", ...options);
}

const AD = `<a href="https://shop.example/?d={site.domain}&p=\${AUCTION_PRICE}">=1, "2"</a>`;
const CATALOG = {
  format: 1,
  rates: [{ cur: "EUR", usd: "1.1" }],
  ssps: [
    { id: "demo", needs_approval: true, credentials: ["0".repeat(64)], price_macro: `\${PRICE}`, deals: ["d-1"] },
    { id: "other" },
  ],
  templates: [{ id: "t", seat: "agency", cat: ["IAB1"], ssps: ["demo"] }],
  creatives: [
    { crid: "new", attr: [1, 3], caps: [{ n: 1, per: "day" }], banner: { w: 300, h: 250, adm: AD } },
    { crid: "pending", banner: { w: 320, h: 50, adm: "<b>2</b>" } },
    { crid: "other", banner: { w: 320, h: 50, adm: "<b>3</b>" } },
    { crid: "nowhere", banner: { w: 320, h: 50, adm: "<b>4</b>" } },
  ],
  campaigns: [
    {
      ...{ cid: "c", template: "t", adomain: ["shop.example"], max_cpm: "2", cur: "EUR", paused: true },
      ...{ deals: ["d-1"], open: false, start: "2040-01-01T00:00Z", target: { country: { include: ["DEU"] } } },
      creatives: ["new", { crid: "pending" }],
    },
    { cid: "d", seat: "x", ssps: ["other"], adomain: ["a.example"], max_cpm: "2", creatives: ["other"] },
  ],
  approvals: [{ ssp: "demo", crid: "pending", state: "pending" }],
};

test("a creative without a decision is printed as the SSP would get it", async () => {
  const [code, out] = await exported(CATALOG);
  expect([code, JSON.parse(out)]).toEqual([
    0,
    {
      ssp: "demo",
      creatives: [
        {
          ...{ crid: "new", state: "unknown", seat: "agency", adomain: ["shop.example"], cat: ["IAB1"], cattax: 1 },
          ...{ attr: [1, 3], mtype: 1, w: 300, h: 250 },
          adm: AD.replace("{site.domain}", "news.example").replace("AUCTION_PRICE", "PRICE"),
        },
      ],
    },
  ]);
});

test("--all --csv prints those with a decision too, for a spreadsheet", async () => {
  const [code, out] = await exported(CATALOG, "--all", "--csv");
  const rows: Record<string, string>[] = parse(out, { columns: true });
  expect([code, rows.map(({ crid, state, attr }) => [crid, state, attr])]).toEqual([
    0,
    [
      ["new", "unknown", "1 3"],
      ["pending", "pending", ""],
    ],
  ]);
  expect(rows[0]?.["adm"]).toContain('=1, "2"');
});

test("an SSP that has decided on all creatives gets an empty list", async () => {
  const [approval] = CATALOG.approvals;
  const [code, out] = await exported({ ...CATALOG, approvals: [approval, { ...approval, crid: "new" }] });
  expect([code, JSON.parse(out)]).toEqual([0, { ssp: "demo", creatives: [] }]);
});

test("an unknown SSP and a refused catalog are refused", async () => {
  const unknown = await exported({ ...CATALOG, ssps: [{ id: "other" }], approvals: [], templates: [] });
  expect(unknown).toEqual([1, "", expect.stringContaining('"t"')]);
  const [, , error] = await exported({ format: 1, ssps: [{ id: "other" }] });
  expect(error).toContain("the catalog has no SSP demo; expected one of other");
});

describe("each creative of the fixtures", () => {
  const names = readdirSync(new URL("catalogs", FIXTURES)).map((name) => `catalogs/${name}`);
  test.each(["catalog.json", ...names])("of %s", (name) => {
    const catalog = JSON.parse(readFileSync(new URL(name, FIXTURES), "utf8"));
    const { creatives, outcomes } = samplesOf(catalog, catalog.ssps[0].id, true);
    // Some catalogs are about answers that are too long for the SSP.
    for (const [, outcome] of outcomes) expect(outcome).toBe("response-bytes");
    for (const { crid, adm } of creatives) {
      expect(catalog.creatives.map((one: { crid: string }) => one.crid)).toContain(crid);
      expect(adm).not.toMatch(/\{(cid|crid|site\.domain|imp\.tagid|cachebuster)\}/);
    }
  });
});
