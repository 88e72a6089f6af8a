//! The page of results is self-contained and shows any suite.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../build/tools.mjs";
import { COUNTS_FILE } from "../../cli/deploy/usage.ts";
import { highestRate } from "../http/suite.ts";
import { html } from "../report/html.ts";
import { withTable } from "../report/performance.ts";
import { countsText } from "../results.ts";
import type { Report } from "../suite.ts";

const REPORT: Report = {
  suite: "unregistered",
  summary: "a suite that is not registered",
  date: "2026-11-21T12:00:00.000Z",
  quick: false,
  machine: { cpu: "A <processor>", cores: 2, memory_gb: 24, os: "Linux", load: 0.5 },
  versions: { commit: "abc" },
  checks: { "http.bad": 0, "read.vs_json_parse_3800": 0.5, "its.own": 3 },
  figures: [],
  tables: [
    {
      title: "one < two & three",
      columns: ["way", "median"],
      rows: ["a group", ["edgebid", "1 µs"], ["other", "2 µs"]],
    },
  ],
  rows: [],
  pictures: {
    "a.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="92" height="43"><desc id="d">what "is" seen</desc></svg>`,
  },
};

describe("the page", () => {
  const page = html([REPORT]);

  it("loads nothing and runs no script", () => {
    const asked = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url ?? "");
    expect(asked.length).toBeGreaterThan(2);
    for (const url of asked) expect(url).toMatch(/^(#|data:)/);
    expect(page).not.toMatch(/<script|<link[^>]*stylesheet|@import|url\(/i);
  });

  it("shows chart, table and checks of the suite, escaped", () => {
    expect(page).toContain("one &lt; two &amp; three");
    expect(page).toContain("A &lt;processor&gt;");
    expect(page).toContain(`<th class="group" colspan="2">a group</th>`);
    expect(page).toContain(`<tr class="ours"><th scope="row">edgebid</th><td>1 µs</td></tr>`);
    expect(page).toContain("its.own");
    expect(page).toContain(`alt="what &quot;is&quot; seen"`);
    const picture = /base64,([^"]*)"/.exec(page)?.[1] ?? "";
    expect(Buffer.from(picture, "base64").toString()).toBe(REPORT.pictures["a.svg"]);
  });

  it("shows for each goal whether it is met", () => {
    expect(page).toMatch(/bad responses<\/th><td>0<\/td><td>≤ 0<\/td><td>yes</);
    expect(page).toMatch(/<td>0\.5<\/td><td>≤ 0\.24<\/td><td>no</);
  });

  it("closes every element", () => {
    const open: string[] = [];
    for (const [, close, name = ""] of page.matchAll(/<(\/?)([a-z0-9]+)\b[^>]*>/g)) {
      if (/^(meta|link|img)$/.test(name)) continue;
      if (!close) open.push(name);
      else expect(open.pop()).toBe(name);
    }
    expect(open).toEqual([]);
  });
});

describe("the table in docs/performance.md", () => {
  const text = "before\n<!-- measured: written by `npm run bench` -->\nof last week\n<!-- measured: end -->\nbehind\n";

  it("is written between its markers, and a second time unchanged", () => {
    const once = withTable(text, [REPORT]);
    expect(once).toContain("| 0.5 | ≤ 0.24 | no | 2026-11-21 |");
    expect(once).toContain("| 0 | ≤ 0 | yes | 2026-11-21 |");
    expect(once).not.toContain("of last week");
    expect(once.startsWith("before\n")).toBe(true);
    expect(once.endsWith("<!-- measured: end -->\nbehind\n")).toBe(true);
    expect(withTable(once, [REPORT])).toBe(once);
  });

  it("needs its markers", () => {
    expect(() => withTable("nothing", [REPORT])).toThrow("no section");
  });
});

describe("the search for the highest rate", () => {
  it("ends at the highest rate that holds, within its steps", async () => {
    for (const limit of [0, 1, 777, 3000, 4095]) {
      const found = await highestRate(4096, 12, async (rate) => rate <= limit);
      expect(Math.abs(found - limit)).toBeLessThanOrEqual(1);
    }
  });

  it("tries a failed rate once more, and never a third time", async () => {
    let asked = 0;
    const flaky = async (rate: number) => ++asked % 2 === 0 && rate <= 600;
    const found = await highestRate(1000, 5, flaky);
    expect(found).toBeGreaterThan(560);
    expect(found).toBeLessThanOrEqual(600);
    expect(asked).toBeLessThanOrEqual(10);
  });
});

it("`edgebid costs` has the figures of the newest results; UPDATE_COUNTS=1 writes them", () => {
  const path = join(ROOT, COUNTS_FILE);
  if (process.env["UPDATE_COUNTS"]) writeFileSync(path, countsText());
  expect(readFileSync(path, "utf8")).toBe(countsText());
});
