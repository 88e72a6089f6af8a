//! `edgebid supply paths` counts by SSP, chain and relation what a recording and the events of its time say.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { eachInFolder, edgebidIn, toldBy } from "./edgebid.ts";

const folder = eachInFolder("supply-paths");
const edgebid = (...args: string[]) => edgebidIn(folder())(...args);
const told = (...args: string[]) => toldBy(folder(), "supply", "paths", "kept", "--catalog", "catalog.json", ...args);
const write = (name: string, lines: object[]) =>
  writeFileSync(join(folder(), name), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));

const CATALOG = {
  ...{ format: 1, ssps: [{ id: "one", domain: "One.example" }, { id: "two" }] },
  supply: {
    date: "2020-01-01",
    systems: [{ domain: "one.example", sellers: ["P:pub", "I:net"] }, { domain: "net.example" }],
    ads: ["news.example,0D:pub,0R:net,1D:n-1"],
    app_ads: [],
  },
};

beforeEach(() => write("catalog.json", [CATALOG]));

let requests = 0;
/** A line of a recording: a request of a site. */
function kept(seller: string, more: object = {}, domain = "news.example", source?: object) {
  const request = { id: `r${++requests}`, imp: [{ id: "1" }], site: { domain, publisher: { id: seller } }, source };
  return { ssp: "one", outcome: "floor", request, ...more };
}
const chain = (complete: number, ...nodes: [asi: string, sid: string, hp?: number][]) => ({
  ext: { schain: { ver: "1.0", complete, nodes: nodes.map(([asi, sid, hp = 1]) => ({ asi, sid, hp })) } },
});

test("a path is an SSP, the paid systems and what the files say, however old they are", async () => {
  const twice: [string, string][] = [
    ["net.example", "n-1"],
    ["ONE.example", "net"],
  ];
  write("kept", [
    kept("pub"),
    kept("net"),
    kept("pub", {}, "unknown.example"),
    kept("gone"),
    kept("x", {}, "news.example", chain(1, ...twice)),
    kept("x", {}, "news.example", chain(0, ...twice)),
    kept("x", {}, "news.example", chain(1, ["one.example", "pub"], ["tech.example", "9", 0])),
    kept("pub", { ssp: "two", one_in: 10 }),
  ]);
  const { paths } = await told();
  const lines = paths.map(({ ssp, systems, whole, relation, requests: count }: Record<string, unknown>) =>
    [ssp, systems, whole, relation, count].join(" "),
  );
  expect(lines).toEqual([
    "two two true unknown 10",
    "one one.example true direct 1",
    "one one.example true reseller 1",
    "one one.example true unknown 1",
    "one one.example true refused 1",
    "one net.example,one.example true reseller 1",
    "one net.example,one.example false reseller 1",
    "one one.example false reseller 1",
  ]);
  const [code, out] = await edgebid("supply", "paths", "kept", "--catalog", "catalog.json");
  expect(out).not.toContain("the files were not read");
  expect([code, out]).toEqual([0, expect.stringMatching(/one +\? > net\.example > one\.example +2 +reseller +1 +0\n/)]);
});

test("wins, bills and spend come from the events, each once, times what a request stands for", async () => {
  const [bid, other] = [kept("pub", { outcome: "bid", one_in: 100 }), kept("net", { outcome: "bid", one_in: 100 })];
  write("kept", [bid, other, kept("net", { one_in: 100 })]);
  const event = (type: string, id: string, more: object = {}) => ({ v: 1, type, id, ssp: "one", ...more });
  const bill = { price_micros: 2_500_000, cur: "USD", outcome: "bill" };
  write("events", [
    event("win", "a0"),
    event("bill", "a0", bill),
    event("bill", "a0", bill),
    event("bid", "a0", { request: bid.request.id }),
    event("bid", "a1", { request: bid.request.id }),
    event("bill", "a1", { ...bill, cur: "EUR" }),
    event("bid", "b0", { request: other.request.id, test: true }),
    event("bill", "b0", { ...bill, test: true }),
    // The same id of another SSP's request.
    event("bid", "c0", { request: bid.request.id, ssp: "two" }),
    event("bill", "c0", bill),
    event("auction", "d"),
  ]);
  const { paths, others } = await told("--events", "events");
  const figures = { systems: ["one.example"], whole: true, ssp: "one" };
  expect(paths).toEqual([
    { ...figures, relation: "reseller", requests: 200, bids: 100, wins: 0, billed: 0, spend: {} },
    {
      ...{ ...figures, relation: "direct", requests: 100, bids: 100, wins: 100, billed: 200 },
      spend: { USD: "0.25", EUR: "0.25" },
    },
  ]);
  expect(others).toBe(1);
});

test("requests of no SSP, or of one that the catalog does not have, are unknown", async () => {
  const source = { schain: { ver: "1.0", complete: 1, nodes: [{ asi: "Other.example", sid: "1" }, { sid: "2" }] } };
  write("kept", [kept("pub").request, kept("pub", { ssp: "gone" }, "news.example", source)]);
  const [code, out] = await edgebid("supply", "paths", "kept", "--catalog", "catalog.json");
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(
      /– +– +1 +unknown +1 +0\ngone +other\.example > – +2 +unknown +1 +0\n.*read for other\.example:/,
    ),
  ]);
});

test("a recording without requests, one that is cut off, and events on standard input are refused", async () => {
  const paths = (...args: string[]) => edgebid("supply", "paths", "kept", "--catalog", "catalog.json", ...args);
  write("kept", []);
  expect(await paths()).toEqual([1, "", expect.stringContaining("the recording has no requests")]);
  expect(await paths("--events", "-")).toEqual([2, "", expect.stringContaining("read twice")]);
  writeFileSync(join(folder(), "kept"), Buffer.from("1f8b0800", "hex"));
  expect(await paths()).toEqual([1, "", expect.stringContaining("kept is cut off")]);
});
