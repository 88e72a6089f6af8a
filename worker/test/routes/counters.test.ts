//! The counters that bid requests raise besides the counter of their outcome.

import { beforeEach, expect, it } from "vitest";
import { BODY_MS, FORGET_MS, NUDGE_MS } from "../../../shared/limits.ts";
import { smallCatalog, smallRequest } from "../support/catalogs.ts";
import { wait } from "../support/clock.ts";
import { Isolate } from "../support/isolate.ts";

let isolate: Isolate;

beforeEach(() => {
  isolate = new Isolate();
});

it("counts `work` for a decision that reached its limit of work, and for no other", async () => {
  // The index holds one of a creative's two frameworks, so the decision must check each campaign.
  const campaigns = Array.from({ length: 3000 }, (_, number) => ({ max_cpm: `${number + 1}` }));
  const creatives = [{ crid: "b", api: [3, 7], banner: { w: 300, h: 250, adm: "<p>" } }];
  await isolate.serve(smallCatalog(campaigns, { max_cpm_ceiling: "3000", creatives }));
  const request = (api: number[]) => smallRequest({ imp: [{ id: "1", banner: { w: 300, h: 250, api } }] });
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
  await isolate.serve(smallCatalog([{}]));
  const request = smallRequest(attributes);
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

it("counts a request once if the isolate paused until long after the deadline of its body", async () => {
  await isolate.serve(smallCatalog([{}]));
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const body = new ReadableStream({
    type: "bytes",
    async pull(controller) {
      await ended;
      controller.enqueue(smallRequest());
      controller.close();
    },
  });
  const answered = isolate.post(body, { headers: { "content-length": `${smallRequest().byteLength}` } });
  await scheduler.wait(0);
  wait(BODY_MS + FORGET_MS + 1);
  await scheduler.wait(2 * NUDGE_MS);
  end();
  expect((await answered).status).toBe(204);
  expect((await isolate.post(smallRequest())).status).toBe(200);
  expect(isolate.counters.toJSON()).toEqual({ aborted: 1, bid: 1 });
});
