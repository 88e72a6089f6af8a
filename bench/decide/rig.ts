//! The isolate and the native program of the suites `decide` and `scale`, with requests and catalogs.

import { buildModule, buildProgram, save } from "../build.ts";
import { ZONES } from "../catalogs/zones.ts";
import { Native } from "../native.ts";
import { Isolate } from "../rig.ts";

/** A catalog to decide with. */
export interface Catalog {
  name: string;
  document: string;
}

/** Both sides, and the Wasm memory of the instance with each catalog. */
export interface Sides {
  isolate: Isolate;
  native: Native;
  memoryBytes: Map<string, number>;
}

/** Runs with both sides, and stops them. */
export async function withSides<T>(
  requests: string[],
  catalogs: Catalog[],
  run: (sides: Sides) => Promise<T>,
): Promise<T> {
  const program = await buildProgram("bench-decide", "bench-decide-native");
  await buildModule("readers");
  const native = await Native.start(
    program,
    [
      save("zones.json", JSON.stringify(ZONES)),
      save("mix.ndjson", requests.join("\n")),
      ...catalogs.map(({ name, document }) => save(`${name}.json`, document)),
    ],
    catalogs.map(({ name }) => name),
  );
  const isolate = await Isolate.start(new URL("worker.ts", import.meta.url));
  try {
    await isolate.ask("mix", {}, requests.join("\n"));
    const memoryBytes = new Map<string, number>();
    for (const { name, document } of catalogs)
      memoryBytes.set(name, await isolate.ask<number>("catalog", { input: name }, document));
    return await run({ isolate, native, memoryBytes });
  } finally {
    native.stop();
    await isolate.stop();
  }
}
