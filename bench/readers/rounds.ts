//! Measures every reader on every body in each round, in workerd and natively.
//!
//! In a round each body takes five turns, one directly after the other. A batch takes at least 10 ms, so each reader
//! reads a body for at least 50 ms per round; see `../turns.ts`.

import { json, type RunningScript } from "../../cli/workerd.ts";
import type { Native } from "../native.ts";
import type { Progress } from "../progress.ts";
import { TURNS_A_ROUND, type Turns, takeTurn } from "../turns.ts";
import type { Body, Expected } from "./bodies.ts";

/** The reader of requests in protobuf. It runs in workerd only. */
export const PROTOBUF = "edgebid (protobuf)";

/** The turns of one reader on one body. */
export interface Series extends Turns {
  reader: string;
  body: Body;
  /** Allocations per read, when warm; null for V8. */
  allocations: number | null;
}

/** Checks that every reader reads every body correctly, then measures. */
export async function measure(
  script: RunningScript,
  native: Native,
  bodies: Body[],
  rounds: number,
  progress: Progress,
): Promise<Series[]> {
  const readers = await json<string[]>(script, "/readers");
  for (const { name, lines, messages } of bodies) {
    await script.fetch(`/body/${encodeURIComponent(name)}`, { method: "POST", body: lines });
    await script.fetch(`/messages/${encodeURIComponent(name)}`, { method: "POST", body: messages });
  }
  const isNative = (reader: string) => native.names.includes(reader) && reader !== PROTOBUF;

  const steps = bodies.length * (readers.length + rounds * TURNS_A_ROUND);
  let done = 0;
  const series: Series[][] = [];
  for (const [at, body] of bodies.entries()) {
    const ofBody: Series[] = [];
    for (const reader of readers) {
      progress.show(done++, steps, `warming up: ${reader}, ${body.name}`);
      const one: Series = { reader, body, allocations: null, wasm: [], native: [] };
      if (!(await reads(script, one))) continue;
      one.allocations = await json<number | null>(script, path("/warm", one));
      if (isNative(reader)) await native.warm(reader, at);
      ofBody.push(one);
    }
    series.push(ofBody);
  }

  for (let round = 0; round < rounds; round++) {
    for (const [at, ofBody] of series.entries()) {
      for (let turn = 0; turn < TURNS_A_ROUND; turn++) {
        progress.show(done++, steps, `round ${round + 1} of ${rounds}: ${bodies[at]?.name}`);
        await takeTurn(
          ofBody,
          round * TURNS_A_ROUND + turn,
          (one) => json<number>(script, path("/measure", one)),
          ({ reader }) => (isNative(reader) ? native.measure(reader, at) : null),
        );
      }
    }
  }
  progress.end();
  return series.flat();
}

/** Whether the reader accepts every text. Throws if it accepts a text and reads wrong values. */
async function reads(script: RunningScript, series: Series): Promise<boolean> {
  const { reader, body } = series;
  const seen = await json<({ id: string; count: number } | null)[]>(script, path("/seen", series));
  for (const [at, text] of body.texts.entries()) {
    const expected = expectedOf(reader, text);
    const found = seen[at];
    if (found && (found.id !== expected.id || found.count !== expected.count)) {
      const names = `${reader}, ${body.name}, text ${at}`;
      throw new Error(`${names}: found ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`);
    }
  }
  return seen.every((found) => found !== null);
}

function expectedOf(reader: string, { id, imps, keptImps }: Expected) {
  switch (reader) {
    case "edgebid":
    case "edgebid (everything)":
    case "edgebid (nothing asked)":
    case PROTOBUF:
    case "serde-json-wasm, strict":
      return { id, count: keptImps };
    default:
      return { id, count: imps };
  }
}

function path(route: string, { reader, body }: Series): string {
  return `${route}?reader=${encodeURIComponent(reader)}&body=${encodeURIComponent(body.name)}`;
}
