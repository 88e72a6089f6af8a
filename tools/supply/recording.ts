//! Reads the lines of recordings and events one after another.

import { EXIT, Failure } from "../../build/failure.mjs";
import { isObject, parsedJson } from "../../cli/input.ts";
import { inputsOf, piecesOf } from "../../cli/replay/inputs.ts";
import { requestIn, type Sent } from "../../cli/replay/lines.ts";
import { MAX_LINE_BYTES } from "../../cli/replay/run.ts";

/** A request of a recording. */
export interface Recorded extends Sent {
  request: Record<string, unknown>;
  /** `FILE:LINE`. */
  location: string;
}

/** A line of a file. */
export interface Located {
  bytes: Uint8Array;
  location: string;
}

/** The lines of files. Lines that are too long are left out. Throws {@link Failure} if a file is cut off. */
export async function* linesIn(paths: string[]): AsyncGenerator<Located, void, void> {
  for (const input of inputsOf(paths)) {
    for await (const { lines, problem } of piecesOf(input, MAX_LINE_BYTES)) {
      for (const { bytes, number } of lines) if (bytes) yield { bytes, location: `${input.name}:${number}` };
      if (problem !== undefined) throw new Failure(`${input.name} is cut off: ${problem}`, EXIT.found);
    }
  }
}

/** The requests of recordings. Lines that are none are left out. */
export async function* requestsIn(paths: string[]): AsyncGenerator<Recorded, void, void> {
  for await (const { bytes, location } of linesIn(paths)) {
    const sent = requestIn(bytes);
    const request = typeof sent === "string" ? undefined : parsedJson(sent.body);
    if (typeof sent !== "string" && isObject(request)) yield { ...sent, request, location };
  }
}
