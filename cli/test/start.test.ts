//! `npm start` as a person uses it: start, bid, push another catalog, bid again, Ctrl-C. It has its own port and local
//! KV, so another bidder may run at the same time.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { versionOf } from "../../shared/catalog/pointer.ts";
import { readCurrent } from "../catalog/versions.ts";
import { wranglerStore } from "../catalog/wrangler.ts";
import { unusedText } from "../serve.mjs";
import { type Bid, bidsOn, bytesOf, catalogText, ROOT, requestText } from "./bidder.ts";
import { eachInFolder, edgebidProcess, ranToEnd } from "./edgebid.ts";
import { freePort, served } from "./free-port.ts";
import { Npm } from "./npm.ts";
import { processes } from "./processes.ts";

let running: Npm | undefined;

const state = eachInFolder("start");

afterEach(async () => {
  await running?.interrupt();
  running = undefined;
});

test("npm start bids, follows a pushed catalog and leaves nothing behind", async () => {
  const port = await freePort();
  running = new Npm(["start", "--", "--port", String(port), "--persist-to", state()]);
  await running.prints("Ctrl-C stops it");
  expect(running.output).toContain("It serves the example");
  expect(running.output).toContain(`http://127.0.0.1:${port}/bid/demo`);

  const first = await bid(port);
  const operator = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
  const kv = `--local --persist-to ${state()}`;
  expect(await (await operator("/healthz")).json()).toMatchObject({ ok: true, kv, counters: { bid: 1 } });
  await report(port);
  const explained = await operator("/explain/demo", { method: "POST", body: bytesOf(requestText) });
  expect(await explained.json()).toMatchObject({ outcome: "bid" });
  const catalog = JSON.parse(catalogText);
  const [campaign] = catalog.campaigns.filter(({ cid }: Bid) => cid === first.cid);
  const raised = Number(campaign.max_cpm) + 1;
  campaign.max_cpm = raised.toFixed(2);
  await push(catalog);
  // No request is sent meanwhile, and the next request gets the new price. The log does not show the polls.
  await sleep(4_000);
  expect(await bid(port)).toMatchObject({ cid: first.cid, price: raised });
  // The advice leads to this bidder and its KV, although neither is the usual one.
  const url = `http://127.0.0.1:${port}`;
  const [, screen] = await edgebidProcess(ROOT, ["oncall", "--seconds", "1", "--url", url]);
  expect(screen).toMatch(
    new RegExp(`→ npx edgebid catalog diff ${kv} shows .*npx edgebid catalog rollback ${kv} goes`),
  );
  expect(screen).toContain(`→ npx edgebid tail --url ${url} waits`);
  expect(running.output).toContain("POST /bid/demo");
  expect(running.output).not.toContain("HEAD /healthz");

  const started = running.descendants();
  expect(started.length).toBeGreaterThan(3);
  await running.interrupt();
  const left = () => processes().filter(({ pid }) => started.includes(pid));
  await expect.poll(left, { timeout: 2_000 }).toEqual([]);
});

test("a catalog of another build is compiled again, and not replaced by the example", async () => {
  const catalog = JSON.parse(catalogText);
  for (const campaign of catalog.campaigns) campaign.max_cpm = "7.00";
  catalog.ssps.unshift({ id: "north" });
  await push(catalog);
  const store = wranglerStore(["--local", "--persist-to", state()]);
  const { pointer } = await readCurrent(store);
  if (!pointer) throw new Error("nothing was pushed");
  const snapshot = await store.get(`catalog/${pointer.version}/snapshot`);
  if (!snapshot) throw new Error("no snapshot was pushed");
  // The layout's fingerprint follows the first eight bytes, which are the same in every snapshot.
  const other = new Uint8Array(snapshot.with(8, (snapshot[8] ?? 0) ^ 1));
  const version = await versionOf(other);
  await store.put(`catalog/${version}/snapshot`, other);
  await store.put(`catalog/${version}/document`, new Uint8Array(readFileSync(join(state(), "pushed.json"))));
  await store.put("catalog", new Uint8Array(new TextEncoder().encode(JSON.stringify({ ...pointer, version }))));

  const port = await freePort();
  running = new Npm(["start", "--", "--port", String(port), "--persist-to", state()]);
  await running.prints("Ctrl-C stops it");
  expect(running.output).toContain(`http://127.0.0.1:${port}/bid/north`);
  expect(running.output).not.toContain("acme-spring");
  expect(running.output).toMatch(/It serves [0-9a-f]{16}, pushed .* UTC \("compiled again by npm start"\); .*--reseed/);
  expect(await bid(port)).toMatchObject({ price: 7 });
});

test("a damaged pointer is one line with options that npm start has", async () => {
  await push(JSON.parse(catalogText));
  const store = wranglerStore(["--local", "--persist-to", state()]);
  await store.put("catalog", bytesOf('{"version":"0123456789abcdef"}'));
  const start = ["start", "--silent", "--", "--port", String(await freePort()), "--persist-to", state()];
  running = new Npm(start);
  expect(await running.ended).toBe(1);
  expect(running.output).toMatch(
    /^edgebid: the pointer has no format, .*\. --reseed serves .*: npx edgebid catalog rollback VERSION --local --persist-to \S+ --force\n$/m,
  );
  running = new Npm([...start, "--reseed"]);
  await running.prints("Ctrl-C stops it");
});

test("a secret that npm start does not use is named, and others are not", () => {
  writeFileSync(join(state(), ".dev.vars"), "PRICE_KEYS={}\n# OPERATOR_TOKEN=a\nexport NOTICE_KEYS=short\n");
  expect(unusedText(state())).toBe(
    "\nnpm start does not use the NOTICE_KEYS of .dev.vars: it has a key of its own. npx wrangler dev uses it.\n",
  );
  expect(unusedText(join(state(), "empty"))).toBe("");
});

test("a busy port is one clear line", async () => {
  const server = await served(() => {});
  const port = Number(new URL(server.origin).port);
  running = new Npm(["start", "--silent", "--", "--port", String(port), "--persist-to", state()]);
  expect(await running.ended).toBe(2);
  expect(running.output).toBe(`edgebid: port ${port} is in use; choose another: npm start -- --port ${port + 1}\n`);
  await server.stop();
});

/** Runs the printed commands for a win, a bill and the report. */
async function report(port: number): Promise<void> {
  const commands = (running?.output ?? "").split("\n").map((line) => line.trim());
  const printed = commands.filter((line) => /^(curl .*bid\.json$|sed |npx edgebid report)/.test(line));
  expect(printed).toHaveLength(4);
  // The commands of the clone, in a folder of its own.
  const script = printed
    .join("\n")
    .replaceAll("@fixtures/", `@${ROOT}/fixtures/`)
    .replaceAll("npx ", `npx --prefix ${ROOT} `);
  const [code, stdout, stderr] = await ranToEnd(["bash", "-euc", script], state());
  expect(code, stderr).toBe(0);
  expect(stdout).toContain(`http://127.0.0.1:${port}/n/win/`);
  expect(stdout).toMatch(/acme-spring.*0\.0015/);
}

async function bid(port: number): Promise<Bid> {
  const [first] = await bidsOn(`http://127.0.0.1:${port}`, requestText);
  if (!first) throw new Error("no bid");
  return first;
}

async function push(catalog: object): Promise<void> {
  writeFileSync(join(state(), "pushed.json"), JSON.stringify(catalog));
  const args = ["catalog", "push", join(state(), "pushed.json"), "--local", "--persist-to", state()];
  expect(await edgebidProcess(ROOT, args)).toMatchObject([0, expect.any(String), expect.any(String)]);
}
