//! The servers under load, each in its own workerd. An idle server costs memory only.

import { type Bindings, type RunningScript, startScript } from "../../cli/workerd.ts";
import { PART_BYTES, POINTER_KEY, type Pointer, partKeys, versionOf } from "../../worker/src/catalog/pointer.ts";
import { workerds } from "./workerd-process.ts";

/** A running workerd, and the facts known before any load. */
export interface Server {
  name: string;
  script: RunningScript;
  /** Undefined if /proc cannot tell. */
  pid: number | undefined;
  /** Time from sending the first request to its answer; for the bidder, until it has its catalog. */
  first_ms: number;
  /** The snapshot in the server's KV; null for a server without KV. */
  snapshot: Uint8Array | null;
}

const BID = { method: "POST", body: `{"id":"first","imp":[{"id":"1"}]}` };
const PATIENCE_MS = 60_000;

/** Starts the Worker of `baseline.ts`. `answer`: the answer of `/echo`. */
export async function startBaseline(answer: Uint8Array<ArrayBuffer>): Promise<Server> {
  return startServer("baseline", new URL("baseline.ts", import.meta.url), {}, null, async ({ fetch }) => {
    await fetch("/hello", BID);
    return () => fetch("/answer", { method: "PUT", body: answer });
  });
}

export async function startPeer(document: string): Promise<Server> {
  return startServer("peer", new URL("peer.ts", import.meta.url), {}, null, async ({ fetch }) => {
    await fetch("/catalog", { method: "PUT", body: document });
    await fetch("/bid/demo", BID);
    return undefined;
  });
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
  snapshot: Uint8Array<ArrayBuffer>,
  campaigns: number,
  bindings = WITHOUT_EVENTS,
): Promise<Server> {
  const kv = { CATALOG: await pushed(snapshot, campaigns) };
  const entry = new URL("../../worker/src/index.ts", import.meta.url);
  const first = async ({ origin }: RunningScript) => {
    const end = performance.now() + PATIENCE_MS;
    // If KV is slow, the bidder answers before it has a catalog. /healthz returns 503 until the catalog is there.
    while (!(await fetch(`${origin}/healthz`)).ok) {
      if (performance.now() > end) throw new Error(`${name} did not load its catalog`);
    }
    return undefined;
  };
  return startServer(name, entry, kv, snapshot, first, bindings);
}

/** The KV entries: the pointer and the parts of its version. */
async function pushed(snapshot: Uint8Array<ArrayBuffer>, campaigns: number): Promise<Record<string, Uint8Array>> {
  const version = await versionOf(snapshot);
  const parts = Math.ceil(snapshot.byteLength / PART_BYTES);
  const at = new Date().toISOString();
  const pointer: Pointer = { format: 1, version, parts, campaigns, pushed: at, previous: null };
  const keys = partKeys(version, "snapshot", parts);
  return Object.fromEntries([
    ...keys.map((key, part) => [key, snapshot.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)]),
    [POINTER_KEY, new TextEncoder().encode(JSON.stringify(pointer))],
  ]);
}

/** Starts a server and times `first`, which makes the first request. It may return work to do after the timing. */
async function startServer(
  name: string,
  entry: URL,
  kv: Parameters<typeof startScript>[1],
  snapshot: Uint8Array | null,
  first: (script: RunningScript) => Promise<(() => Promise<unknown>) | undefined>,
  bindings: Bindings = {},
): Promise<Server> {
  const before = new Set(workerds());
  const script = await startScript(entry, kv, bindings);
  const pid = workerds().find((pid) => !before.has(pid));
  const began = performance.now();
  const then = await first(script);
  const first_ms = performance.now() - began;
  await then?.();
  return { name, script, pid, first_ms, snapshot };
}
