//! Counts the WebAssembly instructions of a decision. The count has no noise and is equal on every machine. It says
//! nothing about the time of an instruction.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { compiler } from "../../cli/module.ts";
import { ROOT, TOOL_ENV } from "../../cli/tools.mjs";
import { ANSWER } from "../../worker/src/wasm/abi.ts";
import { Instance, isTrue, type Serving } from "../../worker/src/wasm/instance.ts";
import { type Document, generate } from "../catalogs/generate.ts";
import { ZONES } from "../catalogs/zones.ts";
import { compile } from "../decide/module.ts";
import { mix } from "../requests/mix.ts";
import { NOW_MS } from "../requests/now.ts";
import { WORST } from "./hostile.ts";
import { touched } from "./touched.ts";

/** Counts by name, such as the instructions of a decision or the cache lines it touches. Means over the requests. */
export type Counts = Record<string, number>;

const MODULE = fileURLToPath(new URL("../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm", import.meta.url));
const BODIES = ["0.6k", "3.8k", "25k", "no-bid"];

type Counting = Serving & { executed: WebAssembly.Global<"i64"> };

/**
 * The module at path `wasm`, changed to count its instructions in the global `executed`. See
 * `crates/xtask/src/count.rs`.
 */
export function counting(wasm: string): WebAssembly.Module {
  const counted = join(ROOT, "target/bench/counting.wasm");
  mkdirSync(dirname(counted), { recursive: true });
  execFileSync("cargo", ["xtask", "count", wasm, counted], { cwd: ROOT, env: TOOL_ENV, stdio: "pipe" });
  return new WebAssembly.Module(readFileSync(counted));
}

/** The built module, changed to count. */
export function countingModule(): WebAssembly.Module {
  return counting(MODULE);
}

export function counts(): Counts {
  const wasm = countingModule();
  const texts = mix();
  const bodies = BODIES.map((name) => [name, readFileSync(new URL(`../bodies/${name}.json`, import.meta.url), "utf8")]);
  const few = new Decisions(wasm, 1000);
  const none = new Decisions(wasm, 0);
  const { code_bytes, snapshot_lines } = touched(MODULE, 1000, texts);
  return {
    "loading 1,000 campaigns": few.loading,
    "the mix, 1,000 campaigns": few.mean(texts),
    "the mix, no campaigns": none.mean(texts),
    ...Object.fromEntries(bodies.map(([name = "", text = ""]) => [`${name}, 1,000 campaigns`, few.mean([text])])),
    [`the worst known request beyond reading it, 1,000 campaigns: ${WORST.name}`]: few.beyondReading([WORST.text]),
    "bytes of code that a decision of the mix touches": code_bytes,
    "lines of the snapshot that it touches": snapshot_lines,
  };
}

/** The counts for the goals: the mix with and without campaigns, and the worst known request relative to the mix. */
export function instructionChecks(): Record<string, number> {
  const wasm = countingModule();
  const [few, none] = [new Decisions(wasm, 1000), new Decisions(wasm, 0)];
  const texts = mix();
  const mean = few.mean(texts);
  return {
    "decide.instructions_1000": mean,
    "decide.instructions_0": none.mean(texts),
    "decide.instructions_worst": few.beyondReading([WORST.text]) / mean,
  };
}

/** A counting instance with a loaded catalog. */
export class Decisions {
  readonly loading: number;
  readonly #instance: Instance<Counting>;

  /** `change` edits the generated catalog before it is compiled. */
  constructor(wasm: WebAssembly.Module, campaigns: number, change: (catalog: Document) => Document = (same) => same) {
    const document = new TextEncoder().encode(JSON.stringify(change(generate(campaigns))));
    const snapshot = compile(compiler, document, ZONES);
    this.#instance = new Instance<Counting>(wasm);
    const before = this.#executed;
    const { exports } = this.#instance;
    if (!isTrue(exports.load(this.#instance.put(snapshot), 0, 0))) throw new Error("the snapshot is refused");
    this.loading = this.#executed - before;
  }

  /** Mean instructions of a decision. Each request runs twice; the second, warm run counts. */
  mean(texts: string[]): number {
    this.#decide(texts);
    const before = this.#executed;
    this.#decide(texts);
    return Math.round((this.#executed - before) / texts.length);
  }

  /** Mean instructions beyond reading. With everything stopped, a decision reads as much and ends at the gate. */
  beyondReading(texts: string[]): number {
    const { exports } = this.#instance;
    const whole = this.mean(texts);
    exports.stop(0, 1);
    const reading = this.mean(texts);
    exports.stop(0, 0);
    return whole - reading;
  }

  /** Makes bids carry notice URLs. `settings`: see `set_notices` in `crates/bidder-wasm/src/abi`. */
  useNotices(settings: string): void {
    this.#instance.exports.set_notices(this.#put(settings));
    const { errors = [] } = this.#instance.outputJson<{ errors?: string[] }>();
    if (errors.length > 0) throw new Error(errors.join("; "));
  }

  /** Gives every campaign with a budget the share in the line that `line` makes of it. */
  useShares(line: (budget: { key: string }) => string, madeMs: number): void {
    const { exports } = this.#instance;
    exports.budgets();
    const { budgets } = this.#instance.outputJson<{ budgets: { key: string }[] }>();
    const text = [madeMs, ...budgets.map(line)].map((part) => `${part}\n`).join("");
    if (!isTrue(exports.set_shares(this.#put(text)))) throw new Error("the shares are refused");
  }

  /** The response to each request; null for a status without a body. */
  responses(texts: string[]): (string | null)[] {
    return texts.map((text) => {
      const isAnswered = (this.#decideOn(text) & ANSWER.STATUS) === 200;
      return isAnswered ? new TextDecoder().decode(this.#instance.output()) : null;
    });
  }

  /** Mean instructions of reading a notice, given by the end of its URL. */
  readingNotices(urls: string[]): number {
    const read = () => {
      for (const url of urls) this.#instance.exports.notice(this.#put(url), NOW_MS);
    };
    read();
    const before = this.#executed;
    read();
    return Math.round((this.#executed - before) / urls.length);
  }

  #decide(texts: string[]): void {
    for (const text of texts) this.#decideOn(text);
  }

  #decideOn(text: string): number {
    return this.#instance.exports.decide(this.#put(text), 0, NOW_MS, 1, 2, 0, 0);
  }

  #put(text: string): number {
    return this.#instance.put(new TextEncoder().encode(text));
  }

  get #executed(): number {
    return Number(this.#instance.exports.executed.value);
  }
}
