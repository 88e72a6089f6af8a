//! Bodies that do not arrive completely, sent over real sockets. Each request is answered, its body is cancelled, and
//! the reason is counted.

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { json, type RunningScript, startWorker } from "../workerd.ts";
import { catalogText, requestText } from "./bidder.ts";

const REQUEST = Buffer.from(requestText);
const CATALOG = JSON.parse(catalogText);

let worker: RunningScript;
const open = new Set<Socket>();

beforeAll(async () => {
  const ssps = [...CATALOG.ssps, { id: "hasty", tmax: 200 }, { id: "patient", tmax: 10_000 }];
  worker = await startWorker(Buffer.from(JSON.stringify({ ...CATALOG, ssps })));
});

afterAll(async () => {
  for (const socket of open) socket.destroy();
  await worker.stop();
});

async function counters(): Promise<Record<string, number>> {
  return (await json<{ counters: Record<string, number> }>(worker, "/healthz")).counters;
}

/** Waits until the counters have grown by `least` in total. Returns how much each has grown. */
async function counted(before: Record<string, number>, least: number): Promise<Record<string, number>> {
  let added: [string, number][] = [];
  const total = async () => {
    added = Object.entries(await counters()).map(([name, count]) => [name, count - (before[name] ?? 0)]);
    return added.reduce((sum, [, count]) => sum + count, 0);
  };
  await expect.poll(total).toBeGreaterThanOrEqual(least);
  return Object.fromEntries(added.filter(([, count]) => count > 0));
}

interface Sent {
  socket: Socket;
  /** The whole answer, once the Worker has closed the connection. */
  answer: Promise<string>;
}

/** Sends the head of a request and a part of its body. */
async function send(headers: string, body: Uint8Array, ssp = "demo"): Promise<Sent> {
  const { port } = new URL(worker.origin);
  const socket = connect(Number(port), "127.0.0.1");
  open.add(socket);
  const answer = new Promise<string>((done) => {
    let text = "";
    socket.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    socket.on("error", () => {}).on("close", () => done(text));
  });
  await once(socket, "connect");
  socket.write(
    `POST /bid/${ssp} HTTP/1.1\r\nhost: bidder.test\r\ncontent-type: application/json\r\n${headers}\r\n\r\n`,
  );
  socket.write(body);
  return { socket, answer };
}

/** The status of a post that arrives completely. */
async function post(body: Uint8Array<ArrayBuffer>, ssp = "demo", headers: Record<string, string> = {}) {
  const answer = await fetch(`${worker.origin}/bid/${ssp}`, { method: "POST", headers, body });
  await answer.arrayBuffer();
  return answer.status;
}

async function bids(): Promise<void> {
  expect(await post(REQUEST)).toBe(200);
}

/** Sends the same so many times. */
function sendAll(count: number, headers: string, body: Uint8Array, ssp?: string): Promise<Sent[]> {
  return Promise.all(Array.from({ length: count }, () => send(headers, body, ssp)));
}

const KINDS: [string, string, Uint8Array][] = [
  ["that is short", "content-length: 5000", REQUEST],
  ["of known length", "content-length: 100000", REQUEST],
  ["of unknown length", "transfer-encoding: chunked", Buffer.concat([Buffer.from("f000\r\n"), REQUEST])],
  ["in gzip", "content-encoding: gzip\r\ncontent-length: 100000", gzipSync(REQUEST)],
  ["that is already longer than most", "content-length: 1000000", Buffer.alloc(300_000, 0x20)],
  ["without a single byte", "content-length: 100000", new Uint8Array()],
];

test.each(KINDS)("an unfinished body %s gets a 204, and the connection is closed", async (_, head, body) => {
  for (const ssp of ["demo", "hasty"]) {
    const before = await counters();
    const { answer } = await send(head, body, ssp);
    expect(await answer).toMatch(/^HTTP\/1\.1 204 .*\r\nconnection: close\r\n/is);
    expect(await counted(before, 1)).toEqual({ "slow-body": 1 });
  }
  await bids();
});

test.each(KINDS)(
  "a client that hangs up during a body %s is counted as aborted, not as a failure",
  async (_, head, body) => {
    for (const end of ["end", "resetAndDestroy"] as const) {
      const before = await counters();
      const { socket, answer } = await send(head, body, "patient");
      await sleep(100);
      socket[end]();
      await answer;
      expect(await counted(before, 1)).toEqual({ aborted: 1 });
    }
    await bids();
  },
);

