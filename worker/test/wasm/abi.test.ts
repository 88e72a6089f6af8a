//! Numbers and names that are written in TypeScript and in Rust are equal: the built module is called without the
//! `Bidder` around it, and its results are compared with the constants of the Worker.

import { describe, expect, it } from "vitest";
import module from "../../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import compiler from "../../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import { compile } from "../../src/catalog/compile.ts";
import { SCHEMA_VERSION } from "../../src/events/schema.ts";
import { MAX_BODY_BYTES } from "../../src/limits.ts";
import { ANSWER, LOTS, OUR_ID, SIGNATURE_BYTES } from "../../src/wasm/abi.ts";
import { Instance, isTrue, type Serving } from "../../src/wasm/instance.ts";

const [SYNC_URL, MANY, HOSTS] = [0, 1, ["exchange.example"]];
const banner = { w: 300, h: 250 };
const campaign = { seat: "s", adomain: ["a.example"], creatives: ["plain"], max_cpm: "1" };

function instanceOf(catalog: object): Instance<Serving> {
  const document = new TextEncoder().encode(JSON.stringify({ format: 1, ...catalog }));
  const instance = new Instance<Serving>(module);
  expect(isTrue(instance.exports.load(instance.put(compile(document, compiler).snapshot), 0, 0))).toBe(true);
  return instance;
}

const instance = instanceOf({
  ssps: [{ id: "sync-url" }, { id: "many", sync_redirect_hosts: HOSTS }],
  creatives: [{ crid: "plain", banner: { ...banner, adm: "<p>" } }],
  campaigns: [{ cid: "c", ...campaign }],
});
const { reasons } = instance.outputJson<{ reasons: string[] }>();

const imp = { id: "1", banner };
const put = (text: string, into = instance) => into.put(new TextEncoder().encode(text));
const decide = (request: unknown, by = instance) =>
  by.exports.decide(put(typeof request === "string" ? request : JSON.stringify(request), by), SYNC_URL, 1, 0, 0, 0, 0);

/** The answer for a no-bid with this reason. */
const noBid = (reason: string) => 204 | ((1 + reasons.indexOf(reason)) << ANSWER.REASON_SHIFT);

describe("the number that decide returns", () => {
  it("has the status in its low bits", () => {
    expect(decide({ id: "r", imp: [imp] })).toBe(200);
    expect(decide("{]")).toBe(400);
    expect([200, 204, 400].map((status) => status & ANSWER.STATUS)).toEqual([200, 204, 400]);
  });

  it("has the index of the no-bid reason in its high bits", () => {
    expect(reasons).toContain("size");
    expect(decide({ id: "r", imp: [{ id: "1", banner: { w: 1, h: 1 } }] })).toBe(noBid("size"));
  });

  it("has a bit for more impressions than the module reads", () => {
    const imps = Array.from({ length: 100 }, (_, index) => ({ ...imp, id: `${index}` }));
    expect(decide({ id: "r", imp: imps })).toBe(200 | ANSWER.MORE_IMPS);
  });

  it("has a bit for an answer to sign, which has room for each signature", () => {
    const skadn = { network: "a.skadnetwork", itunesitem: "1", campaign: "2" };
    const instance = instanceOf({
      ssps: [{ id: "s" }],
      creatives: [{ crid: "plain", banner: { ...banner, adm: "<p>" } }],
      campaigns: [{ cid: "c", ...campaign, skadn }],
    });
    expect(instance.outputJson<{ skadn: boolean }>().skadn).toBe(true);
    const offer = { version: "2.0", sourceapp: "3", skadnetids: ["a.skadnetwork"] };
    const request = { id: "r", imp: [{ ...imp, ext: { skadn: offer } }] };
    expect(decide(request, instance)).toBe(200);
    instance.exports.sign_skadn(1);
    expect(decide(request, instance)).toBe(200 | ANSWER.SIGNS);
    const body = new TextDecoder().decode(instance.output());
    const place = instance.unsigned()[0]?.at ?? 0;
    expect(body.slice(place - 1, place + SIGNATURE_BYTES + 1)).toBe(`"${" ".repeat(SIGNATURE_BYTES)}"`);
  });

  it("has a bit for a test", () => {
    expect(decide({ id: "r", test: 1, imp: [imp] })).toBe(200 | ANSWER.TEST);
  });

  it("has a bit for a decision that reached its limit of work", () => {
    // The index holds one of a creative's two frameworks, so the decision must check each campaign.
    const slow = instanceOf({
      ssps: [{ id: "s" }],
      creatives: [{ crid: "plain", api: [3, 7], banner: { ...banner, adm: "<p>" } }],
      campaigns: Array.from({ length: 3000 }, (_, index) => ({ cid: `${index}`, ...campaign })),
    });
    const request = { id: "r", imp: [{ id: "1", banner: { ...banner, api: [3] } }] };
    expect(decide(request, slow) & ANSWER.GAVE_UP).toBe(ANSWER.GAVE_UP);
  });
});

it("the module takes the longest body that the Worker reads, and no longer one", () => {
  const request = JSON.stringify({ id: "r", imp: [imp] });
  expect(decide(request.padEnd(MAX_BODY_BYTES))).toBe(200);
  expect(decide(request.padEnd(MAX_BODY_BYTES + 1))).toBe(400);
});

it("lots are below LOTS, which stands for what is not a bid request", () => {
  const lot = (body: string) => instance.exports.lot(put(body), 0);
  expect(lot("{]")).toBe(LOTS);
  const lots = Array.from({ length: 1000 }, (_, index) => lot(JSON.stringify({ id: `${index}`, imp: [imp] })));
  expect(Math.max(...lots)).toBeLessThan(LOTS);
  expect(Math.max(...lots)).toBeGreaterThan(0.98 * LOTS);
});

describe("sync", () => {
  const redirect = `https://${HOSTS[0]}/${OUR_ID}`;
  const values = { uid: "u", gdpr: "0", gdpr_consent: "c", gpp: "g", gpp_sid: "-1", us_privacy: "1---", redirect };

  it.each([
    ["gdpr=0&gdpr=0", { refused: "bad-call" }],
    ["gdpr=1", { refused: "no-consent" }],
    ["redirect=https://other.example/$UID", { refused: "bad-redirect" }],
    [`redirect=${redirect.replace(OUR_ID, "")}`, { refused: "bad-redirect" }],
    [`other=x&${new URLSearchParams(values)}`.replaceAll("%24", "$"), values],
  ])("answers %s", (query, answer) => {
    instance.exports.sync(put(query), MANY, 0);
    expect(instance.outputJson()).toEqual(answer);
  });

  it("takes the signals and our id as places in a sync_url, and no other name", () => {
    const catalog = (name: string) => {
      const ssps = [{ id: "s", sync_url: `https://exchange.example/{buyeruid}?x={${name}}` }];
      return () => instanceOf({ ssps, creatives: [], campaigns: [] });
    };
    const { uid, redirect, ...signals } = values;
    for (const name of ["buyeruid", ...Object.keys(signals)]) expect(catalog(name), name).not.toThrow();
    for (const name of ["uid", "redirect"]) expect(catalog(name), name).toThrow("unknown placeholder");
  });
});

it("events have the version of the schema", () => {
  instance.exports.record(1, 1);
  expect(decide({ id: "r", imp: [imp] })).toBe(200);
  const lines = new TextDecoder()
    .decode(instance.records() ?? new Uint8Array())
    .trimEnd()
    .split("\n");
  expect(lines.map((line) => JSON.parse(line).v)).toEqual([SCHEMA_VERSION, SCHEMA_VERSION]);
});
