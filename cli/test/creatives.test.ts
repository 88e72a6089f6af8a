//! `edgebid creatives import` writes an exchange's decisions into a catalog's folder, or changes nothing.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { eachInFolder, edgebidIn } from "./edgebid.ts";

const folder = eachInFolder("creatives");
const edgebid = (...args: string[]) => edgebidIn(folder())(...args);
const FILE = "parts/approvals-demo.json";
const written = () => JSON.parse(readFileSync(join(folder(), FILE), "utf8")).approvals;

/** Imports a file with this text into a catalog with the creative shoes-300x250 and the SSP demo. */
function imported(text: string, ssp = "demo", ...options: string[]) {
  writeFileSync(join(folder(), "decisions"), text);
  return edgebid("creatives", "import", ssp, "decisions", "--catalog", "parts", ...options);
}

beforeEach(async () => {
  mkdirSync(join(folder(), "parts"));
  await edgebid("init", "parts/first.json", "--yes");
  // A folder's documents are all of the catalog.
  renameSync(join(folder(), "parts/request.json"), join(folder(), "request.json"));
});

const google = (status: string, more: object = {}) => ({
  creativeId: "shoes-300x250",
  creativeServingDecision: {
    lastStatusUpdate: "2026-11-20T10:11:12.345Z",
    networkPolicyCompliance: { status, topics: [{ policyTopic: "Alcohol" }, { policyTopic: "Gambling" }] },
  },
  ...more,
});

const OWN = { ssp: "demo", crid: "shoes-300x250" };
test.each([
  ["crid,state\nshoes-300x250,approved\n", { ...OWN, state: "approved" }],
  [
    '\uFEFFcrid;State;date;reason\r\nshoes-300x250;Disapproved;2026-11-20;"no; page"\r\n',
    { ...OWN, state: "disapproved", reason: "no; page", date: "2026-11-20" },
  ],
  [
    JSON.stringify({ creatives: [google("DISAPPROVED"), google("APPROVED", { creativeId: "another" })] }),
    { ...OWN, state: "disapproved", reason: "Alcohol, Gambling", date: "2026-11-20" },
  ],
  [
    JSON.stringify([
      {
        ...google("PENDING_REVIEW"),
        creativeServingDecision: { networkPolicyCompliance: { status: "PENDING_REVIEW" } },
      },
    ]),
    { ...OWN, state: "pending" },
  ],
])("file %# is read", async (text, expected) => {
  const [code, out] = await imported(text);
  expect([code, out]).toEqual([0, expect.stringContaining(`1 ${expected.state}`)]);
  expect(written()).toEqual([expected]);
});

test("the decisions of the file before are replaced, and count for the bidder", async () => {
  const path = join(folder(), "parts/first.json");
  const document = JSON.parse(readFileSync(path, "utf8"));
  document.ssps[0].needs_approval = true;
  writeFileSync(path, JSON.stringify(document));
  expect((await imported("crid,state\nshoes-300x250,approved"))[1]).not.toContain("never bids");
  const explained = () => edgebid("explain", "request.json", "--catalog", "parts");
  expect((await explained())[1]).toContain("bid (");
  const [, out] = await imported("crid,state,date\nshoes-300x250,pending,2026-11-20");
  expect(out).toContain(
    'the campaign never bids at "demo", which needs approved creatives: "shoes-300x250" is pending since',
  );
  expect((await explained())[1]).toContain("shoes-300x250: pending since 2026-11-20");
});

test("a push notes a creative that is not bid at some SSPs, although others of its campaign are", async () => {
  const path = join(folder(), "parts/first.json");
  const document = JSON.parse(readFileSync(path, "utf8"));
  const [ssp] = document.ssps;
  document.ssps = ["demo", "east", "open"].map((id) => ({ ...ssp, id, needs_approval: id !== "open" }));
  document.creatives.push({ ...document.creatives[0], crid: "nova-30s" });
  document.campaigns[0].creatives.push("nova-30s");
  writeFileSync(path, JSON.stringify(document));
  await imported("crid,state\nshoes-300x250,approved", "east");
  const [code, out] = await imported("crid,state,date\nshoes-300x250,approved,\nnova-30s,pending,2026-11-20");
  expect([code, out]).toEqual([
    0,
    expect.stringContaining(
      'first.json: creatives[1] (nova-30s): not bid where the SSP needs approved creatives: pending since 2026-11-20 at "demo", unknown at "east"',
    ),
  ]);
  expect(out.match(/not bid where/g)).toHaveLength(1);
  expect(await edgebid("catalog", "push", "parts", "--local", "--persist-to", "kv", "--dry-run")).toEqual([
    0,
    expect.stringContaining('pending since 2026-11-20 at "demo"'),
    "",
  ]);
});

test.each([
  ["crid,state\nshoes-300x250,fine", 'line 2: the state is "fine"; expected approved, pending, disapproved'],
  ["id,state\nshoes-300x250,approved", "line 2: no crid"],
  ["", "the file has no decisions"],
  ["crid,state\n", "the file has no decisions"],
  ['crid,state\n"a', "the file is neither JSON nor CSV"],
  [JSON.stringify({ creatives: [google("APPROVED")], nextPageToken: "2" }), "one page of several"],
  [JSON.stringify({ items: [] }), "no list of creatives"],
  [
    JSON.stringify([google("SOMETHING")]),
    'creatives[0] (shoes-300x250): the status is "SOMETHING"; expected one of APPROVED',
  ],
  [JSON.stringify([{ creativeId: 7 }]), "creatives[0] has no creativeId"],
])("%j is refused", async (text, message) => {
  expect(await imported(text)).toEqual([2, "", expect.stringContaining(message)]);
  expect(existsSync(join(folder(), FILE))).toBe(false);
});

test("a decision that is there twice changes nothing", async () => {
  expect((await imported("crid,state\nshoes-300x250,approved"))[0]).toBe(0);
  const twice = await imported("crid,state\nshoes-300x250,approved\nshoes-300x250,pending");
  expect(twice).toEqual([1, "", expect.stringContaining("approvals[0] too; expected it once")]);
  expect(written()).toHaveLength(1);
});

test("an unknown SSP and a catalog in one file are refused", async () => {
  const text = "crid,state\nshoes-300x250,approved";
  expect(await imported(text, "demmo")).toEqual([2, "", expect.stringContaining("expected one of demo")]);
  const alone = await edgebid("creatives", "import", "demo", "decisions", "--catalog", "parts/first.json");
  expect(alone).toEqual([2, "", expect.stringContaining("parts/first.json is one file; expected a folder")]);
});
