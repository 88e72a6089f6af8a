//! The output of the commands that use files only. They do not open KV.

import { cpSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { timeFindings } from "../catalog/ended.ts";
import { CATALOG, catalogText, REQUEST, ROOT, requestText } from "./bidder.ts";
import { edgebidIn, edgebidProcess, folderFor } from "./edgebid.ts";

const folder = folderFor("commands");
const edgebid = edgebidIn(folder);

/** Writes a file, and returns its name. */
function write(name: string, document: unknown): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof document === "string" ? document : JSON.stringify(document));
  return name;
}

write("parts/all.json", catalogText);
write("bad.json", catalogText.replace('"max_cpm": "1.80"', '"max_cpm": 1.95'));

test.each([
  ["catalog", "validate", "nope.json"],
  ["catalog", "push", "nope.json", "--local"],
  ["catalog", "diff", "nope.json", "--local"],
  ["catalog", "diff", CATALOG, "nope.json", "--local"],
])("%s %s: a file that does not exist", async (...args) => {
  expect(await edgebid(...args)).toEqual([2, "", "edgebid: nope.json does not exist\n"]);
});

test("a file that is too long to be read as a whole", async () => {
  write("long.json", "");
  truncateSync(join(folder, "long.json"), 2 ** 31);
  const message = "edgebid: long.json is too long; expected at most 2 GiB\n";
  expect(await edgebid("catalog", "validate", "long.json")).toEqual([2, "", message]);
});

test("one of several requests does not exist", async () => {
  const [code, stdout] = await edgebid("validate", "nope.json", REQUEST);
  expect(code).toBe(2);
  expect(stdout).toMatch(/^✗ nope.json: does not exist\n✓ /);
});

test("a catalog in place of a request, and a request in place of a catalog", async () => {
  const asRequest = await edgebid("validate", CATALOG);
  const hint = `this looks like a catalog: npx edgebid catalog validate ${CATALOG}`;
  expect(asRequest).toEqual([1, `✗ ${CATALOG}: ${hint}\n`, ""]);
  const other = `edgebid: this looks like a bid request, not a catalog: npx edgebid validate ${REQUEST}\n`;
  expect(await edgebid("catalog", "validate", REQUEST)).toEqual([1, "", other]);
});

test("validate shows the errors, and does not mention a change", async () => {
  const [code, stdout, stderr] = await edgebid("catalog", "validate", "bad.json");
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/✗ refused; 1 error, 1 note:\n/);
  expect(stderr).not.toContain("changed");
});

test("validate notes campaigns that have ended, by the clock of this machine", async () => {
  const example = JSON.parse(catalogText);
  const [first] = example.campaigns;
  const flights = [{ start: "2025-11-01T00:00Z", end: "2025-12-25T00:00+01:00" }];
  const ends = [
    { end: "2025-12-25T00:00+01:00" },
    { end: "2025-12-25T00:00+01:00", paused: true },
    { end: "2125-12-25T00:00+01:00" },
    { flights },
    { flights: [...flights, { start: "2025-12-25T00:00+01:00" }] },
    {},
    { template: "old" },
    { template: "old", end: null },
  ];
  const campaigns = ends.map((own, i) => ({ ...first, cid: `c${i}`, ...own }));
  write("ended.json", { ...example, templates: [{ id: "old", end: "2025-12-25T00:00+01:00" }], campaigns });
  const [code, stdout] = await edgebid("catalog", "validate", "ended.json", "--json");
  const { findings }: { findings: { rule: string; of: string; message: string }[] } = JSON.parse(stdout);
  const ended = findings.filter(({ rule }) => rule === "ended");
  expect([code, ended.map(({ of }) => of)]).toEqual([0, ["c0", "c3", "c6"]]);
  expect(ended[0]?.message).toContain("ended at 2025-12-25T00:00+01:00, so the campaign never bids");
});

