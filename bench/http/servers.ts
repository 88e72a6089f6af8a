//! The servers that are driven, each a workerd of its own: an idle one costs memory alone.

import { type RunningScript, startScript } from "../../cli/workerd.ts";
import { PART_BYTES, POINTER_KEY, type Pointer, partKeys, versionOf } from "../../worker/src/pointer.ts";
import { workerds, workingSet } from "./workerd-process.ts";

/** A running workerd, and what is known of it before any load. */
export interface Server {
  name: string;
  script: RunningScript;
  /** Undefined where processes cannot be told apart. */
  pid: number | undefined;
  /** From sending the very first request to its answer; of the bidder, until there was a bid to make. */
  first_ms: number;
  /** Of the snapshot in KV. */
  snapshot_bytes: number | null;
}

/** What a person asks of an application. */
export interface Application {
  name: string;
  start_ms: number;
  first_ms: number;
  /** Before any load and behind all of it, in bytes. */
  working_set_start: number | null;
  working_set: number | null;
  script_bytes: number;
  wasm_bytes: number;
  snapshot_bytes: number | null;
}

const BID = { method: "POST", body: `{"id":"first","imp":[{"id":"1"}]}` };
const PATIENCE_MS = 60_000;

/** `answer`: what `/echo` answers with. */
export async function startBaseline(answer: Uint8Array<ArrayBuffer>): Promise<Server> {
  return started("baseline", new URL("baseline.ts", import.meta.url), {}, null, async ({ fetch }) => {
    await fetch("/hello", BID);
    return () => fetch("/answer", { method: "PUT", body: answer });
  });
}

export async function startTwin(document: string): Promise<Server> {
  return started("twin", new URL("twin.ts", import.meta.url), {}, null, async ({ fetch }) => {
    await fetch("/catalog", { method: "PUT", body: document });
    await fetch("/bid/demo", BID);
    return undefined;
  });
}

/** The Worker as it is deployed, with a compiled catalog in KV. */
export async function startBidder(name: string, snapshot: Uint8Array<ArrayBuffer>): Promise<Server> {
  // The binding is that of `worker/src/catalog.ts`.
  const kv = { CATALOG: await pushed(snapshot) };
  const entry = new URL("../../worker/src/index.ts", import.meta.url);
  return started(name, entry, kv, snapshot.byteLength, async ({ origin }) => {
    const end = performance.now() + PATIENCE_MS;
    // It answers before it has a catalog, if that takes long; /healthz says 503 until then.
    while (!(await fetch(`${origin}/healthz`)).ok) {
      if (performance.now() > end) throw new Error(`${name} has got no catalog`);
    }
    return undefined;
  });
}

/** What KV holds when a snapshot has been pushed: the pointer, and what it points to. */
async function pushed(snapshot: Uint8Array<ArrayBuffer>): Promise<Record<string, Uint8Array>> {
  const version = await versionOf(snapshot);
  const parts = Math.ceil(snapshot.byteLength / PART_BYTES);
  const now = new Date().toISOString();
  const pointer: Pointer = { format: 1, version, parts, campaigns: 0, pushed: now, previous: null };
  const split = (part: number) => snapshot.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
  return {
    [POINTER_KEY]: new TextEncoder().encode(JSON.stringify(pointer)),
    ...Object.fromEntries(partKeys(version, "snapshot", parts).map((key, part) => [key, split(part)])),
  };
}

/** `first` makes the first request, and may tell what to do when that has been timed. */
async function started(
  name: string,
  entry: URL,
  kv: Parameters<typeof startScript>[1],
  snapshot_bytes: number | null,
  first: (script: RunningScript) => Promise<(() => Promise<unknown>) | undefined>,
): Promise<Server> {
  const before = new Set(workerds());
  const script = await startScript(entry, kv);
  const pid = workerds().find((pid) => !before.has(pid));
  const began = performance.now();
  const then = await first(script);
  const first_ms = performance.now() - began;
  await then?.();
  return { name, script, pid, first_ms, snapshot_bytes };
}

/** `before`: the working sets without load, by server. */
export function applications(servers: Server[], before: Map<Server, number | null>): Application[] {
  return servers.map((server) => ({
    name: server.name,
    start_ms: server.script.startMs,
    first_ms: server.first_ms,
    working_set_start: before.get(server) ?? null,
    working_set: workingSet(server.pid),
    script_bytes: server.script.size.script,
    wasm_bytes: server.script.size.wasm,
    snapshot_bytes: server.snapshot_bytes,
  }));
}
