//! The isolate's events go into the queue, and from the queue to the collector.

import { createExecutionContext, createMessageBatch, getQueueResult, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Event } from "../../../shared/events/schema.ts";
import { BODY_BUFFER_BYTES, COLLECTOR_ATTEMPTS, QUEUE_ATTEMPTS, QUEUE_MESSAGE_BYTES } from "../../../shared/limits.ts";
import { Counters } from "../../../shared/telemetry/counters.ts";
import { SILENT } from "../../../shared/wasm/bidder.ts";
import { bodyOf } from "../../src/formats/body.ts";
import { deliver } from "../../src/queue/deliver.ts";
import { Events } from "../../src/queue/events.ts";
import { eventsIn } from "../../src/queue/pack.ts";
import { Metrics } from "../../src/telemetry/metrics.ts";
import { wait } from "../support/clock.ts";

let console_: string[];

beforeEach(() => {
  console_ = [];
  for (const way of ["log", "error"] as const) {
    vi.spyOn(console, way).mockImplementation((line) => console_.push(line));
  }
});

function line(id: string, length = 0): Uint8Array {
  const event: Event = { v: 1, type: "bid", id, time: 1, request: "x".repeat(length) };
  return new TextEncoder().encode(`${JSON.stringify(event)}\n`);
}

/** The events of an isolate, and a queue that keeps the messages of each call, after it has refused some calls. */
class Sender {
  readonly counters = new Counters();
  readonly events = new Events(this.counters);
  readonly calls: Uint8Array[][] = [];
  readonly from: Bindings;
  /** How often a request was asked to stay for the events. */
  waits = 0;

  constructor(refusals = 0) {
    let left = refusals;
    const sendBatch = async (messages: { body: Uint8Array }[]) => {
      if (left-- > 0) throw new Error("too many requests");
      this.calls.push(messages.map(({ body }) => body));
    };
    this.from = { ...env, EVENTS: { sendBatch } as unknown as Queue<Uint8Array> };
  }

  /** Takes the events of one request, and waits until they are sent. */
  async take(lines: (Uint8Array | null)[], from = this.from): Promise<void> {
    const ctx = createExecutionContext();
    const background = vi.spyOn(ctx, "waitUntil");
    for (const one of lines) this.events.take(one, from, ctx);
    await waitOnExecutionContext(ctx);
    this.waits = background.mock.calls.length;
  }

  get ids(): string[] {
    return eventsIn(this.calls.flat()).map((text) => JSON.parse(text).id);
  }
}

const logged = () => console_.map((text) => JSON.parse(text));

