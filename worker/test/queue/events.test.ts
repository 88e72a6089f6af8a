//! The isolate's events go into the queue, and from the queue to the collector.

import { createExecutionContext, createMessageBatch, getQueueResult, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Event } from "../../src/events/schema.ts";
import { COLLECTOR_ATTEMPTS, QUEUE_ATTEMPTS, QUEUE_MESSAGE_BYTES } from "../../src/limits.ts";
import { deliver } from "../../src/queue/deliver.ts";
import { Events } from "../../src/queue/events.ts";
import { eventsIn } from "../../src/queue/pack.ts";
import { Counters } from "../../src/telemetry/counters.ts";
import { Metrics } from "../../src/telemetry/metrics.ts";
import { SILENT } from "../../src/wasm/bidder.ts";

let console_: string[];

beforeEach(() => {
  console_ = [];
  for (const way of ["log", "error"] as const) {
    vi.spyOn(console, way).mockImplementation((line) => console_.push(line));
  }
});

/** A queue that keeps the messages of each call, or refuses the call. */
function withQueue(calls: Uint8Array[][], refuses: () => boolean = () => false): Bindings {
  const sendBatch = async (messages: { body: Uint8Array }[]) => {
    if (refuses()) throw new Error("too many requests");
    calls.push(messages.map(({ body }) => body));
  };
  return { ...env, EVENTS: { sendBatch } as unknown as Queue<Uint8Array> };
}

function line(id: string, length = 0): Uint8Array {
  const event: Event = { v: 1, type: "bid", id, time: 1, request: "x".repeat(length) };
  return new TextEncoder().encode(`${JSON.stringify(event)}\n`);
}

function idsIn(calls: Uint8Array[][]): string[] {
  return eventsIn(calls.flat()).map((text) => JSON.parse(text).id);
}

describe("into the queue", () => {
  it("the events of one tick go in one call, after one answer", async () => {
    const calls: Uint8Array[][] = [];
    const [events, from, ctx] = [new Events(new Counters()), withQueue(calls), createExecutionContext()];
    const background = vi.spyOn(ctx, "waitUntil");
    for (let i = 0; i < 50; i++) events.take(line(`b${i}`), from, ctx);
    events.take(null, from, ctx);
    await waitOnExecutionContext(ctx);
    expect(background).toHaveBeenCalledTimes(1);
    expect(calls.map((messages) => messages.length)).toEqual([1]);
    expect(idsIn(calls)).toEqual(Array.from({ length: 50 }, (_, i) => `b${i}`));
    expect(console_).toEqual([]);
  });

  it("no message or call is larger than the queue takes", async () => {
    const calls: Uint8Array[][] = [];
    const [events, from, ctx] = [new Events(new Counters()), withQueue(calls), createExecutionContext()];
    const many = Array.from({ length: 3000 }, (_, i) => line(`b${i}`, i % 500));
    events.take(Uint8Array.from(many.flatMap((bytes) => [...bytes])), from, ctx);
    events.take(line("large", 100_000), from, ctx);
    await waitOnExecutionContext(ctx);
    const sizes = calls.map((messages) => messages.map(({ byteLength }) => byteLength));
    expect(Math.max(...sizes.flat())).toBeLessThanOrEqual(128_000 - 100);
    expect(Math.max(...sizes.map((of) => of.reduce((sum, size) => sum + size + 100, 0)))).toBeLessThanOrEqual(256_000);
    expect(new Set(idsIn(calls)).size).toBe(3001);
  });

  it("an event that is too long for a message goes to the console and is counted", async () => {
    const [calls, counters]: [Uint8Array[][], Counters] = [[], new Counters()];
    const [events, from, ctx] = [new Events(counters), withQueue(calls), createExecutionContext()];
    events.take(line("huge", QUEUE_MESSAGE_BYTES), from, ctx);
    events.take(line("small"), from, ctx);
    await waitOnExecutionContext(ctx);
    expect(idsIn(calls)).toEqual(["small"]);
    expect(console_.map((text) => JSON.parse(text).id)).toEqual(["huge"]);
    expect(counters.toJSON()).toEqual({ "events-lost-to-console": 1 });
  });

  it("a call that fails once is sent again; if it always fails, the events go to the console", async () => {
    for (const refusals of [1, QUEUE_ATTEMPTS]) {
      console_ = [];
      let left = refusals;
      const [calls, counters]: [Uint8Array[][], Counters] = [[], new Counters()];
      const [events, from, ctx] = [new Events(counters), withQueue(calls, () => left-- > 0), createExecutionContext()];
      events.take(line("b1"), from, ctx);
      await waitOnExecutionContext(ctx);
      expect(idsIn(calls)).toEqual(refusals === 1 ? ["b1"] : []);
      const logged = console_.map((text) => JSON.parse(text));
      expect(logged.filter(({ type }) => type === "bid").map(({ id }) => id)).toEqual(refusals === 1 ? [] : ["b1"]);
      expect(counters.toJSON()).toEqual(refusals === 1 ? {} : { "events-lost-to-console": 1 });
    }
    expect(console_.map((text) => JSON.parse(text))).toContainEqual(
      expect.objectContaining({ type: "error", outcome: "queue", message: "too many requests" }),
    );
  });

  it("without a queue, events go to the console", async () => {
    const [events, ctx] = [new Events(new Counters()), createExecutionContext()];
    events.take(line("b1"), env, ctx);
    await waitOnExecutionContext(ctx);
    expect(console_.map((text) => JSON.parse(text).id)).toEqual(["b1"]);
  });

  it("a request that the platform ends does not stop later requests from sending", async () => {
    const calls: Uint8Array[][] = [];
    const [events, from] = [new Events(new Counters()), withQueue(calls)];
    // The platform ends the first request before its timer fires.
    const timeouts = vi.spyOn(globalThis, "setTimeout").mockImplementation((() => 0) as unknown as typeof setTimeout);
    events.take(line("b1"), from, { waitUntil: () => {} });
    timeouts.mockRestore();
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + 60_000);
    const ctx = createExecutionContext();
    events.take(line("b2"), from, ctx);
    await waitOnExecutionContext(ctx);
    expect(idsIn(calls)).toEqual(["b1", "b2"]);
  });

  it("samples auctions, takes every bid, and takes nothing if events are off", () => {
    const events = new Events(new Counters());
    const weights = (text: string) => {
      const from = { ...env, EVENTS_ONE_IN: text } as unknown as Env;
      return Array.from({ length: 4000 }, () => events.weight(from));
    };
    const share = (text: string, weight: number) => weights(text).filter((one) => one === weight).length / 4000;
    expect([share("1", 1), share("0", 0), share("", 0), share("x", 0), share("off", SILENT)]).toEqual([1, 1, 1, 1, 1]);
    expect(share("4", 4)).toBeGreaterThan(0.2);
    expect(share("4", 4)).toBeLessThan(0.3);
    expect(share("4", 4) + share("4", 0)).toBeGreaterThan(0.9);
  });
});

