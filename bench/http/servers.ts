//! The servers under load, each in its own workerd. An idle server costs memory only.

import type { Bindings } from "../../cli/workerd.ts";
import { PART_BYTES, POINTER_KEY, type Pointer, partKeys, versionOf } from "../../shared/catalog/pointer.ts";
import { snapshotOf } from "../build.ts";
import type { Document } from "../catalogs/generate.ts";
import { type Process, startProcess } from "../processes.ts";

/** A running workerd, and the facts known before any load. */
export interface Server extends Process {
  name: string;
  /** Time from sending the first request to its answer; for the bidder, until it has its catalog. */
  first_ms: number;
  /** Bytes of the snapshot in the server's KV; null for a server without KV. */
  snapshot_bytes: number | null;
}

const PATIENCE_MS = 60_000;

/** The Worker of `baseline.ts`, with the answer of `/echo` or the catalog of the peer. */
export async function startBaseline(name: string, path: "/answer" | "/catalog", body: string): Promise<Server> {
  const { script, pid } = await startProcess(new URL("baseline.ts", import.meta.url));
  const first_ms = await timed(() => script.fetch(path, { method: "PUT", body }));
  return { name, script, pid, first_ms, snapshot_bytes: null };
}

/** Turns events off. Otherwise they would go to the console, and the suite would measure the console. */
const WITHOUT_EVENTS: Bindings = { vars: { EVENTS_ONE_IN: "off" } };

/** Sends events for every bid and one auction in a thousand, through a queue, to the collector at `url`. */
export function withEvents(url: string): Bindings {
  return {
    vars: { EVENTS_ONE_IN: "1000", COLLECTOR_URL: url, COLLECTOR_FORMAT: "ndjson" },
    queues: { EVENTS: { maxBatchSize: 100, maxBatchTimeout: 5, maxRetries: 20 } },
  };
}

/** The deployed Worker, with a compiled catalog in KV as a push leaves it. */
export async function startBidder(
  name: string,
  document: Document,
  bindings = WITHOUT_EVENTS,
  snapshot = snapshotOf(document),
): Promise<Server> {
  const kv = { CATALOG: await pushed(snapshot, document.campaigns.length) };
  const { script, pid } = await startProcess(new URL("../../worker/src/index.ts", import.meta.url), kv, bindings);
  const end = performance.now() + PATIENCE_MS;
  const first_ms = await timed(async () => {
    // If KV is slow, the bidder answers before it has a catalog. /healthz returns 503 until the catalog is there.
    while (!(await fetch(`${script.origin}/healthz`)).ok) {
      if (performance.now() > end) throw new Error(`${name} did not load its catalog`);
    }
  });
  return { name, script, pid, first_ms, snapshot_bytes: snapshot.byteLength };
}

/** The KV entries of a pushed catalog: the pointer and the parts of its version. */
export async function pushed(
  snapshot: Uint8Array<ArrayBuffer>,
  campaigns: number,
): Promise<Record<string, Uint8Array>> {
  const version = await versionOf(snapshot);
  const parts = Math.ceil(snapshot.byteLength / PART_BYTES);
  const at = new Date().toISOString();
  const pointer: Pointer = { format: 1, version, parts, campaigns, pushed: at, previous: null, earlier: [] };
  const keys = partKeys(version, "snapshot", parts);
  return Object.fromEntries([
    ...keys.map((key, part) => [key, snapshot.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)]),
    [POINTER_KEY, new TextEncoder().encode(JSON.stringify(pointer))],
  ]);
}

/** Milliseconds that the call takes. */
export async function timed(call: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await call();
  return performance.now() - began;
}
