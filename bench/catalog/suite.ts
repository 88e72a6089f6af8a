//! `npm run bench -- catalog`: validates and compiles a catalog where it is pushed, and loads it where it serves.
//! For comparison it also measures `JSON.parse` of the same document.
//!
//! Most of *load* is the first touch of fresh memory: the system handles a page fault for every 4 KB. JavaScript parses
//! into memory that was touched before.

import { compiler } from "../../cli/module.ts";
import { json, type RunningScript, startScript } from "../../cli/workerd.ts";
import { compile } from "../../worker/src/catalog/compile.ts";
import { generate } from "../catalogs/generate.ts";
import { Progress } from "../progress.ts";
import type { Suite } from "../suite.ts";
import { takeTurn } from "../turns.ts";
import { analysis, catalogTable, checks, figures, type Measured, rows } from "./rows.ts";

const COUNTS = [10, 1000, 10_000, 50_000];
const TURNS = 25;
const QUICK_TURNS = 3;
/**
 * Number of compiles. Each takes seconds, so there are few. Each uses a new instance of the module, like the command.
 */
const COMPILES = 3;
const WORKER = new URL("worker.ts", import.meta.url);

export const catalog: Suite = {
  name: "catalog",
  summary: "compiling and loading catalogs of 10 to 50,000 campaigns, beside JSON.parse",

  async run({ quick }) {
    const progress = new Progress();
    const catalogs = COUNTS.map((campaigns, at) => {
      progress.show(at, COUNTS.length * 2, `compiling ${campaigns} campaigns`);
      return compiled(campaigns, quick ? 1 : COMPILES);
    });
    const script = await startScript(WORKER);
    try {
      const measured: Measured[] = [];
      for (const [at, one] of catalogs.entries()) {
        progress.show(COUNTS.length + at, COUNTS.length * 2, `loading ${one.campaigns} campaigns`);
        measured.push(await loaded(script, one, quick ? QUICK_TURNS : TURNS));
      }
      progress.end();
      const found = rows(measured);
      return {
        checks: checks(found),
        analysis: analysis(found),
        figures: figures(found),
        tables: [catalogTable(found)],
        rows: found,
      };
    } finally {
      await script.stop();
    }
  },
};

interface Compiled {
  campaigns: number;
  document: string;
  snapshot: Uint8Array<ArrayBuffer>;
  compile_ms: number[];
}

/** Compiles in this process, as `edgebid catalog validate` and `push` do. */
function compiled(campaigns: number, times: number): Compiled {
  const document = JSON.stringify(generate(campaigns));
  const bytes = new TextEncoder().encode(document);
  let snapshot = new Uint8Array(0);
  const compile_ms = Array.from({ length: times }, () => {
    const began = performance.now();
    ({ snapshot } = compile(bytes, compiler));
    return performance.now() - began;
  });
  return { campaigns, document, snapshot, compile_ms };
}

async function loaded(script: RunningScript, one: Compiled, turns: number): Promise<Measured> {
  const { campaigns, document, snapshot, compile_ms } = one;
  const name = `c${campaigns}`;
  await script.fetch(`/document?catalog=${name}`, { method: "PUT", body: document });
  await script.fetch(`/snapshot?catalog=${name}`, { method: "PUT", body: snapshot });
  const path = (what: string, way: string) => `/${what}?catalog=${name}&way=${way}`;
  const ways = ["load", "parse"].map((way) => ({ way, wasm: [] as number[], native: [] as number[] }));
  for (const { way } of ways) await script.fetch(path("warm", way), { method: "POST" });
  for (let turn = 0; turn < turns; turn++) {
    await takeTurn(
      ways,
      turn,
      ({ way }) => json<number>(script, path("batch", way), { method: "POST" }),
      () => null,
    );
  }
  const [load_us = [], parse_us = []] = ways.map(({ wasm }) => wasm);
  const sizes = { document_bytes: document.length, snapshot_bytes: snapshot.byteLength };
  return { campaigns, ...sizes, compile_ms, load_us, parse_us };
}
