//! The differences that `edgebid catalog diff` shows.

import { expect, test } from "vitest";
import { diff } from "../../shared/compare/diff.ts";
import { planOf } from "../../shared/compare/plan.ts";
import { changeText } from "../catalog/print.ts";

/** What `edgebid catalog diff` prints, line by line. */
const lines = (old: object, now: object) =>
  diff({ ...old }, { ...now }).flatMap((change) => changeText(change).split("\n"));

const before = {
  format: 1,
  prebid_code: "edgebid",
  rates: [{ cur: "EUR", usd: "1.08" }],
  ssps: [{ id: "demo" }, { id: "old" }],
  creatives: [
    { crid: "big", banner: { w: 300, h: 250, adm: `<a>${"x".repeat(80)}</a>` } },
    { crid: "small", banner: { w: 320, h: 50, adm: "<b>" } },
  ],
  campaigns: [
    { cid: "acme", max_cpm: "1.80", target: { country: { include: ["DEU", "AUT"] } }, creatives: ["big", "small"] },
    { cid: "gone", max_cpm: "1.00", creatives: ["big"] },
    { cid: "same", max_cpm: "2.00", cur: "EUR", creatives: ["small"] },
  ],
};

const after = {
  format: 1,
  prebid_code: "acme",
  rates: [{ cur: "EUR", usd: "1.09" }],
  ssps: [
    { id: "demo", nbr: true },
    { id: "fresh", gzip: true, cur: "EUR", deals: ["d-3"] },
  ],
  creatives: [
    { crid: "big", banner: { w: 300, h: 250, adm: `<a>${"y".repeat(90)}</a>` } },
    { crid: "small", banner: { w: 320, h: 50, adm: "<b>" } },
  ],
  campaigns: [
    { cid: "same", cur: "EUR", max_cpm: "2.00", creatives: ["small"] },
    {
      ...{ cid: "acme", max_cpm: "1.90", cur: "EUR", creatives: ["small", "big"] },
      target: { country: { include: ["AUT", "CHE"] }, instl: true },
    },
    { cid: "new", seat: "S", max_cpm: 500000, creatives: ["small"], deals: ["d-1", "d-2"] },
  ],
};

test("lists differences by campaign, creative, SSP, rate and setting", () => {
  expect(lines(before, after)).toEqual([
    "campaign acme changed",
    "    max_cpm: 1.80 USD → 1.90 EUR",
    "    target.country.include: added CHE; removed DEU",
    "    target.instl: now true, was not set",
    "    creatives: another order",
    "campaign gone removed",
    "campaign new added",
    "    seat S",
    "    max_cpm 0.50 USD",
    "    creatives small",
    "    deals d-1, d-2",
    "creative big changed (used by acme, gone)",
    "    banner.adm: another text (87 → 97 characters)",
    "SSP demo changed",
    "    nbr: now true, was not set",
    "SSP old removed",
    "SSP fresh added",
    "    gzip true",
    "    cur EUR",
    "    deals d-3",
    "rate EUR changed",
    "    usd: 1.08 → 1.09",
    "setting prebid_code changed",
    "    prebid_code: edgebid → acme",
  ]);
});

test("a value that is not a price is marked", () => {
  const priced = (max_cpm: unknown) => ({ campaigns: [{ cid: "acme", max_cpm }] });
  const details = [1.95, null, "2.00"].map((price) => diff(priced("1.80"), priced(price))[0]?.details);
  expect(details).toEqual([
    ["max_cpm: 1.80 USD → the number 1.95, no price"],
    ["max_cpm: 1.80 USD → null, no price"],
    ["max_cpm: 1.80 USD → 2.00 USD"],
  ]);
});

test("the order of attributes and entries makes no difference", () => {
  const turned = { ...before, campaigns: [...before.campaigns].reverse() };
  expect(diff(before, turned)).toEqual([]);
  expect(diff({ a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } })).toEqual([]);
});

