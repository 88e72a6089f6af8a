//! The suite `http` sends the promised requests, and the generator's file holds them unchanged.

import { gunzipSync } from "node:zlib";
import { beforeAll, expect, it } from "vitest";
import { compiler, module } from "../../cli/module.ts";
import { compile } from "../../worker/src/catalog/compile.ts";
import { generate } from "../catalogs/generate.ts";
import { peerBidder } from "../decide/peer.ts";
import { prepared, type Requests, requests } from "../http/requests.ts";
import { casesOf, TARGETS } from "../http/targets.ts";

let all: Requests;

beforeAll(() => {
  const snapshots = [10, 1000].map(
    (count) => compile(new TextEncoder().encode(JSON.stringify(generate(count))), compiler).snapshot,
  );
  all = requests(snapshots, module, 1, peerBidder(generate(1000) as never));
});

it("nine of ten requests of the production mix get no bid with 1,000 campaigns", () => {
  const bids = all.production.filter(({ expected }) => expected[1]?.status === 200);
  expect(bids.length).toBeGreaterThan(10);
  expect(bids.length * 10).toBe(all.production.length);
});

it("only bids have an expected beginning of the response", () => {
  for (const { expected } of [...all.bids, ...all.noBids]) {
    for (const { status, begin } of expected) expect(begin).toMatch(status === 200 ? /^\{"id":".*",$/s : /^$/);
  }
});

it("every target has requests, and those of hello are small enough to stay unread", () => {
  for (const target of TARGETS.filter(({ catalog }) => catalog < 2)) {
    expect(casesOf(target, all).length, target.name).toBeGreaterThan(10);
  }
  const hello = TARGETS.filter(({ kind }) => kind === "hello").flatMap((target) => casesOf(target, all));
  expect(Math.max(...hello.map(({ text }) => text.length))).toBeLessThan(64 * 1024);
});

it.each([false, true])("a prepared file holds the requests unchanged; gzip: %s", (isGzip) => {
  const sent = all.bids.slice(0, 5);
  const file = Buffer.from(
    prepared(sent, "/bid/demo", () => ({ status: 200, begin: `{"id":"a b",` }), { request: isGzip, response: false }),
  );
  let at = 0;
  for (const { text } of sent) {
    const [, line = "", length] =
      /^(200 identity (\d+) \{"id":"a b",)\n/.exec(file.subarray(at, at + 100).toString("latin1")) ?? [];
    at += line.length + 1;
    const request = file.subarray(at, at + Number(length));
    at += request.byteLength;
    const end = request.indexOf("\r\n\r\n");
    expect(request.toString("latin1")).toMatch(/^POST \/bid\/demo HTTP\/1\.1\r\nHost: /);
    const body = request.subarray(end + 4);
    expect(request.subarray(0, end).toString()).toContain(`Content-Length: ${body.byteLength}`);
    expect((isGzip ? gunzipSync(body) : body).toString()).toBe(text);
  }
  expect(at).toBe(file.byteLength);
});