test("clients that hang up at once are counted after the deadline of their bodies", async () => {
  const before = await counters();
  const all = await sendAll(20, "content-length: 30000", REQUEST, "hasty");
  await sleep(10);
  for (const { socket } of all) socket.resetAndDestroy();
  // Wait for the deadline, and for the time after it at which dropped requests are freed.
  await sleep(1500);
  // The next bodies start the timer that frees what the dropped requests reserved.
  await bids();
  await sleep(200);
  await bids();
  const { aborted, ...others } = await counted(before, 3);
  // The Worker never saw some of the requests.
  expect(aborted).toBeGreaterThan(0);
  expect(others).toEqual({ bid: 2 });
});

test.each([
  ["content-length: 99999999999", 413],
  ["content-length: 1048577", 413],
  ["content-length: 1048577\r\ncontent-encoding: gzip", 413],
  ["content-length: -1", 400],
  ["content-length: 1e3", 400],
  ["content-length: 5\r\ncontent-length: 6", 400],
])("the impossible length %s is refused before the body arrives: %i", async (head, status) => {
  expect(await (await send(head, REQUEST)).answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  await bids();
});

test("aborted bodies free their room", async () => {
  const long = Buffer.concat([REQUEST, Buffer.alloc((1 << 20) - REQUEST.byteLength, 0x20)]);
  for (const end of ["resetAndDestroy", "destroy"] as const) {
    const before = await counters();
    // Each batch reserves most of the bytes that the Worker may buffer at once for one SSP's long bodies.
    for (let batch = 1; batch <= 3; batch++) {
      const all = await sendAll(3, "content-length: 1048576", long.subarray(1), "patient");
      await sleep(200);
      for (const { socket } of all) socket[end]();
      expect(await counted(before, 3 * batch)).toEqual({ aborted: 3 * batch });
    }
    expect(await post(long)).toBe(200);
  }
});

test("clients that hold long bodies leave room for short ones, and for long ones of other SSPs", async () => {
  const all = await sendAll(30, "content-length: 1000000", Buffer.alloc(540_000, 0x20), "patient");
  await sleep(500);
  const before = await counters();
  const long = Buffer.concat([REQUEST, Buffer.alloc(200_000, 0x20)]);
  for (let round = 0; round < 20; round++) {
    expect([await post(REQUEST, "patient"), await post(REQUEST), await post(long)]).toEqual([200, 200, 200]);
  }
  for (const { socket } of all) socket.destroy();
  expect(await counted(before, 60)).toMatchObject({ bid: 60 });
});

test("gzip of many members is refused, and gzip of a few is read", async () => {
  const before = await counters();
  const postMembers = (...members: Uint8Array[]) =>
    post(Buffer.concat(members), "demo", { "content-encoding": "gzip" });
  const empty = gzipSync("");
  expect(await postMembers(gzipSync(REQUEST), ...Array(52_000).fill(empty))).toBe(400);
  expect(await postMembers(gzipSync(REQUEST.subarray(0, 9)), gzipSync(REQUEST.subarray(9)), empty)).toBe(200);
  expect(await counted(before, 2)).toEqual({ "bad-request": 1, bid: 1 });
});

test("hundreds of clients that announce a body and send nothing leave room for a request", async () => {
  const before = await counters();
  // The content-lengths of these 450 requests add up to more bytes than the Worker may buffer at once for one SSP.
  const all = await sendAll(450, "content-length: 32768", new Uint8Array(), "patient");
  await sleep(500);
  await bids();
  for (const { socket } of all) socket.destroy();
  expect(await counted(before, 451)).toEqual({ aborted: 450, bid: 1 });
});

test.each(["content-length: 2", "transfer-encoding: chunked"])(
  "a noisy exchange gets an early 204 for its further bodies, and does not starve another: %s",
  async (head) => {
    const before = await counters();
    const all = await sendAll(510, head, new Uint8Array(), "patient");
    // Half of the bodies that an isolate may receive are of one SSP.
    expect(await counted(before, 10)).toEqual({ "bodies-full": 10 });
    expect([await post(REQUEST, "patient"), await post(REQUEST)]).toEqual([204, 200]);
    for (const { socket } of all) socket.destroy();
    expect(await counted(before, 512)).toEqual({ "bodies-full": 11, aborted: 500, bid: 1 });
    expect(await post(REQUEST, "patient")).toBe(200);
  },
);

test("hundreds of unfinished bodies all end, and leave room for a request", async () => {
  const before = await counters();
  const all = await sendAll(250, "content-length: 1000000", Buffer.alloc(999_999, 0x20));
  for (const { answer } of all) expect(await answer).toMatch(/^(HTTP\/1\.1 204 |$)/);
  const added = await counted(before, 250);
  expect(added).toEqual({ "bodies-full": expect.any(Number), "slow-body": expect.any(Number) });
  await bids();
});
