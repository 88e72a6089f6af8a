//! What an operator has stopped: the member `stopped` of the pointer. An isolate sees it when it next reads the
//! pointer.
//!
//! A stop saves money, so it is read apart from the rest of the pointer: a refused pointer still stops campaigns, and a
//! stop that cannot be read stops everything.

import { isPointer, MAX_POINTER_BYTES, objectIn, type Stopped } from "./pointer.ts";

export type { Stopped };

/**
 * The most bytes of {@link Stopped} as JSON. Leaves room for the rest of a pointer, so that a push never fails because
 * of a stop.
 */
export const MAX_STOPPED_BYTES = 48 << 10;

const MEMBERS = ["all", "cids", "since", "note"];

/**
 * The stop in the value under the pointer's key; null if it stops nothing. Undefined if the value is neither a pointer
 * nor a catalog document: then it does not say what to stop.
 */
export function readStopped(bytes: Uint8Array): Stopped | null | undefined {
  // Only a document is that long.
  if (bytes.byteLength > MAX_POINTER_BYTES) return null;
  const value = objectIn(bytes);
  if (value === null) return undefined;
  if ("ssps" in value) return null;
  const { stopped } = value;
  if (stopped === undefined || stopped === null) return isPointer(value) ? null : undefined;
  if (isStopped(stopped)) return stopped;
  return { all: true, note: "everything is stopped, because this bidder cannot read the pointer's `stopped`" };
}

/**
 * The pointer in these bytes with another {@link Stopped}; null if the bytes are not a pointer. Changes nothing else.
 */
export function withStopped(bytes: Uint8Array, stopped: Stopped | null): Uint8Array<ArrayBuffer> | null {
  const value = objectIn(bytes);
  if (value === null || !isPointer(value)) return null;
  const { stopped: _, ...rest } = value;
  return new Uint8Array(new TextEncoder().encode(JSON.stringify({ ...rest, ...(stopped && { stopped }) })));
}

/** Whether a value is {@link Stopped}. False if it has an unknown member, because that may stop more. */
function isStopped(value: unknown): value is Stopped {
  if (typeof value !== "object" || value === null || !Object.keys(value).every((key) => MEMBERS.includes(key)))
    return false;
  const { all, cids, since = "", note = "" } = value as Record<string, unknown>;
  const isCid = (cid: unknown) => typeof cid === "string" && !cid.includes("\n");
  const isList = Array.isArray(cids) && cids.length > 0 && cids.every(isCid);
  const isSound = (all === undefined || all === true) && (cids === undefined || isList);
  return isSound && (all === true || isList) && typeof since === "string" && typeof note === "string";
}
