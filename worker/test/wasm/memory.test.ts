//! The memory of an instance: the worst bodies stay within a limit, and an instance over the limit is replaced.

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import module from "../../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import { MAX_BODY_BYTES, MAX_SPARE_BYTES } from "../../../shared/limits.ts";
import { Bidder } from "../../../shared/wasm/bidder.ts";
import { simpleWith } from "../support/catalogs.ts";
import { catalogDocument, simple, text } from "../support/fixtures.ts";
import { fresh, type Isolate } from "../support/isolate.ts";
import { compiled } from "../support/kv.ts";

const PAGE = 65_536;
const request = JSON.parse(text(simple));

let isolate: Isolate;
/** The memories of all instances, in the order in which they were made. */
let memories: WebAssembly.Memory[];

/** Whether making another instance fails. */
let isFull: boolean;

const real = WebAssembly.Instance;

beforeEach(async () => {
  [memories, isFull] = [[], false];
  WebAssembly.Instance = new Proxy(real, {
    construct(target, [wasm, imports]) {
      if (isFull) throw new RangeError("out of memory");
      const instance = new target(wasm, imports);
      memories.push(instance.exports["memory"] as WebAssembly.Memory);
      return instance;
    },
  });
  isolate = await fresh(catalogDocument);
});

afterEach(() => {
  WebAssembly.Instance = real;
  vi.restoreAllMocks();
});

/** The bidder that serves. */
function serving(): Bidder {
  const bidder = isolate.bidder();
  if (bidder === undefined) throw new Error("the isolate has no catalog");
  return bidder;
}

function grow(): void {
  memories.at(-1)?.grow(MAX_SPARE_BYTES / PAGE);
}

it("an instance that has grown is replaced once, after the answer, and bids as before", async () => {
  const price = await isolate.price();
  const bidder = serving();
  const snapshot = bidder.snapshot();
  grow();
  const { response, settle } = await isolate.answer(simple);
  expect(response.status).toBe(200);
  expect(bidder.spareBytes).toBeGreaterThan(MAX_SPARE_BYTES);
  const other = await isolate.answer(simple);
  await Promise.all([settle(), other.settle()]);
  expect(bidder.spareBytes).toBeLessThan(MAX_SPARE_BYTES / 4);
  expect(isolate.counters.toJSON()).toMatchObject({ replaced: 1 });
  expect(bidder.snapshot()).toEqual(snapshot);
  expect(await isolate.price()).toBe(price);
  expect(isolate.counters.toJSON()).toMatchObject({ bid: 4, replaced: 1 });
});

it("an instance that has not grown is kept", async () => {
  memories.at(-1)?.grow(MAX_SPARE_BYTES / PAGE / 2);
  const before = memories.length;
  await isolate.post(simple);
  expect(memories.length).toBe(before);
});

it("the instance of a second version is replaced too", async () => {
  const { snapshot } = compiled(catalogDocument);
  const bidder = new Bidder(snapshot, module);
  grow();
  const version = "0123456789abcdef";
  isolate.keeper.second = { version, bidder, mode: "split", share: 100, warning: null, zones: null, supply: null };
  await isolate.post(simple);
  expect(isolate.counters.toJSON()).toEqual({ split: 1, bid: 1, replaced: 1 });
  expect(bidder.spareBytes).toBeLessThan(MAX_SPARE_BYTES / 4);
});

it("an instance that cannot be replaced stays in use", async () => {
  grow();
  isFull = true;
  for (let i = 0; i < 2; i++) expect((await isolate.post(simple)).status).toBe(200);
  expect(isolate.counters.toJSON()).toEqual({ bid: 2 });
  isFull = false;
  await isolate.post(simple);
  expect(isolate.counters.toJSON()).toEqual({ bid: 3, replaced: 1 });
});

const many = <T>(count: number, one: (number: number) => T) =>
  Array.from({ length: count }, (_, number) => one(number));

const [imp] = request.imp;
const id = "x".repeat(980_000);
const durations = { minduration: 5, maxduration: 30 };
const video = { mimes: ["video/mp4"], w: 640, h: 480, protocols: [2, 3, 6, 7], ...durations, linearity: 1 };
const pod = { poddur: 120, maxseq: 8 };
const withVideo = (id: number, more: object) => ({ id: `${id}`, video: { ...video, ...more } });
const HOSTILE: [string, object][] = [
  ["an id of 980 KB, and 64 impressions", { id, imp: many(64, (id) => ({ ...imp, id: `${id}` })) }],
  ["an id of 980 KB, and 16 dynamic pods", { id, imp: many(16, (id) => withVideo(id, { podid: `${id}`, ...pod })) }],
  ["64 impressions with ids of 15 KB", { imp: many(64, (id) => ({ ...imp, id: `${id}${"x".repeat(15_000)}` })) }],
  [
    "8 impressions with 40,000 companion slots each",
    { imp: many(8, (id) => withVideo(id, { companionad: many(40_000, () => ({})) })) },
  ],
  ["90,000 blocked categories", { bcat: many(90_000, (number) => `IAB${number}`) }],
  ["3,000 impressions", { imp: many(3000, (id) => ({ ...imp, id: `${id}` })) }],
];

it.each(HOSTILE)("stays small with %s", async (_, hostile) => {
  // Events are on, as by default, because they repeat ids of the request.
  isolate.eventsOneIn = "1";
  vi.spyOn(console, "log").mockImplementation(() => {});
  const body = simpleWith(hostile);
  expect(body.byteLength).toBeLessThanOrEqual(MAX_BODY_BYTES);
  const { response, settle } = await isolate.answer(body);
  // The memory is largest now.
  const answered = serving().spareBytes;
  await settle();
  expect([200, 204]).toContain(response.status);
  // The module's limits keep any single request below the size at which an instance is replaced.
  expect(answered).toBeLessThan(MAX_SPARE_BYTES);
  expect(isolate.counters.toJSON()["replaced"]).toBeUndefined();
  isolate.eventsOneIn = "off";
  expect((await isolate.post(simple)).status).toBe(200);
});
