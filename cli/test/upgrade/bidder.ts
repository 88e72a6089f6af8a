//! A bidder with its storage in a folder, ahead of the time by so many milliseconds; reads and fills such a folder.

import { json, type RunningScript } from "../../workerd.ts";
import { type Pushed, Running, startTimed } from "./running.ts";
import type { Stored } from "./stored.ts";

const clockAhead = (offset: number) => ({ realStart: 0, start: offset, speed: 1 });

/** Starts a bidder. `pushed` is put into its KV. */
export function runningIn(folder: string, offset: number, pushed: Pushed = {}): Promise<Running> {
  return Running.start(pushed, clockAhead(offset), { persist: folder });
}

/** What a stopped bidder has stored. */
export function storedIn(folder: string, offset: number): Promise<Stored> {
  return inStore(folder, offset, (script) => json(script, "/"));
}

/** Fills an empty folder for a bidder. */
export async function fill(folder: string, stored: Stored, offset: number): Promise<void> {
  await inStore(folder, offset, (script) => script.fetch("/", { method: "PUT", body: JSON.stringify(stored) }));
}

async function inStore<T>(folder: string, offset: number, work: (script: RunningScript) => Promise<T>): Promise<T> {
  const entry = new URL("store.ts", import.meta.url);
  const script = await startTimed(entry, {}, clockAhead(offset), { persist: folder });
  try {
    return await work(script);
  } finally {
    await script.stop();
  }
}