test.each<[object, string[]]>([
  [{ start: "2062-02-01T00:00Z" }, ["starts at 2062-02-01T00:00Z, in 35 years; expected at most 2 years from now"]],
  [
    { flights: [{ start: "2026-12-01T00:00Z", end: "2027-01-01T00:00Z" }, { start: "2062-01-01T00:00Z" }] },
    ["starts at 2062-01-01T00:00Z, in 35"],
  ],
  [
    { start: "2026-12-01T00:00Z", end: "2062-01-01T00:00Z" },
    ["ends at 2062-01-01T00:00Z, in 35 years; expected at most 10"],
  ],
  [{ template: "t" }, ["starts at 2029-01-01T00:00Z, in 2 years"]],
  [{ start: "2062-02-01T00:00Z", paused: true }, []],
  [{ start: "2028-11-01T00:00Z", end: "2099-12-31T00:00Z" }, []],
  [{ start: 5, end: "soon" }, []],
])("%j: a year that is probably mistyped", (own, expected) => {
  const templates = [{ id: "t", start: "2029-01-01T00:00Z" }];
  const found = timeFindings({ templates, campaigns: [{ cid: "c", ...own }] }, Date.parse("2026-11-28T12:00Z"));
  expect(found.map(({ rule }) => rule)).toEqual(expected.map(() => "far"));
  expect(found.map(({ message }) => message)).toEqual(expected.map((part) => expect.stringContaining(part)));
});

test("diff takes a folder, and names the two catalogs", async () => {
  expect(await edgebid("catalog", "diff", CATALOG, "parts")).toEqual([0, `${CATALOG} → parts\nno differences\n`, ""]);
});

test("diff shows a catalog that a push would refuse, and says so", async () => {
  const [code, stdout, stderr] = await edgebid("catalog", "diff", "parts", "bad.json");
  expect(code).toBe(0);
  expect(stdout).toContain("parts → bad.json\n");
  expect(stdout).toContain("max_cpm: 1.80 USD → the number 1.95, no price\n");
  expect(stderr).toMatch(/a push would refuse bad.json, with 1 error: npx edgebid catalog validate bad.json\n$/);
  const [, json] = await edgebid("catalog", "diff", "parts", "bad.json", "--json");
  const plan = { campaigns: { changed: ["acme-spring"] } };
  const told = { old: "parts", new: "bad.json", errors: 1, changes: [{ change: "changed" }], plan };
  expect(JSON.parse(json)).toMatchObject(told);
});

test.each([
  ["null", "no object"],
  ["{", "not JSON"],
])("diff of a file with %s", async (text, why) => {
  write("broken.json", text);
  const message = `edgebid: broken.json is not a catalog document: ${why}\n`;
  expect(await edgebid("catalog", "diff", "parts", "broken.json")).toEqual([2, "", message]);
});

test("diff fails on any change, or on what a push would warn of", async () => {
  write("little.json", catalogText.replace('"max_cpm": "1.80"', '"max_cpm": "1.81"'));
  write("dear.json", catalogText.replace('"max_cpm": "1.80"', '"max_cpm": "18.0"'));
  const code = async (...args: string[]) => (await edgebid("catalog", "diff", "parts", ...args))[0];
  expect(await code("parts", "--fail-on", "changes")).toBe(0);
  expect(await code("little.json", "--fail-on", "changes")).toBe(1);
  expect(await code("little.json", "--fail-on", "warnings")).toBe(0);
  expect(await code("dear.json")).toBe(0);
  const warned = await edgebid("catalog", "diff", "parts", "dear.json", "--fail-on", "warnings");
  expect(warned[0]).toBe(1);
  expect(warned[1]).toMatch(/\n! max_cpm of acme-spring would more than double, from 1.8 USD to 18 USD\n$/);
});

test("replay fails if the figures of two catalogs are too far apart", async () => {
  const catalogs = ["--catalog", "parts", "--catalog", "dear.json", "--now", "2026-11-18T12:00Z"];
  const [code, , stderr] = await edgebid("replay", REQUEST, ...catalogs, "--fail-if", "spend > +10%");
  expect([code, stderr]).toEqual([1, expect.stringMatching(/edgebid: spend in USD: .* expected at most \+10 %\n$/)]);
  const [within] = await edgebid("replay", REQUEST, ...catalogs, "--fail-if", "bids < -1%", "--fail-if", "bids > 1%");
  expect(within).toBe(0);
  expect((await edgebid("replay", REQUEST, ...catalogs, "--fail-if", "speed > 1%"))[0]).toBe(2);
});