describe("to the collector", () => {
  const collector = { ...env, COLLECTOR_URL: "https://collector.test/in" } as unknown as Env;

  function batch(...ids: string[]) {
    const messages = ids.map((id) => ({ id: `m-${id}`, timestamp: new Date(0), attempts: 1, body: line(id).buffer }));
    return createMessageBatch<ArrayBuffer>("events", messages as never);
  }

  /** Answers with these statuses in turn, and keeps the requests. */
  function answering(...statuses: number[]) {
    const requests: Request[] = [];
    vi.spyOn(globalThis, "fetch").mockImplementation(async (url, init) => {
      requests.push(new Request(url as string, init as RequestInit));
      const status = statuses.shift() ?? 204;
      return new Response(status === 204 ? null : "an answer", { status });
    });
    return requests;
  }

  async function delivered(of: MessageBatch<ArrayBuffer>, from: Env) {
    const ctx = createExecutionContext();
    await deliver(of, from);
    return getQueueResult(of as never, ctx);
  }

  it("a batch is one post, and every attempt has the same idempotency key", async () => {
    const requests = answering(503, 204);
    const from = { ...collector, COLLECTOR_TOKEN: "let-me-in" } as unknown as Env;
    expect(await delivered(batch("b1", "b2"), from)).toMatchObject({ ackAll: true });
    expect(requests.length).toBe(2);
    const [first, second] = requests;
    expect(first?.headers.get("authorization")).toBe("Bearer let-me-in");
    expect(first?.headers.get("content-type")).toBe("application/x-ndjson");
    expect(first?.headers.get("idempotency-key")).toMatch(/^[0-9a-f]{32}$/);
    expect(second?.headers.get("idempotency-key")).toBe(first?.headers.get("idempotency-key"));
    const body = await new Response(second?.body?.pipeThrough(new DecompressionStream("gzip"))).text();
    expect(body.trim().split("\n")).toEqual(eventsIn([line("b1"), line("b2")]));
  });

  it("a batch that the collector does not take goes back to the queue", async () => {
    const requests = answering(...Array(COLLECTOR_ATTEMPTS).fill(503));
    expect(await delivered(batch("b1"), collector)).toMatchObject({ retryBatch: { retry: true } });
    expect(requests.length).toBe(COLLECTOR_ATTEMPTS);
  });

  it("a failure that is not temporary is not retried at once", async () => {
    const requests = answering(401, 204);
    expect(await delivered(batch("b1"), collector)).toMatchObject({ retryBatch: { retry: true } });
    expect(requests.length).toBe(1);
  });

  it.each([{ COLLECTOR_URL: "" }, { COLLECTOR_FORMAT: "xml" }])(
    "a batch goes back to the queue with %j",
    async (wrong) => {
      answering();
      const from = { ...collector, ...wrong } as unknown as Env;
      expect(await delivered(batch("b1"), from)).toMatchObject({ retryBatch: { retry: true } });
    },
  );
});

it("each point has the increase of a counter since the last point", async () => {
  const points: AnalyticsEngineDataPoint[] = [];
  const METRICS = { writeDataPoint: (point: AnalyticsEngineDataPoint) => points.push(point) };
  const from = { ...env, METRICS } as unknown as Bindings;
  const counters = new Counters();
  const metrics = new Metrics(counters);
  const passed = async () => {
    const ctx = createExecutionContext();
    const background = vi.spyOn(ctx, "waitUntil");
    vi.useFakeTimers();
    for (let i = 0; i < 10; i++) metrics.due(from, ctx);
    await vi.advanceTimersByTimeAsync(60_000);
    vi.useRealTimers();
    await waitOnExecutionContext(ctx);
    expect(background).toHaveBeenCalledTimes(1);
    return points.splice(0).map(({ blobs, doubles }) => [blobs?.[0], doubles?.[0]]);
  };
  counters.add("bid", 3);
  counters.add("trap");
  expect(await passed()).toEqual([
    ["bid", 3],
    ["trap", 1],
  ]);
  counters.add("trap");
  expect(await passed()).toEqual([["trap", 1]]);
  for (let i = 0; i < 40; i++) counters.add(`reason-${i}`);
  expect((await passed()).length).toBe(25);
  expect((await passed()).length).toBe(15);
  expect(await passed()).toEqual([]);
});
