//! `edgebid doctor` finds planted faults and says what to do about each; `edgebid smoke` passes on a bidder and finds
//! wrong answers.

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { POINTER_KEY } from "../../shared/catalog/pointer.ts";
import { withLocalStore } from "../catalog/local.ts";
import { catalogFindings } from "../deploy/account.ts";
import { bidderFindings } from "../deploy/bidder.ts";
import type { Finding } from "../deploy/finding.ts";
import { setSecretsFindings } from "../deploy/secrets.ts";
import { type RunningScript, startWorker } from "../workerd.ts";
import { bytesOf, catalogText, REQUEST, ROOT } from "./bidder.ts";
import { anchorsOf, textOf } from "./docs-pages.ts";
import { edgebidIn, folderFor, ranToEnd, toldBy } from "./edgebid.ts";
import { served } from "./free-port.ts";

/** The repository's configuration with a namespace, which a deployed bidder has. */
const GOOD = readFileSync(join(ROOT, "wrangler.toml"), "utf8")
  .replace("worker/src/index.ts", join(ROOT, "worker/src/index.ts"))
  .replace(/directory = "/g, `directory = "${ROOT}/`)
  .replace('id = "00000000000000000000000000000000"', 'id = "0123456789abcdef0123456789abcdef"');

const folder = folderFor("doctor");
let bidder: RunningScript;

beforeAll(async () => {
  const vars = { OPERATOR_TOKEN: "an-operator's-token", NOTICE_KEYS: "k".repeat(32), EVENTS_ONE_IN: "off" };
  const durableObjects = { LEDGER: "Ledger", SUMMARY: "Summary" };
  bidder = await startWorker(bytesOf(catalogText), { vars, durableObjects });
});

afterAll(() => bidder?.stop());

/** What a command tells. */
const printed = (...args: string[]): Promise<{ code: number; faults: number; findings: Finding[] }> =>
  toldBy(folder, ...args);

const smoke = (url: string, ssp = "demo") => printed("smoke", url, "--ssp", ssp, "--request", REQUEST);

/** The faults in a configuration and a file of secrets, a line each. */
async function faults(toml: string, devVars = "", ...options: string[]) {
  writeFileSync(join(folder, "wrangler.toml"), toml);
  writeFileSync(join(folder, ".dev.vars"), devVars);
  const found = await printed("doctor", "--config", "wrangler.toml", ...options);
  const lines = found.findings
    .filter(({ state }) => state === "fault")
    .map(({ what, text, mend }) => `${what}: ${text}; ${mend}`);
  expect(found).toMatchObject({ faults: lines.length, code: lines.length > 0 ? 1 : 0 });
  return lines;
}

test("a good configuration has no fault", async () => {
  expect(await faults(GOOD)).toEqual([]);
});

const DROP = (binding: string) => new RegExp(`\\[\\[durable_objects.bindings\\]\\]\\nname = "${binding}"\\n.*\\n`);

test.each<[string, (good: string) => string, RegExp]>([
  ["is no TOML", (good) => `${good}\n[vars`, /^wrangler\.toml: .*; mend /],
  ["names no entry", (good) => good.replace("src/index.ts", "src/gone.ts"), /^(main|wrangler\.toml): .*gone\.ts/],
  ["has a date of the future", (good) => good.replace("2026-10-20", "2099-01-01"), /^compatibility_date: .* future/],
  ["has no namespace", (good) => good.replace('binding = "CATALOG"', 'binding = "OTHER"'), /^CATALOG: there is no KV/],
  ["has the placeholder", (good) => good.replace("0123456789abcdef".repeat(2), "0".repeat(32)), /kv namespace create/],
  ["lacks an object", (good) => good.replace(DROP("PACER"), ""), /^PACER: the binding is missing; copy/],
  ["binds another class", (good) => good.replace('class_name = "Relay"', 'class_name = "Pacer"'), /^RELAY: .*"Relay"/],
  ["lacks a migration", (good) => good.replace('["Frequency"]', '["Other"]'), /^FREQUENCY: no migration creates/],
  [
    "deletes the ledger",
    (good) => `${good}\n[[migrations]]\ntag = "v9"\ndeleted_classes = ["Ledger"]\n`,
    /^LEDGER: a mi/,
  ],
  ["holds a secret", vars('OPERATOR_TOKEN = "let-me-in"'), /^OPERATOR_TOKEN: a secret stands in \[vars\]; remove/],
  ["opens the bidder", vars('OPERATOR = "anybody"'), /^OPERATOR: every caller would be the operator; remove/],
  ["refreshes never", set("CATALOG_REFRESH_SECONDS", "soon"), /^CATALOG_REFRESH_SECONDS: "soon" is no number/],
  ["has a path in notices", set("NOTICE_ORIGIN", "https://b.example/x"), /^NOTICE_ORIGIN: .* a scheme and a host/],
  ["samples events by a word", set("EVENTS_ONE_IN", "some"), /^EVENTS_ONE_IN: "some" is no number/],
  ["has an unknown format", set("COLLECTOR_FORMAT", "xml"), /^COLLECTOR_FORMAT: "xml" is unknown; .*ndjson/],
  ["has a collector without a queue", set("COLLECTOR_URL", "https://c.example/"), /^EVENTS: .*there is no queue/],
  ["has a queue that nothing reads", (good) => good + PRODUCER, /^EVENTS: events go into a queue that nothing reads/],
  ["has no key in CATALOG_KEYS", set("CATALOG_KEYS", "secret"), /^CATALOG_KEYS: .*entry 1 is no public Ed25519 key/],
])("a configuration that %s", async (_, plant, fault) => {
  const toml = plant(GOOD);
  expect(toml).not.toBe(GOOD);
  const found = await faults(toml);
  expect(found).toContainEqual(expect.stringMatching(fault));
  expect(found).toHaveLength(1);
});

const PRODUCER = '\n[[queues.producers]]\nbinding = "EVENTS"\nqueue = "edgebid-events"\n';

/** Adds a line to `[vars]`. */
function vars(line: string) {
  return (good: string) => good.replace("[vars]\n", `[vars]\n${line}\n`);
}

/** Sets a variable. */
function set(name: string, value: string) {
  return (good: string) => good.replace(new RegExp(`^${name} = .*$`, "m"), `${name} = "${value}"`);
}

test("an environment that the configuration lacks", async () => {
  expect(await faults(GOOD, "", "--env", "staging")).toContainEqual(
    expect.stringMatching(/^wrangler\.toml: there is no environment staging; add \[env\.staging\]/),
  );
});

test.each([
  ["OPERATOR_TOKEN=short", /^\.dev\.vars OPERATOR_TOKEN: it has 5 characters/],
  [`NOTICE_KEYS=${"k".repeat(32)},short`, /^\.dev\.vars NOTICE_KEYS: key 2 has less than 32/],
  ["PRICE_KEYS={demo", /^\.dev\.vars PRICE_KEYS: it is not JSON/],
  ["SKADN_KEY=none", /^\.dev\.vars SKADN_KEY: it is no private key/],
])("a secret that cannot be used: %s", async (devVars, fault) => {
  const found = await faults(GOOD, devVars);
  expect(found).toEqual([expect.stringMatching(fault)]);
  // The value is a secret.
  expect(found.join()).not.toContain(devVars.slice(devVars.indexOf("=") + 1));
});

test("keys of encoded prices that the local catalog needs and .dev.vars lacks", async () => {
  const config = join(folder, "wrangler.toml");
  const state = join(folder, ".wrangler/state");
  const serve = (ssps: object[]) => {
    writeFileSync(config, GOOD);
    const document = JSON.stringify({ format: 1, ssps, creatives: [], campaigns: [] });
    return withLocalStore(state, (store) => store.put(POINTER_KEY, new TextEncoder().encode(document)), config);
  };
  const key = "skU7Ax_NL5pPAFyKdkfZjZz2-VhIN8bjj1rVFOaJ_5o=";
  const keysOf = (ssp: string, encryption = key) =>
    `PRICE_KEYS='${JSON.stringify({ [ssp]: { encryption, integrity: key } })}'`;
  const missing = /^\.dev\.vars PRICE_KEYS: north: price_codec google, and PRICE_KEYS has no keys .* id north; read/;
  try {
    await serve([{ id: "north", profile: "google" }, { id: "plain" }]);
    for (const devVars of ["", "OPERATOR_TOKEN=0123456789abcdef", keysOf("nort"), keysOf("plain")]) {
      expect((await faults(GOOD, devVars))[0], devVars).toMatch(missing);
    }
    const short = await faults(GOOD, keysOf("north", "c2hvcnQ="));
    expect(short).toEqual([expect.stringMatching(/the price keys of north: expected an encryption key of 32 bytes/)]);
    expect(short.join()).not.toContain("c2hvcnQ=");
    expect(await faults(GOOD, keysOf("north"))).toEqual([]);
    const unbound = GOOD.replace('binding = "CATALOG"', 'binding = "OTHER"');
    expect(await faults(unbound, keysOf("nort"))).toEqual([expect.stringMatching(/^CATALOG: /)]);
    await serve([{ id: "plain" }]);
    expect(await faults(GOOD)).toEqual([]);
  } finally {
    rmSync(join(folder, ".wrangler"), { recursive: true });
  }
}, 60_000);

test("an account without a login", async () => {
  writeFileSync(join(folder, "wrangler.toml"), GOOD);
  const doctor = [process.execPath, join(ROOT, "cli/edgebid.ts"), "doctor", "--remote", "--json"];
  const nobody = { HOME: folder, XDG_CONFIG_HOME: folder, CLOUDFLARE_API_TOKEN: "", CLOUDFLARE_API_KEY: "" };
  const [code, stdout] = await ranToEnd(doctor, folder, nobody);
  const { findings }: { findings: Finding[] } = JSON.parse(stdout);
  expect([code, findings.filter(({ state }) => state === "fault")]).toEqual([
    1,
    [expect.objectContaining({ what: "login", text: "wrangler is not logged in" })],
  ]);
}, 60_000);

test("an account that does not answer", async () => {
  writeFileSync(join(folder, "wrangler.toml"), GOOD);
  const doctor = [process.execPath, join(ROOT, "cli/edgebid.ts"), "doctor", "--remote", "--json"];
  const alone = { HOME: folder, XDG_CONFIG_HOME: folder, CLOUDFLARE_API_TOKEN: "x", HTTPS_PROXY: "http://127.0.0.1:1" };
  const [, stdout] = await ranToEnd(doctor, folder, alone);
  const { findings }: { findings: Finding[] } = JSON.parse(stdout);
  expect(findings).toContainEqual(
    expect.objectContaining({ what: "login", text: "wrangler whoami fails: fetch failed" }),
  );
}, 60_000);

test("secrets that an account lacks", () => {
  const states = (names: string[]) => setSecretsFindings(names, "put").map(({ what, state }) => `${what} ${state}`);
  expect(states([])).toEqual(["OPERATOR_TOKEN note", "NOTICE_KEYS fault"]);
  expect(states(["NOTICE_KEYS", "OPERATOR_TOKEN"])).toEqual(["OPERATOR_TOKEN ok", "NOTICE_KEYS ok"]);
});

test("a catalog that is open to the world, and knows no vendor", () => {
  const of = (document: object) => catalogFindings(Buffer.from(JSON.stringify(document))).map(({ state }) => state);
  expect(of({ ssps: [{ id: "a", credentials: ["x"] }, { id: "b" }] })).toEqual(["ok", "note", "note"]);
  expect(of({ ssps: [{ id: "a", credentials: ["x"] }], privacy: { vendor_id: 1 } })).toEqual(["ok", "ok", "ok"]);
});

test("a running bidder, to everybody and to its operator", async () => {
  const of = async () =>
    (await printed("doctor", "--config", join(ROOT, "wrangler.toml"), "--url", bidder.origin)).findings;
  expect(await of()).toContainEqual(expect.objectContaining({ what: "token", state: "note" }));
  vi.stubEnv("EDGEBID_OPERATOR_TOKEN", "an-operator's-token");
  expect(await of()).toContainEqual(
    expect.objectContaining({ what: "bidder", text: expect.stringMatching(/, 9 campai/) }),
  );
  vi.stubEnv("EDGEBID_OPERATOR_TOKEN", "another-token");
  expect(await of()).toContainEqual(expect.objectContaining({ what: "token", state: "fault" }));
  vi.unstubAllEnvs();
});

test("the placeholder of a namespace is no fault for a bidder of npm start", async () => {
  writeFileSync(join(folder, "wrangler.toml"), GOOD.replace("0123456789abcdef".repeat(2), "0".repeat(32)));
  const local = await served((_, response) => response.end('{"ok":true,"kv":"--local"}'));
  const args = ["doctor", "--config", "wrangler.toml", "--url", local.origin];
  const of = async (...more: string[]) =>
    (await printed(...args, ...more)).findings.find(({ what }) => what === "CATALOG")?.state;
  try {
    expect([await of(), await of("--env", "staging")]).toEqual(["note", undefined]);
  } finally {
    await local.stop();
  }
  expect(await faults(GOOD.replace("0123456789abcdef".repeat(2), "0".repeat(32)))).toHaveLength(1);
});

test("smoke passes on a bidder, and wins one bid", async () => {
  const { code, findings } = await smoke(bidder.origin);
  expect(findings.filter(({ state }) => state !== "ok")).toEqual([]);
  expect(code).toBe(0);
  expect(findings.map(({ what }) => what)).toEqual(
    expect.arrayContaining(["bid", "no bid", "not JSON", "gzip", "notice", "forged bill", "latency"]),
  );
  expect(findings[0]?.text).toMatch(/^200, a bid at [\d.]+ USD$/);
  const headers = { authorization: "Bearer an-operator's-token" };
  const { counters } = await (await bidder.fetch("/healthz", { headers })).json();
  expect(counters).toMatchObject({ "notice-win": 1 });
  const { rows } = await (await bidder.fetch("/report", { headers })).json();
  expect(rows.filter(({ billed }: { billed: number }) => billed > 0)).toEqual([]);
});

test("smoke takes bids that an impression bills, and calls no win that bills", async () => {
  let bid: (origin: string) => object = () => ({});
  const called: string[] = [];
  const other = await served(({ url = "" }, response) => {
    if (url.startsWith("/n/")) called.push(url);
    response.statusCode = url.startsWith("/n/bill/forged") ? 404 : url.startsWith("/n/") ? 204 : 200;
    const answer = { seatbid: [{ bid: [{ price: 2.5, ...bid(other.origin) }] }] };
    response.end(response.statusCode === 200 ? JSON.stringify(answer) : "");
  });
  const noticesOf = async (of: typeof bid) => {
    [bid, called.length] = [of, 0];
    const { findings } = await smoke(other.origin);
    return findings.filter(({ what }) => /notice|forged/.test(what)).map(({ what, state }) => `${what} ${state}`);
  };
  try {
    const pixel = (at: string) => `<a><img src="${at}/n/imp/t?p=\${AUCTION_PRICE}"></a>`;
    const win = (at: string) => `${at}/n/win/t?p=\${AUCTION_PRICE}`;
    expect(await noticesOf((at) => ({ nurl: win(at), adm: pixel(at) }))).toEqual(["notice ok", "forged bill ok"]);
    expect(called).toContain("/n/win/t?p=0.01");
    expect(await noticesOf((at) => ({ adm: pixel(at) }))).toEqual(["forged bill ok"]);
    expect(await noticesOf((at) => ({ nurl: win(at), adm: "<b>" }))).toEqual(["forged bill ok"]);
    expect(called).toEqual(["/n/bill/forged?p=1"]);
    expect(await noticesOf(() => ({ adm: "<b>" }))).toEqual(["notice note"]);
  } finally {
    await other.stop();
  }
});

test("doctor says how much of the pacers the budgets take, and warns before they are full", async () => {
  let pacing = {};
  const other = await served((_, response) => {
    const catalog = { version: "1", campaigns: 2, age: 0, failure: null, warning: null, stopped: null };
    response.end(JSON.stringify({ ok: true, kv: "--local", catalog, pacing, alarms: [] }));
  });
  const said = async (budgets: number, pairs: number) => {
    pacing = { budgets, pairs, age: 1, failure: null };
    const { findings } = await bidderFindings(other.origin);
    return findings.filter(({ what }) => what === "budgets").map(({ state, text }) => `${state}: ${text}`);
  };
  try {
    expect(await said(1, 3)).toEqual(["ok: 1 budget: 0.0 % of what the pacers hold"]);
    expect(await said(20_000, 240_000)).toEqual(["ok: 20,000 budgets: 47 % of what the pacers hold"]);
    expect(await said(40_000, 480_000)).toEqual(["note: 40,000 budgets: 94 % of what the pacers hold"]);
  } finally {
    await other.stop();
  }
});

test("smoke says of a bidder without a catalog only that it has none, and how to push one here", async () => {
  const empty = await served(({ url }, response) => {
    response.statusCode = url === "/healthz" ? 503 : 204;
    response.end(url === "/healthz" ? '{"ok":false}' : "");
  });
  try {
    const mend = "npx edgebid catalog push FILE --local";
    expect(await smoke(empty.origin)).toMatchObject({ code: 1, findings: [{ what: "catalog", state: "fault", mend }] });
  } finally {
    await empty.stop();
  }
});

test("smoke says what an unknown SSP and a server of another kind do wrong", async () => {
  let answer = "hello";
  const asked: string[] = [];
  const other = await served(({ url = "" }, response) => {
    asked.push(url);
    response.end(answer);
  });
  try {
    const unknown = await smoke(bidder.origin, "nobody");
    expect(unknown).toMatchObject({ code: 1, findings: [{ what: "SSP", mend: expect.stringContaining("--ssp") }] });
    const wrong = await smoke(`${other.origin}/behind/`);
    expect(wrong.code).toBe(1);
    expect(new Set(asked)).toEqual(new Set(["/behind/bid/demo", "/behind/bid/-nobody-"]));
    expect(wrong.findings.filter(({ state }) => state === "fault").map(({ what }) => what)).toEqual(
      expect.arrayContaining(["bid", "no bid", "not JSON", "wrong method"]),
    );
    const bidAt = async (cur: object) => {
      answer = JSON.stringify({ ...cur, seatbid: [{ bid: [{ price: 2.5 }] }] });
      return (await smoke(other.origin)).findings[0]?.text;
    };
    expect(await bidAt({ cur: "EUR" })).toBe("200, a bid at 2.5 EUR");
    expect(await bidAt({})).toBe("200, a bid at 2.5 USD");
  } finally {
    await other.stop();
  }
  expect((await edgebidIn(folder)("smoke", "http://127.0.0.1:1"))[2]).toMatch(/is the bidder up\?/);
  const named = edgebidIn(folder, { EDGEBID_URL: "http://127.0.0.1:2" });
  expect((await named("smoke", "--request", REQUEST))[2]).toMatch(/^edgebid: http:\/\/127\.0\.0\.1:2\/bid\/demo: /m);
});

test("advice names pages and headings that exist", () => {
  const files = ["cli", "tools", "build"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
  );
  const ours = files.filter((file) => file.endsWith(".ts") && !file.startsWith("cli/test"));
  const sources = ours.map((file) => readFileSync(join(ROOT, file), "utf8")).join("\n");
  const named = [...sources.matchAll(/"([a-z-]+\.md(?:#[^"]*)?)"/g)].map(([, name = ""]) => name.split("#"));
  expect(named.length).toBeGreaterThan(8);
  for (const [name = "", anchor] of named) {
    const headings = anchorsOf(textOf(`docs/${name}`));
    if (anchor !== undefined) expect(headings, name).toContain(anchor);
  }
  expect(sources.replace(/^\s*(\/\/|\/?\*).*$/gm, "")).not.toMatch(/docs\/[a-z-]+\.md/);
});
