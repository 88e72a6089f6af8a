//! Measures every writer with every list in every way, in workerd and natively.

import { gunzipSync } from "node:zlib";
import { json, type RunningScript } from "../../cli/workerd.ts";
import type { Native } from "../native.ts";
import type { Progress } from "../progress.ts";
import { type Turns, takeTurn } from "../turns.ts";
import type { Bid, List } from "./records.ts";
import { STRINGIFY, WAYS, type Way } from "./ways.ts";

/** The turns of one writer with one list in one way. */
export interface Series extends Turns {
  writer: string;
  list: string;
  way: Way;
  /** The numbers of list and way as one number, for the native program. */
  work: number;
  /** Size of the output. */
  bytes: number;
  /** Bytes allocated per write, when warm; null for V8. */
  allocated: number | null;
}

/** Checks that all output reads back unchanged, then measures. */
export async function measure(
  script: RunningScript,
  native: Native,
  lists: List[],
  turns: number,
  progress: Progress,
): Promise<Series[]> {
  const writers = await json<string[]>(script, "/writers");
  const all: Series[] = [];
  const kinds = lists.flatMap((list, at) =>
    WAYS.map((way, number) => ({ list, at, way, work: at * WAYS.length + number })),
  );
  for (const [done, { list, at, way, work }] of kinds.entries()) {
    for (const writer of writers) {
      progress.show(done, kinds.length, `checking and warming up: ${writer}, ${list.name}, ${way}`);
      const query = `?writer=${encodeURIComponent(writer)}&way=${way}&list=${at}`;
      const isRight = await json<boolean | null>(script, `/right${query}`);
      if (isRight === null) continue;
      const bytes = await (await script.fetch(`/written${query}`)).arrayBuffer();
      // The module checks its output in memory only, so streams and gzip are compared with the output in memory.
      const plain = way === "gzip" ? gunzipSync(bytes) : Buffer.from(bytes);
      const memory = await (await script.fetch(`/written${query.replace(/stream|gzip/, "records")}`)).arrayBuffer();
      const isV8sRight = writer !== STRINGIFY || isEqual(plain.toString(), list.bids, way);
      if (!isRight || !isV8sRight || !plain.equals(Buffer.from(memory)))
        throw new Error(`${writer} wrote other bids: ${list.name}, ${way}`);
      const isNative = native.names.includes(writer);
      if (isNative && (await native.ask("right", writer, work)) !== "true")
        throw new Error(`${writer} wrote other bids natively: ${list.name}, ${way}`);
      const allocated = await json<number | null>(script, `/warm${query}`);
      if (isNative) await native.warm(writer, work);
      const size = bytes.byteLength;
      all.push({ writer, list: list.name, way, work, bytes: size, allocated, wasm: [], native: [] });
    }
  }
  for (let turn = 0; turn < turns; turn++) {
    for (const [done, { list, at, way }] of kinds.entries()) {
      progress.show(
        turn * kinds.length + done,
        turns * kinds.length,
        `turn ${turn + 1} of ${turns}: ${list.name}, ${way}`,
      );
      await takeTurn(
        all.filter((one) => one.list === list.name && one.way === way),
        turn,
        ({ writer }) => json<number>(script, `/measure?writer=${encodeURIComponent(writer)}&way=${way}&list=${at}`),
        ({ writer, work }) => (native.names.includes(writer) ? native.measure(writer, work) : null),
      );
    }
  }
  progress.end();
  return all;
}

/** Whether this JSON holds these bids, in the format of `src/writers/wire.rs`. */
function isEqual(text: string, bids: Bid[], way: Way): boolean {
  const found =
    way === "response"
      ? JSON.parse(text).seatbid[0].bid
      : text
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line));
  const expected = bids.map(({ id, impid, micros, dealid, ...known }) => {
    return { id, impid, price: micros / 1e6, ...known, ...(dealid !== null && { dealid }) };
  });
  return JSON.stringify(found) === JSON.stringify(expected);
}
