//! The memory of workerd in parts, after its garbage was collected: what V8 has not collected yet is not growth.

import { once } from "node:events";
import { json } from "../../cli/workerd.ts";
import { type Process, workingSet } from "../processes.ts";

/** The isolate of the bidder and its objects. The others are Miniflare's: KV, the queue, and what runs the objects. */
const BIDDER = "core:user:script";
/** The isolates that run when a value of KV is written and when the bidder is asked. */
const RUNNING = [BIDDER, "core:entry", "kv:ns"];

/** What {@link memoryOf} measures. `memory` is the process as a whole. */
export const PARTS = ["heap", "wasm", "miniflare", "memory"];

/** The parts in bytes. */
export async function memoryOf({ script, pid }: Process): Promise<Record<string, number | null>> {
  const response = await fetch(`${script.inspector}/json`);
  const targets = (await response.json()) as Parameters<typeof connected>[0][];
  const isolates = await Promise.all(targets.map(connected));
  const waiting = new Set(targets.map(({ id }) => id).filter((id) => RUNNING.includes(id)));
  isolates.forEach(async ({ id, ask }) => {
    await ask("HeapProfiler.collectGarbage");
    waiting.delete(id);
  });
  // An isolate collects its garbage when it runs next. Those that run seldom, such as the queue, are not waited for.
  while (waiting.size > 0) {
    await Promise.all([script.put("CATALOG", { nothing: new Uint8Array() }), script.fetch("/healthz")]);
  }
  const wasm = await json<number>(script, "/wasm");
  const bytes = { heap: 0, miniflare: 0 };
  for (const { id, ask, close } of isolates) {
    const { usedSize = 0, backingStorageSize = 0 } = await ask("Runtime.getHeapUsage");
    bytes[id === BIDDER ? "heap" : "miniflare"] += usedSize + backingStorageSize;
    close();
  }
  return { ...bytes, wasm, memory: workingSet(pid) };
}

/** Connects with an isolate's inspector. `ask` calls a method of the protocol. */
async function connected({ id, webSocketDebuggerUrl }: Record<"id" | "webSocketDebuggerUrl", string>) {
  const socket = new WebSocket(webSocketDebuggerUrl);
  await once(socket, "open");
  let calls = 0;
  const ask = (method: string) =>
    new Promise<Record<string, number>>((done) => {
      const call = ++calls;
      socket.addEventListener("message", ({ data }) => {
        const answer = JSON.parse(String(data));
        if (answer.id === call) done(answer.result);
      });
      socket.send(JSON.stringify({ id: call, method }));
    });
  return { id, ask, close: () => socket.close() };
}