describe("into the queue", () => {
  it("the events of one tick go in one call, after one answer", async () => {
    const sender = new Sender();
    const ids = Array.from({ length: 50 }, (_, i) => `b${i}`);
    await sender.take([...ids.map((id) => line(id)), null]);
    expect([sender.waits, sender.calls.map((messages) => messages.length), sender.ids]).toEqual([1, [1], ids]);
    expect(console_).toEqual([]);
  });

  it("no message or call is larger than the queue takes", async () => {
    const sender = new Sender();
    const many = Array.from({ length: 3000 }, (_, i) => line(`b${i}`, i % 500));
    await sender.take([Uint8Array.from(many.flatMap((bytes) => [...bytes])), line("large", 100_000)]);
    const sizes = sender.calls.map((messages) => messages.map(({ byteLength }) => byteLength));
    expect(Math.max(...sizes.flat())).toBeLessThanOrEqual(128_000 - 100);
    expect(Math.max(...sizes.map((of) => of.reduce((sum, size) => sum + size + 100, 0)))).toBeLessThanOrEqual(256_000);
    expect(new Set(sender.ids).size).toBe(3001);
  });

  it("an event that is too long for a message goes to the console and is counted", async () => {
    const sender = new Sender();
    await sender.take([line("huge", QUEUE_MESSAGE_BYTES), line("small")]);
    expect([sender.ids, logged().map(({ id }) => id)]).toEqual([["small"], ["huge"]]);
    expect(sender.counters.toJSON()).toEqual({ "events-lost-to-console": 1 });
  });

  it("a call that fails once is sent again", async () => {
    const sender = new Sender(1);
    await sender.take([line("b1")]);
    expect([sender.ids, sender.counters.toJSON()]).toEqual([["b1"], {}]);
    expect(logged().filter(({ type }) => type === "bid")).toEqual([]);
  });

  it("if a call always fails, the events go to the console", async () => {
    const sender = new Sender(QUEUE_ATTEMPTS);
    await sender.take([line("b1")]);
    expect([sender.ids, sender.counters.toJSON()]).toEqual([[], { "events-lost-to-console": 1 }]);
    expect(logged().filter(({ type }) => type === "bid")).toMatchObject([{ id: "b1" }]);
    const error = { type: "error", outcome: "queue", message: "too many requests" };
    expect(logged()).toContainEqual(expect.objectContaining(error));
  });

  it("without a queue, events go to the console", async () => {
    await new Sender().take([line("b1")], env);
    expect(logged()).toMatchObject([{ id: "b1" }]);
  });

  it("a request that the platform ends does not stop later requests from sending", async () => {
    const sender = new Sender();
    // The platform ends the first request before its timer fires.
    const timeouts = vi.spyOn(globalThis, "setTimeout").mockImplementation((() => 0) as unknown as typeof setTimeout);
    sender.events.take(line("b1"), sender.from, { waitUntil: () => {} });
    timeouts.mockRestore();
    wait(60_000);
    await sender.take([line("b2")]);
    expect(sender.ids).toEqual(["b1", "b2"]);
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

  async function delivered(of: MessageBatch<ArrayBuffer>, more: object = {}) {
    const ctx = createExecutionContext();
    await deliver(of, { ...env, COLLECTOR_URL: "https://collector.test/in", ...more } as unknown as Env);
    return getQueueResult(of as never, ctx);
  }

  it("a batch is one post, and every attempt has the same idempotency key", async () => {
    const requests = answering(503, 204);
    expect(await delivered(batch("b1", "b2"), { COLLECTOR_TOKEN: "let-me-in" })).toMatchObject({ ackAll: true });
    expect(requests.length).toBe(2);
    const [first, second] = requests;
    expect(first?.headers.get("authorization")).toBe("Bearer let-me-in");
    expect(first?.headers.get("content-type")).toBe("application/x-ndjson");
    expect(first?.headers.get("idempotency-key")).toMatch(/^[0-9a-f]{32}$/);
    expect(second?.headers.get("idempotency-key")).toBe(first?.headers.get("idempotency-key"));
    const body = await new Response(second?.body?.pipeThrough(new DecompressionStream("gzip"))).text();
    expect(body.trim().split("\n")).toEqual(eventsIn([line("b1"), line("b2")]));
  });

  it.each<[string, object, number[], number]>([
    ["that is down", {}, Array(COLLECTOR_ATTEMPTS).fill(503), COLLECTOR_ATTEMPTS],
    ["whose failure is not temporary, which is not asked again at once", {}, [401, 204], 1],
    ["without a URL", { COLLECTOR_URL: "" }, [], 0],
    ["with an unknown format", { COLLECTOR_FORMAT: "xml" }, [], 0],
  ])("a batch goes back to the queue from a collector %s", async (_, vars, statuses, attempts) => {
    const requests = answering(...statuses);
    expect(await delivered(batch("b1"), vars)).toMatchObject({ retryBatch: { retry: true } });
    expect(requests.length).toBe(attempts);
  });
});

it("a long body is made while it is read, not before", async () => {
  const [piece, count] = ["x".repeat(1000), 2000];
  let made = 0;
  const pieces = function* () {
    for (; made < count; made++) yield piece;
  };
  for (const gzip of [false, true]) {
    made = 0;
    const { body } = await bodyOf([pieces()], gzip);
    const stream = body as ReadableStream<Uint8Array>;
    expect(made * piece.length).toBeLessThanOrEqual(2 * BODY_BUFFER_BYTES);
    let read = 0;
    const plain = gzip ? stream.pipeThrough(new DecompressionStream("gzip")) : stream;
    for await (const bytes of plain) {
      read += bytes.byteLength;
      if (!gzip) expect(made * piece.length).toBeLessThanOrEqual(read + 2 * BODY_BUFFER_BYTES);
    }
    expect(read).toBe(count * piece.length);
  }
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
