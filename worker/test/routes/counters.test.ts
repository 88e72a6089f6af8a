//! The counters that bid requests raise besides the counter of their outcome.

import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { POINTER_KEY } from "../../src/catalog/pointer.ts";
import { file, Isolate, wait } from "../support/isolate.ts";

let isolate: Isolate;

beforeEach(() => {
  isolate = new Isolate();
});

async function serve(catalog: unknown): Promise<void> {
  await env.CATALOG.put(POINTER_KEY, JSON.stringify(catalog));
  await isolate.refresh();
}

it("counts `work` for a decision that reached its limit of work, and for no other", async () => {
  // The index holds one of a creative's two frameworks, so the decision must check each campaign.
  const campaign = { seat: "s", adomain: ["x.example"], creatives: ["both"] };
  await serve({
    format: 1,
    max_cpm_ceiling: "3000",
    ssps: [{ id: "demo" }],
    creatives: [{ crid: "both", api: [3, 7], banner: { w: 300, h: 250, adm: "<p>" } }],
    campaigns: Array.from({ length: 3000 }, (_, number) => ({
      cid: `c${number}`,
      max_cpm: `${number + 1}`,
      ...campaign,
    })),
  });
  const request = (api: number[]) =>
    file(JSON.stringify({ id: "r", imp: [{ id: "1", banner: { w: 300, h: 250, api } }] }));
  expect((await isolate.post(request([3, 7]))).status).toBe(200);
  expect(isolate.counters.toJSON()).toEqual({ bid: 1 });
  expect((await isolate.post(request([3]))).status).toBe(204);
  expect(isolate.counters.toJSON()).toEqual({ bid: 1, work: 2 });
});

it.each([
  ["its `tmax`", { tmax: 140 }, 150, { late: 1, waited: 1 }],
  ["less than its `tmax`", { tmax: 200 }, 150, { late: 1, bid: 1 }],
  ["the deadline of bodies", {}, 1001, { late: 1, waited: 1 }],
  ["less than the deadline of bodies", {}, 900, { late: 1, bid: 1 }],
])("decides by what is left of the time: a request that waited %s", async (_, attributes, ms, counters) => {
  await serve({
    format: 1,
    ssps: [{ id: "demo" }],
    creatives: [{ crid: "a", banner: { w: 300, h: 250, adm: "<p>" } }],
    campaigns: [{ cid: "c", max_cpm: "1", seat: "s", adomain: ["x.example"], creatives: ["a"] }],
  });
  const request = file(JSON.stringify({ id: "r", imp: [{ id: "1", banner: { w: 300, h: 250 } }], ...attributes }));
  const slow = new ReadableStream({
    type: "bytes",
    pull(controller) {
      wait(ms);
      controller.enqueue(request);
      controller.close();
    },
  });
  expect((await isolate.post(slow)).status).toBe("bid" in counters ? 200 : 204);
  expect(isolate.counters.toJSON()).toEqual(counters);
});
