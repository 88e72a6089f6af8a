//! Counts the WebAssembly instructions of a decision. The count has no noise and is equal on every machine. It says
//! nothing about the time of an instruction.

import { readFileSync } from "node:fs";
import { compiler } from "../../cli/module.ts";
import { isTrue, type Serving } from "../../shared/wasm/instance.ts";
import { instrumented } from "../build.ts";
import { type Document, generate } from "../catalogs/generate.ts";
import { Bidder } from "../decide/module.ts";
import { mix } from "../requests/mix.ts";
import { NOW_MS } from "../requests/now.ts";
import { WORST } from "./hostile.ts";
import { touched } from "./touched.ts";

/** Counts by name, such as the instructions of a decision or the cache lines it touches. Means over the requests. */
export type Counts = Record<string, number>;

const BODIES = ["0.6k", "3.8k", "25k", "no-bid"];

type Counting = Serving & { executed: WebAssembly.Global<"i64"> };

export function counts(): Counts {
  const wasm = instrumented("count");
  const texts = mix();
  const bodies = BODIES.map((name) => [name, readFileSync(new URL(`../bodies/${name}.json`, import.meta.url), "utf8")]);
  const few = new Decisions(wasm, 1000);
  const none = new Decisions(wasm, 0);
  const { code_bytes, snapshot_lines } = touched(1000, texts);
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
  const wasm = instrumented("count");
  const [few, none] = [new Decisions(wasm, 1000), new Decisions(wasm, 0)];
  const texts = mix();
  const mean = few.mean(texts);
  return {
    "decide.instructions_1000": mean,
    "decide.instructions_0": none.mean(texts),
    "decide.instructions_worst": few.beyondReading([WORST.text]) / mean,
  };
}

/** A counting instance with a generated catalog. */
export class Decisions extends Bidder<Counting> {
  /** Instructions of loading the catalog. */
  readonly loading: number;

  /** `change` edits the generated catalog before it is compiled. */
  constructor(wasm: WebAssembly.Module, campaigns: number, change: (catalog: Document) => Document = (same) => same) {
    super(wasm, compiler, bytesOf(JSON.stringify(change(generate(campaigns)))));
    this.loading = this.#executed;
  }

  /** Mean instructions of a decision. */
  mean(texts: string[]): number {
    return this.#warm(texts, (text) => this.decide(bytesOf(text)));
  }

  /** Mean instructions beyond reading. With everything stopped, a decision reads as much and ends at the gate. */
  beyondReading(texts: string[]): number {
    const { exports } = this.instance;
    const whole = this.mean(texts);
    exports.stop(0, 1);
    const reading = this.mean(texts);
    exports.stop(0, 0);
    return whole - reading;
  }

  /** Makes bids carry notice URLs. `settings`: see `set_notices` in `crates/bidder-wasm/src`. */
  useNotices(settings: string): void {
    this.instance.exports.set_notices(this.instance.putText(settings));
    const { errors = [] } = this.instance.outputJson<{ errors?: string[] }>();
    if (errors.length > 0) throw new Error(errors.join("; "));
  }

  /** Gives every campaign with a budget the share in the line that `line` makes of it. */
  useShares(line: (budget: { key: string }) => string): void {
    const { exports } = this.instance;
    exports.budgets(0, 1);
    const { budgets } = this.instance.outputJson<{ budgets: { key: string }[] }>();
    const text = [NOW_MS, ...budgets.map(line)].map((part) => `${part}\n`).join("");
    if (!isTrue(exports.set_shares(this.instance.putText(text)))) throw new Error("the shares are refused");
  }

  /** The response to each request; null for a status without a body. */
  responses(texts: string[]): (string | null)[] {
    return texts.map((text) => {
      const { body } = this.decide(bytesOf(text));
      return body && new TextDecoder().decode(body);
    });
  }

  /** Mean instructions of reading a notice, given by the end of its URL. */
  readingNotices(urls: string[]): number {
    return this.#warm(urls, (url) => this.instance.exports.notice(this.instance.putText(url), NOW_MS));
  }

  /** Mean instructions of a call. Each runs twice; the second, warm run counts. */
  #warm(texts: string[], call: (text: string) => unknown): number {
    texts.forEach(call);
    const before = this.#executed;
    texts.forEach(call);
    return Math.round((this.#executed - before) / texts.length);
  }

  get #executed(): number {
    return Number(this.instance.exports.executed.value);
  }
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
