//! Runs the suites `decide` and `scale`: one isolate in workerd and one native program take turns with the same
//! requests and catalogs.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../cli/tools.mjs";
import { json, type RunningScript, startScript } from "../../cli/workerd.ts";
import { buildModule, buildProgram } from "../build.ts";
import { ZONES } from "../catalogs/zones.ts";
import { Native } from "../native.ts";
import type { Progress } from "../progress.ts";
import { type Turns, takeTurn } from "../turns.ts";
import type { Outcome } from "./outcomes.ts";

/** A catalog to decide with. */
export interface Catalog {
  name: string;
  document: string;
}

/** The turns of one way with one catalog. */
export interface Series extends Turns {
  way: string;
  catalog: string;
}

export function series(way: string, catalog: string): Series {
  return { way, catalog, wasm: [], native: [] };
}

/** A way that runs natively only, because the module has no export for it. */
export const NOTHING_WRITTEN = "edgebid, nothing written";

export class Rig {
  /** Wasm memory of the instance in workerd with each catalog, by the catalog's name. */
  readonly memoryBytes = new Map<string, number>();
  readonly #script: RunningScript;
  readonly #native: Native;
  readonly #catalogs: string[];

  private constructor(script: RunningScript, native: Native, catalogs: string[]) {
    this.#script = script;
    this.#native = native;
    this.#catalogs = catalogs;
  }

  /** Builds and starts the isolate and the native program, and loads requests and catalogs into both. */
  static async start(requests: string[], catalogs: Catalog[], progress: Progress): Promise<Rig> {
    const program = await buildProgram("bench-decide", "bench-decide-native");
    await buildModule("readers");
    const files = [
      file("zones.json", JSON.stringify(ZONES)),
      file("mix.ndjson", requests.join("\n")),
      ...catalogs.map(({ name, document }) => file(`${name}.json`, document)),
    ];
    progress.show(0, 1, "loading the catalogs natively");
    const native = await Native.start(program, files);
    const script = await startScript(new URL("worker.ts", import.meta.url));
    const rig = new Rig(
      script,
      native,
      catalogs.map(({ name }) => name),
    );
    try {
      await script.fetch("/mix", { method: "POST", body: requests.join("\n") });
      for (const [at, { name, document }] of catalogs.entries()) {
        progress.show(at, catalogs.length, `loading the catalog ${name}`);
        const loading = { method: "POST", body: document };
        rig.memoryBytes.set(name, await json<number>(script, `/catalog?catalog=${name}`, loading));
      }
    } catch (error) {
      await rig.stop();
      throw error;
    }
    return rig;
  }

  /** The outcome of each request. */
  answers(way: string, catalog: string): Promise<Outcome[]> {
    return json(this.#script, path("/answers", way, catalog));
  }

  /** Allocations per decision, when warm. */
  allocations(document: string): Promise<number | null> {
    return json(this.#script, "/allocations", { method: "POST", body: document });
  }

  /** Makes the catalog's twin in the isolate. */
  async makeTwin({ name, document }: Catalog): Promise<void> {
    await this.#script.fetch(`/twin?catalog=${name}`, { method: "POST", body: document });
  }

  /** Growth of the instance's memory in bytes during this many decisions. */
  growth(catalog: string, decisions: number): Promise<number> {
    return json(this.#script, `/growth?catalog=${catalog}&decisions=${decisions}`);
  }

  /** Median and 99th percentile of single decisions, in microseconds, natively. */
  async spread(catalog: string): Promise<[median: number, p99: number]> {
    const answer = await this.#native.ask("spread", "edgebid", this.#catalogs.indexOf(catalog));
    const [median = Number.NaN, p99 = Number.NaN] = answer.split(" ").map(Number);
    return [median, p99];
  }

  async warm(all: Series[], progress: Progress): Promise<void> {
    for (const [at, { way, catalog }] of all.entries()) {
      progress.show(at, all.length, `warming up: ${way}, ${catalog}`);
      if (way !== NOTHING_WRITTEN) await this.#script.fetch(path("/warm", way, catalog));
      if (this.#native.names.includes(way)) await this.#native.warm(way, this.#catalogs.indexOf(catalog));
    }
  }

  /** Measures this many turns. */
  async measure(all: Series[], turns: number, progress: Progress): Promise<void> {
    for (let turn = 0; turn < turns; turn++) {
      progress.show(turn, turns, `turn ${turn + 1} of ${turns}`);
      await takeTurn(
        all,
        turn,
        ({ way, catalog }) => (way === NOTHING_WRITTEN ? null : json(this.#script, path("/measure", way, catalog))),
        ({ way, catalog }) =>
          this.#native.names.includes(way) ? this.#native.measure(way, this.#catalogs.indexOf(catalog)) : null,
      );
    }
    progress.end();
  }

  async stop(): Promise<void> {
    this.#native.stop();
    await this.#script.stop();
  }
}

function path(route: string, way: string, catalog: string): string {
  return `${route}?way=${encodeURIComponent(way)}&catalog=${encodeURIComponent(catalog)}`;
}

/** Writes a file for the native program and returns its path. */
function file(name: string, content: string): string {
  const folder = join(ROOT, "target/bench");
  const path = join(folder, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, content);
  return path;
}
