//! The Worker's code, bundled once for each class and once for its routes. All instances run the same functions, so that
//! V8 optimizes them once. Each instance has variables of its own: they change places when another one has its turn.

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join, relative } from "node:path";
import { Script } from "node:vm";
import { build, type Plugin } from "esbuild";
import { ROOT } from "../../../../build/tools.mjs";
import { type Change, changed } from "./change.ts";
import { defective } from "./defective.ts";
import { globals } from "./globals.ts";

/** The variables of a bundle: makes them as they are at the start, reads them, and replaces them. */
interface Variables {
  make(): void;
  get(): unknown[];
  set(values: unknown[]): void;
}

/** A bundle that runs for one instance at a time. */
export class Program {
  readonly exports: Record<string, unknown>;
  readonly #variables: Variables;
  readonly #kept = new WeakMap<object, unknown[]>();
  #instance: object | undefined;

  constructor(exports: Record<string, unknown>, variables: Variables) {
    [this.exports, this.#variables] = [exports, variables];
  }

  /** From now on, the code uses the variables of this instance. */
  serve(instance: object): void {
    if (this.#instance === instance) return;
    if (this.#instance) this.#kept.set(this.#instance, this.#variables.get());
    this.#instance = instance;
    const kept = this.#kept.get(instance);
    if (kept) this.#variables.set(kept);
    else this.#variables.make();
  }
}

/** The file of each class, below `worker/src`; `Worker` has the routes. */
const ENTRIES = {
  Worker: "index.ts",
  Ledger: "ledger/ledger.ts",
  Summary: "ledger/summary.ts",
  Pacer: "pacing/pacer.ts",
  Relay: "pacing/relay.ts",
  Frequency: "frequency/frequency.ts",
  Deals: "deals/deals.ts",
};

/** `Pacers`: a pacer that spreads the few budgets of a world over several. */
export type Part = keyof typeof ENTRIES | "Pacers";
export type Programs = Record<Part, Program>;

/** Objects of the ledger for each day: fewer than on an account, because the pacer and each report call all of them. */
export const SHARDS = 4;
const FEWER = { from: "export const LEDGER_SHARDS = 32;", to: `export const LEDGER_SHARDS = ${SHARDS};` };
/** So few pairs that the budgets of a world are spread over pacers. */
const SPREAD = { from: "export const PACER_PAIRS = 8000;", to: "export const PACER_PAIRS = 20;" };

/** Bundles the Worker of a checkout with built modules, perhaps with a change. */
export async function programs(checkout = ROOT, change?: Change): Promise<Programs> {
  if (change?.file.endsWith(".rs")) {
    const copy = defective(checkout, change);
    // Each defect is built in the same copy.
    for (const path of modules.keys()) if (path.startsWith(copy)) modules.delete(path);
    return programs(copy);
  }
  // Older builds have their limits in another place, and may have one pacer only.
  const file = ["shared/limits.ts", "worker/src/limits.ts"].find((path) => existsSync(join(checkout, path))) as string;
  const canSpread = readFileSync(join(checkout, file), "utf8").includes(SPREAD.from);
  const changes = [...(change ? [change] : []), { file, ...FEWER }];
  const spread = canSpread ? [...changes, { file, ...SPREAD }] : changes;
  const all = await bundled(checkout, ENTRIES, changes);
  const pacers = await bundled(checkout, { Pacers: ENTRIES.Pacer }, spread);
  return Object.fromEntries([...all, ...pacers]) as Programs;
}

async function bundled(checkout: string, files: Record<string, string>, changes: Change[]) {
  const entries = Object.entries(files).map(([out, file]) => ({ in: join(checkout, "worker/src", file), out }));
  const { outputFiles } = await build({
    // An older checkout has no class for deals, and no world has deals.
    entryPoints: entries.filter((entry) => existsSync(entry.in)),
    bundle: true,
    format: "cjs",
    target: "es2024",
    outdir: "/",
    write: false,
    external: ["node:*", "cloudflare:*", "*.wasm"],
    plugins: [changing(checkout, changes)],
  });
  return outputFiles.map(({ path, text }) => [basename(path, ".js"), programOf(text, path, checkout)] as const);
}

function changing(checkout: string, changes: Change[]): Plugin {
  return {
    name: "change",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const own = changes.filter(({ file }) => file === relative(checkout, path));
        if (own.length === 0) return undefined;
        return { contents: own.reduce(changed, readFileSync(path, "utf8")), loader: "ts" };
      });
    },
  };
}

/** What the runtime passes to the constructor of an object. */
class DurableObject {
  ctx: unknown;
  env: unknown;

  constructor(ctx: unknown, env: unknown) {
    [this.ctx, this.env] = [ctx, env];
  }
}

const ofNode = createRequire(import.meta.url);
const modules = new Map<string, unknown>([["cloudflare:workers", { DurableObject }]]);

function required(checkout: string, name: string): unknown {
  if (!name.endsWith(".wasm")) return modules.get(name) ?? ofNode(name);
  const file = basename(name);
  const path = join(checkout, "crates", file.replace(/_bg\.wasm$/, "").replace("_", "-"), "pkg", file);
  let module = modules.get(path);
  if (module === undefined) {
    module = new WebAssembly.Module(readFileSync(path));
    modules.set(path, module);
  }
  return module;
}

// What workerd has, and Node 24 not yet.
const bytes: { fromBase64?: (text: string) => Uint8Array } = Uint8Array as never;
bytes.fromBase64 ??= (text) => new Uint8Array(Buffer.from(text, "base64"));

/**
 * The variables at the top level of a bundle, with their first values. Their names begin with a small letter. Those of
 * constants and of classes do not, and functions are harmless.
 */
const VARIABLE = /^var ([a-z]\w*)(?: = ([\s\S]*?))?;\n(?=\n*(?:var |async |function|\/\/ |module\.exports))/gm;
const UNCHANGED = /^import_|_(?:default|exports)$/;

/** The program of a bundle in the format of CommonJS, with the modules of a checkout. */
export function programOf(text: string, filename: string, checkout = ROOT): Program {
  const variables = [...text.matchAll(VARIABLE)].filter(([, name = ""]) => !UNCHANGED.test(name));
  const names = variables.map(([, name]) => name).join(", ");
  // Taking an array apart by its iterator would take ten times as long.
  const others = variables.map(([, name], at) => `${name} = values[${at}];`).join(" ");
  const first = variables.map(([, name, value]) => `${name} = ${value ?? "undefined"};`).join("\n");
  const code = `(function (module, require, ${Object.keys(globals).join(", ")}) {${text}
return { make() { ${first} }, get: () => [${names}], set(values) { ${others} } };
})`;
  const module = { exports: {} };
  const run = new Script(code, { filename }).runInThisContext();
  const made = run(module, (name: string) => required(checkout, name), ...Object.values(globals));
  return new Program(module.exports, made);
}
