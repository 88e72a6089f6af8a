//! `npm run bench -- peers`: edgebid beside other software in one run. JSON libraries read the same requests, in Wasm
//! and natively. The first-day bidder of `plain.ts` decides on the same requests with the same catalog.

import { json, startScript } from "../../cli/workerd.ts";
import { buildModule, buildProgram } from "../build.ts";
import { generate } from "../catalogs/generate.ts";
import { Native } from "../native.ts";
import { Progress } from "../progress.ts";
import { bodies } from "../readers/bodies.ts";
import { measure } from "../readers/rounds.ts";
import { rows as readerRows } from "../readers/rows.ts";
import { mix } from "../requests/mix.ts";
import type { Suite } from "../suite.ts";
import { takeTurn } from "../turns.ts";
import type { Answered } from "./plain.ts";
import { analysis, checks, type Decisions, decided, decisionTable, figures, readTable } from "./rows.ts";

const ROUNDS = 11;
const QUICK_ROUNDS = 1;
const TURNS = 25;
const QUICK_TURNS = 3;
/** The bodies whose sizes are most like real requests. */
const BODIES = ["0.6k", "1.3k", "3.8k", "25k"];
const WAYS = ["edgebid", "first day"];

export const peers: Suite = {
  name: "peers",
  summary: "edgebid beside JSON libraries in Rust, in Wasm and natively, and beside a first-day bidder",
  crates: ["simd-json", "sonic-rs", "serde_json"],

  async run({ quick }) {
    const progress = new Progress();
    const measured = bodies([]).filter(({ name }) => BODIES.includes(name));
    const native = await Native.start(
      await buildProgram("bench-readers", "bench-readers-native"),
      measured.map(({ path }) => path),
    );
    await buildModule("readers");
    const reading = await startScript(new URL("../readers/worker.ts", import.meta.url));
    const deciding = await startScript(new URL("worker.ts", import.meta.url));
    try {
      const read = readerRows(await measure(reading, native, measured, quick ? QUICK_ROUNDS : ROUNDS, progress));
      const texts = mix();
      await deciding.fetch("/mix", { method: "POST", body: texts.join("\n") });
      await deciding.fetch("/catalog", { method: "POST", body: JSON.stringify(generate(1000)) });
      const ways: Decisions[] = WAYS.map((way) => ({ way, wasm: [], native: [] }));
      for (const { way } of ways) await deciding.fetch(path("/warm", way), { method: "POST" });
      const turns = quick ? QUICK_TURNS : TURNS;
      for (let turn = 0; turn < turns; turn++) {
        progress.show(turn, turns, `deciding: turn ${turn + 1} of ${turns}`);
        const measure = ({ way }: Decisions) => json<number>(deciding, path("/batch", way), { method: "POST" });
        await takeTurn(ways, turn, measure, () => null);
      }
      const answered = await json<Answered>(deciding, "/answered");
      progress.end();
      const found = decided(ways, answered);
      return {
        checks: checks(found),
        analysis: analysis(read, found, texts.length, answered),
        figures: figures(ways),
        tables: [readTable(read), decisionTable(found)],
        rows: [...read, ...found],
        answered,
      };
    } finally {
      native.stop();
      await reading.stop();
      await deciding.stop();
    }
  },
};

function path(route: string, way: string): string {
  return `${route}?way=${encodeURIComponent(way)}`;
}
