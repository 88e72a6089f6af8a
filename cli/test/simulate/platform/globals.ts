//! The globals that bundles find in place of those of Node. They act for the instance whose turn it is.

import { createHash } from "node:crypto";
import { type Fetch, WEB } from "./collector.ts";

/** What an instance gives to its code. */
export interface Owner {
  /** Whole milliseconds since the epoch. */
  readonly now: number;
  readonly dice: { unit(): number; below(end: number): number; uuid(): string };
  setTimeout(run: () => void, ms: number): number;
  clearTimeout(timer: number): void;
  /** Its calls of other servers. */
  readonly onFetch: Fetch;
  /** What the code logs is part of the trace. */
  tell(line: unknown): void;
}

let owner: Owner | undefined;

/** From now on, the globals act for this one. */
export function own(next: Owner): void {
  owner = next;
}

function present(): Owner {
  if (owner === undefined) throw new Error("code uses the platform before any instance has a turn");
  return owner;
}

const now = () => present().now;

class VirtualDate extends Date {
  constructor(...args: [] | [string | number | Date]) {
    super(...((args.length === 0 ? [now()] : args) as [number]));
  }
  static override now = now;
}

const setTimeout = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
  present().setTimeout(args.length === 0 ? run : () => run(...args), ms);
const tell = (line: unknown) => present().tell(line);

const subtle = {
  // The digest of Node runs in another thread, which answers at any time.
  digest: async (_: "SHA-256", bytes: Uint8Array) => {
    const digest = createHash("sha256").update(bytes).digest();
    return digest.buffer.slice(digest.byteOffset, digest.byteOffset + digest.byteLength);
  },
};

const getRandomValues = (values: Uint32Array) => {
  for (const at of values.keys()) values[at] = present().dice.below(2 ** 32);
  return values;
};

const fetch: Fetch = (...args) => present().onFetch(...args);

export const globals = {
  ...WEB,
  fetch,
  Date: VirtualDate,
  Math: Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(Math), random: { value: () => present().dice.unit() } },
  ),
  setTimeout,
  clearTimeout: (timer: number) => present().clearTimeout(timer),
  scheduler: { wait: (ms: number) => new Promise<void>((done) => setTimeout(() => done(), ms)) },
  performance: { now },
  crypto: { subtle, randomUUID: () => present().dice.uuid(), getRandomValues },
  console: { log: tell, info: tell, warn: tell, error: tell },
};
