//! Reads a request's body whole, inflated where it came as gzip. Three bounds hold: the length of one body, its time, and the
//! bytes of all bodies that are on their way to this isolate. A body beyond them is cancelled: its connection closes, and its
//! memory is free.

import { gunzipSync } from "node:zlib";
import { concat } from "../bytes.ts";
import { BODY_ROOM_BYTES, FIRST_ROOM_BYTES, FORGET_MS, MAX_BODY_BYTES, NUDGE_MS, WHOLE_BODY_BYTES } from "../limits.ts";
import { Tick } from "../tick.ts";

/** No body: the status to answer with, and the counter for the reason. */
export interface NoBody {
  status: 204 | 400 | 413 | 415;
  count: string;
}

/** Bytes that do not inflate are as malformed as bytes that do not parse. */
const CORRUPT: NoBody = { status: 400, count: "bad-request" };
const TOO_LONG: NoBody = { status: 413, count: "refused-body" };
const OTHER_ENCODING: NoBody = { status: 415, count: "refused-body" };
const SLOW: NoBody = { status: 204, count: "slow-body" };
const NO_ROOM: NoBody = { status: 204, count: "bodies-full" };
/** The client has hung up, or broken the rules of HTTP. */
const ABORTED: NoBody = { status: 204, count: "aborted" };

/** Bytes of room that bodies on their way have taken, in all requests of the isolate. */
let room = 0;

/** The body's bytes, if it comes whole within `ms` milliseconds. */
export async function readBody(
  request: Request,
  ms: number,
  ctx: Pick<ExecutionContext, "waitUntil">,
): Promise<Uint8Array | NoBody> {
  const encoding = request.headers.get("content-encoding")?.toLowerCase() ?? "identity";
  if (encoding !== "identity" && encoding !== "gzip") return OTHER_ENCODING;
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  if (length > MAX_BODY_BYTES) return TOO_LONG;
  // The room of dropped requests is freed by a tick, which any body starts.
  if (waits.size > 0) nudging.start(undefined, ctx);
  // A whole body takes its room before it comes, so only half of the room is given away like this: callers that announce bodies
  // and send nothing cannot take the other half.
  const isShort = length >= 0 && length <= WHOLE_BODY_BYTES && room + length <= BODY_ROOM_BYTES / 2;
  const sent = await (isShort ? whole(request, length, ms, ctx) : seenThrough(inParts(request.body, length, ms), ctx));
  return encoding === "identity" || !(sent instanceof Uint8Array) ? sent : inflated(sent);
}

/** A whole body on its way. */
interface Wait {
  length: number;
  /** Its deadline. */
  until: number;
  /** Makes its request set its own timer. */
  nudge: () => void;
}

const waits = new Set<Wait>();
let dropped = 0;

/** How many clients have hung up since the last call so early that their own request could not count it. */
export function takeDropped(): number {
  const taken = dropped;
  dropped = 0;
  return taken;
}

/** Most bodies are there at once, and need no timer of their own: one timer looks after those that are not. */
const nudging = new Tick<undefined>(NUDGE_MS, () => {
  const now = Date.now();
  for (const wait of waits) {
    wait.nudge();
    if (now > wait.until + FORGET_MS) {
      end(wait);
      dropped++;
    }
  }
});

function end(wait: Wait): void {
  if (waits.delete(wait)) room -= wait.length;
}

/** Reads a body of this `length` at once, which is the cheapest way. */
async function whole(
  request: Request,
  length: number,
  ms: number,
  ctx: Pick<ExecutionContext, "waitUntil">,
): Promise<Uint8Array | NoBody> {
  const { promise: nudged, resolve } = Promise.withResolvers<null>();
  const wait: Wait = { length, until: Date.now() + ms, nudge: () => resolve(null) };
  room += length;
  waits.add(wait);
  nudging.start(undefined, ctx);
  // The common timer is too slow for so short a deadline.
  if (ms <= NUDGE_MS) wait.nudge();
  try {
    const reading = request.arrayBuffer();
    const sent =
      (await Promise.race([reading, nudged])) ?? (await seenThrough(inTime(reading, wait.until - Date.now()), ctx));
    return sent instanceof ArrayBuffer ? new Uint8Array(sent) : sent;
  } catch {
    return ABORTED;
  } finally {
    end(wait);
  }
}

/** The body, or {@link SLOW} after `ms` milliseconds; the read then ends with the request. Never rejects. */
async function inTime(reading: Promise<ArrayBuffer>, ms: number): Promise<ArrayBuffer | NoBody> {
  let deadline: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<NoBody>((done) => {
    deadline = setTimeout(done, ms, SLOW);
  });
  try {
    return await Promise.race([reading, late]);
  } catch {
    return ABORTED;
  } finally {
    clearTimeout(deadline);
  }
}

/** Keeps the request alive until the body is read, even if the client resets its connection. The promise must not reject. */
function seenThrough<T>(reading: Promise<T>, ctx: Pick<ExecutionContext, "waitUntil">): Promise<T> {
  ctx.waitUntil(reading);
  return reading;
}

/** Reads a body in parts and counts the bytes as they come. A `length` of NaN is unknown: then the stream's end is the body's. */
async function inParts(stream: ReadableStream | null, length: number, ms: number): Promise<Uint8Array | NoBody> {
  if (stream === null) return new Uint8Array();
  const reader = stream.getReader({ mode: "byob" });
  let isLate = false;
  // A stream that has failed meanwhile rejects this as well.
  const cancel = () => reader.cancel().catch(() => {});
  const deadline = setTimeout(() => {
    isLate = true;
    cancel();
  }, ms);
  const most = length >= 0 ? length : MAX_BODY_BYTES + 1;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let [size, taken] = [0, 0];
  try {
    while (size < most) {
      // The room is doubled each time: an idle caller takes little, and a long body takes few reads.
      const next = Math.min(Math.max(size, FIRST_ROOM_BYTES), most - size);
      if (room + next > BODY_ROOM_BYTES) {
        cancel();
        return NO_ROOM;
      }
      room += next;
      taken += next;
      const { value, done } = await reader.readAtLeast(next, new Uint8Array(next));
      if (value !== undefined) parts.push(value);
      size += value?.byteLength ?? 0;
      if (done) break;
    }
    if (size <= MAX_BODY_BYTES) return concat(parts);
    cancel();
    return TOO_LONG;
  } catch {
    return isLate ? SLOW : ABORTED;
  } finally {
    clearTimeout(deadline);
    room -= taken;
  }
}

/** The runtime does not inflate inbound bodies. A stream through the inflater costs more than the decision. */
function inflated(bytes: Uint8Array): Uint8Array | NoBody {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    return error instanceof RangeError ? TOO_LONG : CORRUPT;
  }
}
