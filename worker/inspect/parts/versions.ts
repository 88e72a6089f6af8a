//! The versions in KV as the Worker lists them, and the options to choose one.

import type { Version } from "../../../shared/catalog/listing.ts";
import type { Pointer } from "../../../shared/catalog/pointer.ts";
import type { Stopped } from "../../../shared/catalog/stopped.ts";
import type { Option } from "./blocks.ts";
import { timeText } from "./text.ts";

export type Listing = Omit<Version, "keys">;

/** The answer of `GET /inspect/api/versions`. */
export interface Versions {
  /** The options that name the KV of `npm start`; null on an account. */
  kv: string | null;
  /** The version that the pointer names; null without a catalog. */
  served: string | null;
  /** Whether KV holds a plain document in place of a pointer. */
  plain: boolean;
  /** What is wrong with the pointer. */
  problem: string | null;
  /** The version to which a rollback goes back; null if there is none. */
  previous: string | null;
  /** The version that was rolled back, if the served one was chosen by a rollback. */
  left: string | null;
  second: Pointer["second"] | null;
  stopped: Stopped | null;
  /** The catalog of the isolate that answers, as `GET /healthz` shows it. */
  serving: { version: string | null; age: number | null; failure: string | null; warning: string | null };
  versions: Listing[];
}

/** An option for each version, with its roles, the time of its push and its note. */
export function versionOptions({ versions, served, second, previous, left }: Versions): Option[] {
  return versions.map(({ version, pushed, note }) => {
    const roles = [
      version === served && "served",
      version === second?.version && "second",
      version === previous && "previous",
      version === left && "rolled back",
    ];
    return [version, [version, ...roles, pushed && timeText(pushed), note].filter(Boolean).join(" · ")];
  });
}
