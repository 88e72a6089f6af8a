import { compiler } from "../cli/module.ts";
import { Instance, isTrue, type Serving } from "../worker/src/module.ts";
import { generate } from "./catalogs/generate.ts";
import { ZONES } from "./catalogs/zones.ts";
import { compile } from "./decide/module.ts";
import { counting } from "./instructions/count.ts";
import { mix } from "./requests/mix.ts";
import { NOW_MS } from "./requests/now.ts";
import { fileURLToPath } from "node:url";
import { readFileSync } from "node:fs";
const MODULE = fileURLToPath(new URL("../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm", import.meta.url));
const wasm = counting(MODULE);
function open(n: number) {
  const snapshot = compile(compiler, new TextEncoder().encode(JSON.stringify(generate(n))), ZONES);
  const instance = new Instance<any>(wasm);
  if (!isTrue(instance.exports.load(instance.put(snapshot), 0, 0))) throw new Error("refused");
  return instance;
}
const texts = mix();
for (const b of ["0.6k","3.8k","25k","100k","no-bid"]) try { texts.push(readFileSync(new URL(`./bodies/${b}.json`, import.meta.url), "utf8")) } catch {}
const enc = new TextEncoder();
const all: Record<number, number[]> = {};
for (const n of [0, 1000, 50000]) {
  const i = open(n);
  all[n] = texts.map((t) => {
    const body = enc.encode(t);
    i.exports.decide(i.put(body), 0, NOW_MS, 1, 2);
    const before = Number(i.exports.executed.value);
    const len = i.put(body);
    i.exports.decide(len, 0, NOW_MS, 1, 2);
    return Number(i.exports.executed.value) - before;
  });
}
const mean = (a: number[]) => Math.round(a.reduce((x, y) => x + y, 0) / a.length);
console.log("means", Object.entries(all).map(([n, a]) => `${n}: ${mean(a.slice(0, 764))}`).join("  "));
for (const n of [1000, 50000]) {
  const beyond = all[n]!.map((v, k) => ({ v: v - all[0]![k]!, k, bytes: texts[k]!.length })).sort((a, b) => b.v - a.v);
  console.log(n, "mean beyond", mean(beyond.map((b) => b.v)), "top", beyond.slice(0, 12).map((b) => `${b.v} (#${b.k}, ${b.bytes} B, ${JSON.parse(texts[b.k]!).imp.length} imps)`).join("\n   "));
}
{
  const i = open(1000), z = open(0);
  for (const k of [445, 767, 269, 390, 561, 648, 492]) {
    const body = enc.encode(texts[k]!);
    const run = (x: any, b: Uint8Array) => { x.exports.decide(x.put(b), 0, NOW_MS, 1, 2); const before = Number(x.exports.executed.value); const len = x.put(b); const a = x.exports.decide(len, 0, NOW_MS, 1, 2); return [Number(x.exports.executed.value) - before, x.exports.examined(), a & 0x3fff, a >>> 16, (a & 0x8000) !== 0]; };
    // reading alone with needs: make it end at the gate with tmax 1
    const gate = JSON.parse(texts[k]!); gate.tmax = 1;
    console.log(k, "decide", run(i, body), "gate", run(i, enc.encode(JSON.stringify(gate))), "none", run(z, body));
    if (k === 445 || k >= 490) console.log(texts[k]!.slice(0, 700));
  }
}
