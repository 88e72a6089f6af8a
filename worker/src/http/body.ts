//! Reads a request's whole body, and inflates gzip. There are four limits: the length of one body, the time of one
//! body, and the bytes and the number of all bodies that the isolate is receiving. A body over a limit is cancelled,
//! which closes its connection and frees its memory.

import { Buffer } from "node:buffer";
import { gunzipSync } from "node:zlib";
import { concat } from "../../../shared/bytes.ts";
import {
  BODY_ROOM_BYTES,
  FIRST_ROOM_BYTES,
  FORGET_MS,
  MAX_BODY_BYTES,
  MAX_GZIP_MEMBERS,
  MAX_WAITING_BODIES,
  NUDGE_MS,
  ROOM_SHARE,
  WHOLE_BODY_BYTES,
} from "../../../shared/limits.ts";
import { Tick } from "../time/tick.ts";
import { isGzip } from "./headers.ts";

/** The first bytes of each gzip member. In other data, they occur by chance about once in 16 MB. */
const GZIP_MEMBER = Buffer.from([0x1f, 0x8b, 0x08]);

/** The result instead of a body: the status to answer with, and the counter to raise; null if the request is counted. */
export interface NoBody {
  status: 204 | 400 | 413 | 415;
  count: string | null;
}

/** For bytes that cannot be inflated. They get the same answer and counter as bytes that cannot be parsed. */
const CORRUPT: NoBody = { status: 400, count: "bad-request" };
const TOO_LONG: NoBody = { status: 413, count: "refused-body" };
const OTHER_ENCODING: NoBody = { status: 415, count: "refused-body" };
const SLOW: NoBody = { status: 204, count: "slow-body" };
const NO_ROOM: NoBody = { status: 204, count: "bodies-full" };
/** The client closed the connection, or broke the rules of HTTP. */
const ABORTED: NoBody = { status: 204, count: "aborted" };
/** The isolate paused so long that the request looked dropped, so {@link takeDropped} counts it. */
const COUNTED: NoBody = { status: 204, count: null };

/** The value of a body in JSON. Throws if it is none, or not in UTF-8. */
export function jsonIn<T = unknown>(body: Uint8Array): T {
  return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(body));
}

/**
 * Whether a value of a body is a text of at most so many characters that an object gives back as it was: SQLite stores
 * another text in place of one with half of a surrogate pair.
 */
export function isText(value: unknown, most = Number.POSITIVE_INFINITY): value is string {
  return typeof value === "string" && value.length <= most && value.isWellFormed();
}

/** Reserved room: the number of bodies, their bytes in all, and the bytes beyond the first {@link WHOLE_BODY_BYTES} of each body. */
interface Room {
  bodies: number;
  all: number;
  long: number;
}

/** The room that all callers have reserved, and the room of each. */
const room: Room = { bodies: 0, all: 0, long: 0 };
const callers = new Map<string, Room>();

/** Reserves a part of a body if it fits into this part of the room for bytes and into the caller's share of the room. */
function reserve(caller: string, wanted: Room, part: number): boolean {
  const own = callers.get(caller) ?? { bodies: 0, all: 0, long: 0 };
  callers.set(caller, own);
  const fits = (taken: Room, share: number) => {
    const most = BODY_ROOM_BYTES * part * share;
    if (taken.bodies + wanted.bodies > MAX_WAITING_BODIES * share || taken.all + wanted.all > most) return false;
    return wanted.long === 0 || taken.long + wanted.long <= most * ROOM_SHARE;
  };
  if (!fits(room, 1) || !fits(own, ROOM_SHARE)) return false;
  add(caller, wanted, 1);
  return true;
}

/** Adds to what is reserved, or with the sign -1 frees it. */
function add(caller: string, { bodies, all, long }: Room, sign: 1 | -1): void {
  for (const one of [room, callers.get(caller)]) {
    if (one === undefined) continue;
    one.bodies += sign * bodies;
    one.all += sign * all;
    one.long += sign * long;
  }
}

/**
 * Reads the body, which must be complete within `ms` milliseconds. `caller`: an id of an SSP in the catalog, or a
 * route.
 */
export async function readBody(
  request: Request,
  ms: number,
  ctx: Background,
  caller: string,
): Promise<Uint8Array | NoBody> {
  const encoding = request.headers.get("content-encoding")?.toLowerCase() ?? "identity";
  if (encoding !== "identity" && !isGzip(encoding)) return OTHER_ENCODING;
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  if (length > MAX_BODY_BYTES) return TOO_LONG;
  // The shared timer also frees the bytes that dropped requests have reserved, so every body starts the timer.
  if (waits.size > 0) nudging.start(undefined, ctx);
  // A short body reserves its whole length before it arrives. Short bodies may reserve only half of the room, so
  // callers that announce bodies and send nothing cannot block the other half.
  const isShort = length >= 0 && length <= WHOLE_BODY_BYTES && reserve(caller, roomOf(length), 0.5);
  const body = await (isShort
    ? readAtOnce(request, length, ms, ctx, caller)
    : kept(readInParts(request.body, length, ms, caller), ctx));
  return encoding === "identity" || !(body instanceof Uint8Array) ? body : inflate(body);
}

