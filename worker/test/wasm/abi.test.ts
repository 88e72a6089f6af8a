//! Numbers and names that are written in TypeScript and in Rust are equal: the built module is called without the
//! `Bidder` around it, and its results are compared with the constants of the Worker. The bits of `ANSWER` and the length
//! of a signature are proved by the tests of what they mean: the fixtures, counters, caps and signatures.

import { describe, expect, it } from "vitest";
import module from "../../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import compiler from "../../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import { compile } from "../../../shared/catalog/compile.ts";
import { SCHEMA_VERSION } from "../../../shared/events/schema.ts";
import { MAX_BODY_BYTES } from "../../../shared/limits.ts";
import { FORMAT, type Format, LOTS, OUR_ID } from "../../../shared/wasm/abi.ts";
import { Instance, isTrue, type Serving } from "../../../shared/wasm/instance.ts";

const HOSTS = ["exchange.example"];
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
const imp = { id: "1", banner };
const put = (text: string) => instance.put(new TextEncoder().encode(text));
const decide = (request: string) => instance.exports.decide(put(request), 0, 1, 0, 0, 0, 0, 0, 0);

it("the module takes the longest body that the Worker reads, and no longer one", () => {
  const request = JSON.stringify({ id: "r", imp: [imp] });
  expect(decide(request.padEnd(MAX_BODY_BYTES))).toBe(200);
  expect(decide(request.padEnd(MAX_BODY_BYTES + 1))).toBe(400);
});

it("the numbers of FORMAT are those of the module's formats", () => {
  const ask = (request: Uint8Array, format: Format) => {
    const length = instance.put(request);
    return [instance.exports.decide(length, 0, 1, 0, 0, format, 0, 0, 0), instance.exports.lot(length, format) < LOTS];
  };
  const json = new TextEncoder().encode(JSON.stringify({ id: "r", imp: [imp] }));
  // The id and an impression; in it, its id and a banner of 300 x 250.
  const protobuf = Uint8Array.of(0x0a, 1, 0x72, 0x12, 11, 0x0a, 1, 0x31, 0x12, 6, 8, 0xac, 2, 0x10, 0xfa, 1);
  expect(ask(json, FORMAT.JSON)).toEqual([200, true]);
  expect(ask(protobuf, FORMAT.PROTOBUF)).toEqual([200, true]);
  expect(ask(json, FORMAT.PROTOBUF)).toEqual([400, false]);
  expect(ask(protobuf, FORMAT.JSON)).toEqual([400, false]);
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
    [`redirect=${redirect.replace(OUR_ID, "")}`, { refused: "bad-redirect" }],
    [`other=x&${new URLSearchParams(values)}`.replaceAll("%24", "$"), values],
  ])("answers %s", (query, answer) => {
    instance.exports.sync(put(query), 1, 0);
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
  expect(decide(JSON.stringify({ id: "r", imp: [imp] }))).toBe(200);
  const lines = new TextDecoder()
    .decode(instance.records() ?? new Uint8Array())
    .trimEnd()
    .split("\n");
  expect(lines.map((line) => JSON.parse(line).v)).toEqual([SCHEMA_VERSION, SCHEMA_VERSION]);
});