test("shows how many values a list has gained and lost, and the first of them", () => {
  const many = Array.from({ length: 100_000 }, (_, n) => `s${n}.example`);
  const lists = (values: string[]) => ({ lists: [{ id: "sites", values }] });
  expect(lines({}, lists(many))).toEqual(["list sites added", "    100000 values"]);
  expect(lines(lists(many), lists(["new.example", ...many.slice(7)]))).toEqual([
    "list sites changed",
    "    100000 → 99994 values",
    "    added 1 values: new.example",
    "    removed 7 values: s0.example, s1.example, s2.example, s3.example, s4.example and 2 more",
  ]);
  expect(lines(lists(["a", "b"]), lists(["b", "a"]))).toEqual(["list sites changed", "    another order"]);
});

test("a long list outside of the shared ones is cut too", () => {
  const supply = (kind: string) => ({
    supply: { ads: Array.from({ length: 1000 }, (_, at) => `${kind}${at}.example`) },
  });
  expect(lines(supply("a"), supply("b"))).toEqual([
    "setting supply changed",
    "    supply.ads: added b0.example, b1.example, b2.example, b3.example, b4.example and 995 more; " +
      "removed a0.example, a1.example, a2.example, a3.example, a4.example and 995 more",
  ]);
});

test("hashes of tokens are shown as numbers", () => {
  const [a, b, c] = ["a", "b", "c"].map((digit) => digit.repeat(64));
  const ssps = (...all: object[]) => ({ ssps: all });
  const old = ssps({ id: "x", credentials: [a, b] }, { id: "y", credentials: [a] });
  const now = ssps({ id: "x", credentials: [b, c] }, { id: "y" }, { id: "z", credentials: [c, a] });
  expect(lines(old, now)).toEqual([
    "SSP x changed",
    "    credentials: added token 3; removed token 1",
    "SSP y changed",
    "    credentials: no longer set, was token 1",
    "SSP z added",
    "    credentials token 1, token 2",
  ]);
});

test("an entry that is no object, as an empty - of YAML, is left out", () => {
  const broken = (cid: string) => ({
    ...{ ssps: [null], templates: "none", creatives: [null, { crid: "big", adid: cid }], caps: [null] },
    campaigns: [null, { cid, creatives: [null, "big"], deals: [null], caps: [null] }],
  });
  expect(lines(broken("a"), broken("b"))).toContain("creative big changed (used by a, b)");
  expect(planOf(broken("a"), broken("b"), 0).campaigns).toMatchObject({ added: ["b"], removed: ["a"] });
});

test("a changed creative names the campaigns that show it with a weight", () => {
  const campaigns = [
    { cid: "a", creatives: [{ crid: "big", weight: 2 }] },
    { cid: "b", creatives: ["small"] },
  ];
  const [change] = diff(
    { creatives: [{ crid: "big" }], campaigns },
    { creatives: [{ crid: "big", adid: "1" }], campaigns },
  );
  expect(change?.campaigns).toEqual(["a"]);
});

test("a changed template names the campaigns that have it, and gives prices their currency", () => {
  const template = { id: "base", cur: "EUR", max_cpm: "2.00", creatives: ["big"] };
  const creatives = [{ crid: "big", adid: "1" }];
  const campaigns = [{ cid: "a", template: "base" }, { cid: "b", template: "base", max_cpm: "1.00" }, { cid: "c" }];
  const old = { templates: [template], creatives, campaigns };
  const now = {
    templates: [{ ...template, max_cpm: "3.00" }],
    creatives: [{ crid: "big", adid: "2" }],
    campaigns: [campaigns[0], { ...campaigns[1], max_cpm: "1.50" }, campaigns[2]],
  };
  expect(lines(old, now)).toEqual([
    "campaign b changed",
    "    max_cpm: 1.00 EUR → 1.50 EUR",
    "template base changed (used by a, b)",
    "    max_cpm: 2.00 EUR → 3.00 EUR",
    "creative big changed (used by a, b)",
    "    adid: 1 → 2",
  ]);
});