test("errors come before notes and are counted separately", async () => {
  const both = catalogText.replace('"seat": "Agency1",', '"seat": "Agency1", "start": 1, "nurl": "http://x",');
  const where = ["--local", "--persist-to", "state"];
  const [code, , stderr] = await edgebid("catalog", "push", write("both.json", both), ...where);
  expect(code).toBe(1);
  const [head = "", ...lines] = stderr.slice(stderr.indexOf("✗ refused")).trimEnd().split("\n");
  const isNote = (line: string) => line.startsWith("  note ");
  const notes = lines.filter(isNote).length;
  expect(notes).toBeGreaterThan(0);
  expect(head).toBe(
    `✗ refused, nothing was changed; ${lines.length - notes} errors, ${notes} note${notes > 1 ? "s" : ""}:`,
  );
  expect(lines.findIndex(isNote)).toBe(lines.length - notes);

  const request = requestText.replace("{", '{ "nobody": 1, "tmax": "120",');
  const [, stdout] = await edgebid("validate", write("request.json", request.replace(/"tmax": \d+,/, "")));
  expect(stdout).toMatch(/: 1 error, 1 note\n {2}error tmax: .*\n {2}note {2}nobody: .*\n$/);
});

test("values of a request are checked, not only types", async () => {
  const request = JSON.parse(requestText);
  const wrong = { ...request, at: 9, device: { geo: { country: "DE" } } };
  wrong.imp[0].bidfloorcur = "Euro";
  const [code, stdout] = await edgebid("validate", write("wrong.json", wrong));
  expect(code).toBe(1);
  expect(stdout).toMatch(/: 3 errors\n/);
  const wanted = ["at: 9 is unknown", 'imp[0].bidfloorcur: "Euro" is not a currency', 'did you mean "DEU" (Germany)?'];
  for (const what of wanted) expect(stdout).toContain(what);
});

test("a byte order mark is reported", async () => {
  const texts = { "catalog-bom.json": catalogText, "marked/all.json": catalogText, "request-bom.json": requestText };
  for (const [name, text] of Object.entries(texts)) write(name, `\ufeff${text}`);
  const finding = "not JSON: it starts with a byte order mark (U+FEFF)";
  expect((await edgebid("catalog", "validate", "catalog-bom.json"))[2]).toContain(finding);
  expect((await edgebid("catalog", "validate", "marked"))[2]).toContain(`all.json: ${finding}`);
  expect((await edgebid("validate", "request-bom.json"))[1]).toContain(finding);
  expect((await edgebid("explain", "request-bom.json", "--catalog", CATALOG))[1]).toContain(finding);
});

test("a missing argument points to --help", async () => {
  const [code, , stderr] = await edgebid("catalog", "split", "3f2a");
  expect(code).toBe(2);
  expect(stderr).toContain("--help");
});

