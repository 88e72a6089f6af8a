//! Assertions: what must be true, and what must not, at the places where money or a promise depends on it. One that does
//! not hold is a defect of edgebid, and not of a request, a catalog or a neighbour. In production it is reported as the
//! failure `assertion`, and the caller does what loses no money. A test or a simulated world ends with it.

import { fail } from "./failures.ts";

let broken: string[] = [];

/** Whether it holds. `what` says what should be true, without data of a request. */
export function holds(isTrue: boolean, what: string): boolean {
  if (!isTrue) {
    fail("assertion", `it is not true that ${what}`);
    if (broken.length < 100) broken.push(what);
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
