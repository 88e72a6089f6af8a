//! Assertions: conditions that must be true, and others that must not, where money or a promise depends on them. If one
//! does not hold, edgebid has a defect: no request, catalog or neighbour can cause it. In production it is reported as the
//! failure `assertion`, and the caller goes on in a way that loses no money. A test of the Worker's code or a simulated
//! world ends with it.

import { MAX_BROKEN } from "../limits.ts";
import { fail } from "./failures.ts";

let broken: string[] = [];

/** Whether it holds. `what` says what should be true, without data of a request. */
export function holds(isTrue: boolean, what: string): boolean {
  if (!isTrue) {
    fail("assertion", `it is not true that ${what}`);
    if (broken.length < MAX_BROKEN) broken.push(what);
  }
  return isTrue;
}

/** Throws if it does not hold. */
export function assert(isTrue: boolean, what: string): void {
  if (!holds(isTrue, what)) throw new Error(`it is not true that ${what}`);
}

/** What did not hold since the last call. */
export function takeBroken(): string[] {
  const taken = broken;
  broken = [];
  return taken;
}
