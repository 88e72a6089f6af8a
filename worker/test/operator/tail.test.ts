//! `GET /tail` and the capture on the console: who may listen, what the lines say, what is kept and what is lost, and that
//! the bid route does nothing for it while nobody listens.

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { CAPTURE_BYTES, MAX_TAILS, TAIL_LOST_MS, TAIL_WAITING } from "../../../shared/limits.ts";
import type { Second } from "../../../shared/tail/seconds.ts";
import { Redactor, Tap } from "../../src/tail/tap.ts";
import { file } from "../support/catalogs.ts";
import { run } from "../support/clock.ts";
import { catalogDocument, simple, text } from "../support/fixtures.ts";
import { fresh, type Isolate, OPERATOR } from "../support/isolate.ts";

const document = JSON.parse(text(simple));
const request = file(JSON.stringify({ ...document, device: { ua: "a browser", ip: "198.51.100.7", ifa: "an-ifa" } }));

interface Line extends Partial<Second> {
  ssp?: string;
  outcome?: string;
  request?: { id: string; device?: Record<string, unknown>; user?: unknown };
}

let isolate: Isolate;

beforeEach(async () => {
  isolate = await fresh(catalogDocument);
  // A tail ends after some seconds.
  run();
});

async function asked(query: string): Promise<Response> {
  return (await isolate.start(`/tail${query}`, OPERATOR)).response;
}

/** The lines of a stream, or the first ones. */
async function linesOf({ body }: Response, count = Number.POSITIVE_INFINITY): Promise<Line[]> {
  const lines: Line[] = [];
  // The Worker writes whole lines. Leaving the loop cancels the stream.
  for await (const text of (body ?? new Blob([]).stream()).pipeThrough(new TextDecoderStream())) {
    lines.push(
      ...text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Line),
    );
    if (lines.length >= count) break;
  }
  return lines;
}

const ctx = { waitUntil() {} };
const captured = { ssp: "demo", at: 1, outcome: "bid", body: file('{"id":"1"}') };

it("takes known parameters only", async () => {
  for (const query of ["?seconds=0", "?seconds=3601", "?seconds=x", "?one_in=-1", "?one_in=1.5", "?every=1"]) {
    const response = await asked(query);
    expect(response.status, query).toBe(400);
    expect(await response.text()).toContain("expected");
  }
});

it("each second a line has the changes of the counters", async () => {
  await isolate.post(request);
  const response = await asked("?seconds=2");
  expect(response.headers.get("content-type")).toBe("application/x-ndjson");
  await isolate.post(request);
  await isolate.post(file('{"id":"r2","imp":[{"id":"1"}]}'));
  await isolate.post(file("nothing"));
  const lines = await linesOf(response);
  expect(lines).toHaveLength(2);
  const [first, second] = lines;
  expect(first).toMatchObject({ requests: 3, bids: 1, lost: 0 });
  expect(first?.none?.["bad-request"]).toBe(1);
  expect(Object.values(first?.none ?? {})).toEqual([1, 1]);
  expect(first?.ms).toBeGreaterThanOrEqual(1000);
  expect(second).toMatchObject({ requests: 0, bids: 0, none: {} });
});

it("a listener gets requests without identifiers while it listens", async () => {
  expect(isolate.options.tap.isOn(env)).toBe(false);
  const response = await asked("?seconds=5&one_in=1");
  expect(isolate.options.tap.isOn(env)).toBe(true);
  await isolate.post(request);
  const [line] = await linesOf(response, 1);
  expect(line).toMatchObject({ ssp: "demo", outcome: "bid", request: { id: document.id } });
  expect(line?.request?.device).toEqual({ ua: "a browser" });
  await vi.waitFor(() => expect(isolate.options.tap.isOn(env)).toBe(false), 3000);
});

it("a tail without requests keeps none", async () => {
  const response = await asked("?seconds=1");
  expect(isolate.options.tap.isOn(env)).toBe(false);
  await isolate.post(request);
  expect((await linesOf(response)).filter((line) => line.request)).toEqual([]);
});

it("what is too long or too much is lost and counted, and further tails are refused", () => {
  const tap = new Tap();
  const [one = null, ...more] = Array.from({ length: MAX_TAILS }, () => tap.listen(1, 0));
  expect(tap.listen(1, 0)).toBeNull();
  for (const listener of more) if (listener) tap.end(listener);
  if (one === null) throw new Error("no listener");
  tap.capture({ ...captured, body: new Uint8Array(CAPTURE_BYTES + 1) }, {}, ctx);
  for (let count = 0; count < TAIL_WAITING + 2; count++) tap.capture(captured, {}, ctx);
  const { lines, lost } = tap.drain(one, 2);
  expect(lines).toHaveLength(TAIL_WAITING);
  expect(lines[0]).toBe('{"ssp":"demo","at":"1970-01-01T00:00:00.001Z","outcome":"bid","request":{"id":"1"}}');
  expect(new Redactor().line({ ...captured, oneIn: 100 })).toContain('"outcome":"bid","one_in":100,"request":');
  expect(lost).toBe(3);
  expect(tap.drain(one, 3)).toEqual({ lines: [], lost: 0 });
});

it("a listener that stays away is forgotten", () => {
  const tap = new Tap();
  const listener = tap.listen(1, 1000);
  tap.capture({ ...captured, at: 1000 + TAIL_LOST_MS }, {}, ctx);
  expect(tap.isOn({})).toBe(true);
  tap.capture({ ...captured, at: 1001 + TAIL_LOST_MS }, {}, ctx);
  expect(tap.isOn({})).toBe(false);
  expect(listener && tap.drain(listener, 9000).lines).toHaveLength(1);
  expect(tap.isOn({})).toBe(true);
});

it("the console gets a sample behind the answer if the variable says so", async () => {
  const logged = vi.spyOn(console, "info").mockImplementation(() => {});
  await isolate.post(request);
  expect(logged).not.toHaveBeenCalled();
  isolate.vars = { CAPTURE_ONE_IN: "2" };
  // Of two requests: the lot of the decision, and whether it is in the sample.
  const draws = [0, 0.6, 0, 0.4];
  vi.spyOn(Math, "random").mockImplementation(() => draws.shift() ?? 0);
  await isolate.post(request);
  expect(logged).not.toHaveBeenCalled();
  const { response, settle } = await isolate.answer(request);
  expect(response.status).toBe(200);
  expect(logged).not.toHaveBeenCalled();
  await settle();
  expect(draws).toEqual([]);
  expect(logged).toHaveBeenCalledTimes(1);
  const line = JSON.parse(String(logged.mock.calls[0]?.[0]));
  expect(line.captured).toMatchObject({ ssp: "demo", outcome: "bid" });
  expect(line.captured.request.imp).toHaveLength(1);
});

it("a body that is no request is not captured", async () => {
  const tap = new Tap();
  const listener = tap.listen(1, 0);
  const ctx = createExecutionContext();
  tap.capture({ ...captured, outcome: "bad-request", body: file("secret") }, {}, ctx);
  await waitOnExecutionContext(ctx);
  expect(listener && tap.drain(listener, 1)).toEqual({ lines: [], lost: 0 });
});
