//! The suite `http` sends the promised requests, and the generator's file holds them unchanged. The search of `overload`
//! finds the highest rate.

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { beforeAll, expect, it } from "vitest";
import { module } from "../../cli/module.ts";
import { snapshotOf } from "../build.ts";
import { generate } from "../catalogs/generate.ts";
import { peerBidder } from "../decide/peer.ts";
import { type Requests, requests } from "../http/requests.ts";
import { casesOf, fileOf, TARGETS } from "../http/targets.ts";
import { search } from "../overload/exchange.ts";

let all: Requests;

beforeAll(() => {
  all = requests(
    [10, 1000].map((count) => snapshotOf(generate(count))),
    module,
    1,
    peerBidder(generate(1000)),
  );
});

it("nine of ten requests of the production mix get no bid with 1,000 campaigns", () => {
  const bids = all.production.filter(({ expected }) => expected[1]?.status === 200);
  expect(bids.length).toBeGreaterThan(10);
  expect(bids.length * 10).toBe(all.production.length);
});

it("only bids have an expected beginning of the response", () => {
  for (const { expected } of [...all.bids, ...all.noBids]) {
    for (const { status, begin } of expected.slice(0, -1))
      expect(begin).toMatch(status === 200 ? /^\{"id":".*",$/s : /^$/);
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
  const sent = { ...all, production: all.bids.slice(0, 5) };
  const name = isGzip ? "bidder, gzip in" : "bidder";
  const lines = TARGETS.filter((target) => target.name === name)
    .flatMap((target) => readFileSync(fileOf(target, sent), "utf8").split("\n"))
    .map((line) => JSON.parse(line));
  expect(lines.length).toBe(5);
  for (const [at, { bytes, status, gzip, begin }] of lines.entries()) {
    const request = Buffer.from(bytes);
    const end = request.indexOf("\r\n\r\n");
    const body = request.subarray(end + 4);
    expect(request.toString("latin1")).toMatch(/^POST \/bid\/demo HTTP\/1\.1\r\nHost: /);
    expect(request.subarray(0, end).toString()).toContain(`Content-Length: ${body.byteLength}`);
    expect((isGzip ? gunzipSync(body) : body).toString()).toBe(sent.production[at]?.text);
    const expected = sent.production[at]?.expected[1];
    expect({ status, gzip, begin: Buffer.from(begin).toString() }).toEqual({
      status: 200,
      gzip: false,
      begin: expected?.begin,
    });
  }
});

it.each([1000, 18_000])(
  "the search begins at %i/s, and finds the highest rate although a turn in four is slow",
  async (from) => {
    let turns = 0;
    const rate = await search(from, 1.1, async (rate) => ++turns % 4 > 0 && rate <= 9100);
    expect(rate).toBeGreaterThan(9100 / 1.11);
    expect(rate).toBeLessThanOrEqual(9100);
    await expect(search(from, 1.1, async () => false)).rejects.toThrow("too busy");
  },
);