/** A short body that has not arrived yet. */
interface Wait {
  caller: string;
  length: number;
  deadline: number;
  /** Makes the waiting request set its own timer. */
  nudge: () => void;
}

const waits = new Set<Wait>();
let dropped = 0;

/**
 * The number of requests that the runtime dropped since the last call. It drops a request whose client hangs up early,
 * and such a request cannot count itself.
 */
export function takeDropped(): number {
  const taken = dropped;
  dropped = 0;
  return taken;
}

/** One timer for all late bodies. Most bodies arrive at once, so a timer for each body would be a waste. */
const nudging = new Tick<undefined>(NUDGE_MS, () => {
  const now = Date.now();
  for (const wait of waits) {
    wait.nudge();
    if (now > wait.deadline + FORGET_MS && end(wait)) dropped++;
  }
});

/** The room of a short body. */
function roomOf(length: number): Room {
  return { bodies: 1, all: length, long: 0 };
}

/** Frees the room of a body. False if it was freed before. */
function end(wait: Wait): boolean {
  const isFirst = waits.delete(wait);
  if (isFirst) add(wait.caller, roomOf(wait.length), -1);
  return isFirst;
}

/** Reads a body of a known length at once, which is the cheapest way. Its room is reserved. */
async function readAtOnce(
  request: Request,
  length: number,
  ms: number,
  ctx: Background,
  caller: string,
): Promise<Uint8Array | NoBody> {
  const { promise: nudged, resolve } = Promise.withResolvers<null>();
  const wait: Wait = { caller, length, deadline: Date.now() + ms, nudge: () => resolve(null) };
  waits.add(wait);
  nudging.start(undefined, ctx);
  // The shared timer is too slow for such a short deadline.
  if (ms <= NUDGE_MS) wait.nudge();
  const reading = request.arrayBuffer().then(
    (bytes) => new Uint8Array(bytes),
    () => ABORTED,
  );
  const body =
    (await Promise.race([reading, nudged])) ?? (await kept(inTime(reading, wait.deadline - Date.now()), ctx));
  return end(wait) ? body : COUNTED;
}

/** The body, or {@link SLOW} after `ms` milliseconds; the end of the request then ends the read. */
async function inTime(reading: Promise<Uint8Array | NoBody>, ms: number): Promise<Uint8Array | NoBody> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<NoBody>((done) => {
    timer = setTimeout(done, ms, SLOW);
  });
  const body = await Promise.race([reading, late]);
  clearTimeout(timer);
  return body;
}

/** Keeps the request alive until the body is read, even if the client resets the connection. Must not reject. */
function kept<T>(reading: Promise<T>, ctx: Background): Promise<T> {
  ctx.waitUntil(reading);
  return reading;
}

/** Reads a body in parts and counts the bytes as they arrive. With an unknown length (NaN), it ends with the stream. */
async function readInParts(
  stream: ReadableStream | null,
  length: number,
  ms: number,
  caller: string,
): Promise<Uint8Array | NoBody> {
  if (stream === null) return new Uint8Array();
  const reader = stream.getReader({ mode: "byob" });
  let isLate = false;
  // If the stream has failed meanwhile, `cancel` rejects like the read, so its error adds nothing.
  const cancel = () => reader.cancel().catch(() => {});
  const timer = setTimeout(() => {
    isLate = true;
    cancel();
  }, ms);
  const most = length >= 0 ? length : MAX_BODY_BYTES + 1;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const own: Room = { bodies: 0, all: 0, long: 0 };
  let size = 0;
  try {
    while (size < most) {
      // The reservation doubles each time, so an idle caller reserves little and a long body needs few reads.
      const next = Math.min(Math.max(size, FIRST_ROOM_BYTES), most - size);
      const long = size + next > WHOLE_BODY_BYTES ? next : 0;
      const bodies = 1 - own.bodies;
      if (!reserve(caller, { bodies, all: next, long }, 1)) {
        cancel();
        return NO_ROOM;
      }
      own.bodies = 1;
      own.all += next;
      own.long += long;
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
    clearTimeout(timer);
    add(caller, own, -1);
  }
}

/**
 * Inflates gzip here, because the runtime does not inflate bodies of requests by itself, and a stream through the
 * runtime's inflater would cost more time than the decision.
 */
function inflate(bytes: Uint8Array): Uint8Array | NoBody {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  for (let members = 0; at >= 0; at = body.indexOf(GZIP_MEMBER, at + 1)) {
    if (members++ > MAX_GZIP_MEMBERS) return CORRUPT;
  }
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    return error instanceof RangeError ? TOO_LONG : CORRUPT;
  }
}