test("before the first build, --help works, and a command says what to run first", async () => {
  const copy = join(folder, "copy");
  for (const path of ["package.json", "build", "cli", "shared", "tools", "worker/src"]) {
    cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  // The help of every command comes from the same files.
  const help = await edgebidProcess(folder, ["catalog", "push", "--help"], copy);
  expect(help).toEqual([0, expect.stringMatching(/^Usage: edgebid catalog push/), ""]);
  const unbuilt = [2, "", "edgebid: the modules are not built yet; run npm start or npm run build first\n"];
  for (const command of [["validate"], ["explain"], ["catalog", "validate"]]) {
    expect(await edgebidProcess(folder, [...command, CATALOG], copy)).toEqual(unbuilt);
  }
});

test.each([
  [
    "leaves out currency and impressions of a request that no campaign may bid on",
    { cur: ["XTS"] },
    /: currency \(catalog: .*catalog.json, version \w+; privacy: personal\)\n {2}wanted a currency with a rate: .*; found cur XTS\n$/,
  ],
  ["names the signal that restricts privacy", { regs: { gpc: 1 } }, /; privacy: contextual \(regs\.gpc\); prices in /],
  ["cuts a long id", { id: "x".repeat(600) }, /request x{80}… \(600 characters\): id-bytes \(/],
])("explain %s", async (_, more, expected) => {
  const [, text] = await edgebid(
    "explain",
    write("explained.json", { ...JSON.parse(requestText), ...more }),
    "--catalog",
    CATALOG,
  );
  expect(text).toMatch(expected);
});

test("explain shows the steps of a price, and which SSP a campaign buys from", async () => {
  const catalog = JSON.parse(readFileSync(join(ROOT, "fixtures/catalogs/two-ssps.json"), "utf8"));
  const [acme] = catalog.campaigns;
  acme.bids = [{ when: {}, times: "1.5" }];
  catalog.campaigns.push({ ...acme, cid: "elsewhere", ssps: ["other"] });
  const [, text] = await edgebid("explain", REQUEST, "--catalog", write("two.json", catalog));
  expect(text).toContain("wanted other; found demo (ask with --ssp other)\n");
  const steps = ["campaign pays at most", "× 1.5 (bids[0]: Always.)", "floor", "price"];
  const amounts = ["2 USD", "3 USD", "0.03 USD", "3 USD"];
  const lines = steps.map((what, at) => `    ${what.padEnd(24)}  ${amounts[at]}\n`);
  expect(text).toContain(`: 3 (pays at most 3, floor 0.03)\n${lines.join("")}`);
  expect((await edgebid("explain", REQUEST, "--catalog", CATALOG))[1]).not.toContain("campaign pays");
});

test("explain lets campaigns with a budget bid, says so, and shows the response", async () => {
  const catalog = JSON.parse(catalogText);
  for (const campaign of catalog.campaigns) if (campaign.cid === "acme-spring") campaign.budget = { daily: "50" };
  const args = ["explain", REQUEST, "--catalog", write("budgeted.json", catalog), "--bid"];
  const [, text] = await edgebid(...args);
  expect(text).toMatch(
    / ✓ acme-spring .*\nassumed: campaigns with a budget may bid on every request.*\nresponse\n\{\n/s,
  );
  const { assumed, response } = JSON.parse((await edgebid(...args, "--json"))[1]);
  expect([assumed.length, response.seatbid[0].bid[0].cid]).toEqual([1, "acme-spring"]);
});

test("explain tells a campaign in sentences, or names the nearest one", async () => {
  const [code, text] = await edgebid("catalog", "explain", "acme-spring", "--catalog", CATALOG);
  expect([code, text]).toEqual([0, expect.stringMatching(/^campaign acme-spring\n {2}advertises\n {4}The adv/)]);
  expect(text).toContain("    At most 1.8 USD for a thousand impressions.\n");
  const [, json] = await edgebid("catalog", "explain", "acme-spring", "--catalog", CATALOG, "--json");
  const { cid, sections } = JSON.parse(json);
  expect(cid).toBe("acme-spring");
  expect(sections.map(({ about }: { about: string }) => about)).toContain("bids where");
  const nearest = expect.stringContaining(
    "edgebid: the catalog has no campaign acme-sprin; did you mean acme-spring?\n",
  );
  expect(await edgebid("catalog", "explain", "acme-sprin", "--catalog", CATALOG)).toEqual([2, "", nearest]);
});

test("escape sequences in ids, keys and values are shown, and JSON says the same as before", async () => {
  const evil = "\x1b]52;c;ZXZpbA==\x07\x1b]0;title\x07\x1b[2J\x1b[1A\x9b5n\rx";
  const catalog = JSON.parse(catalogText);
  catalog.campaigns[0].cid = evil;
  const before = write("evil.json", catalog);
  const after = write("evil-2.json", { ...catalog, [evil]: 1, campaigns: [{ ...catalog.campaigns[0], [evil]: evil }] });
  const request = JSON.parse(requestText);
  const body = write("evil-request.json", { ...request, id: evil, [evil]: 1, at: evil });
  const texts: string[] = [];
  for (const args of [
    ["explain", body, "--catalog", before],
    ["explain", body, "--catalog", after],
    ["validate", body],
    ["catalog", "validate", after],
    ["catalog", "diff", CATALOG, before],
    ["catalog", evil],
  ]) {
    const [, stdout, stderr] = await edgebid(...args);
    texts.push(stdout + stderr);
  }
  // Tests in this process guard the streams themselves.
  const [, stdout, stderr] = await edgebidProcess(folder, ["explain", body, "--catalog", after]);
  texts.push(stdout + stderr);
  for (const text of texts) expect(text).not.toMatch(/[^\P{Cc}\n]/u);
  for (const text of texts) expect(text).toMatch(/u\{?(001b|1b)\}?\]52;c;/);
  const [, json] = await edgebid("explain", body, "--catalog", before, "--json");
  expect(JSON.parse(json).id).toBe(evil);
});

test("an environment on this machine is a folder of its own", async () => {
  const [code, , stderr] = await edgebid("catalog", "list", "--local", "--env", "staging");
  expect([code, stderr]).toEqual([2, expect.stringContaining("such as --local --persist-to .wrangler/staging: ")]);
});
