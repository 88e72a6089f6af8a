//! The simulator's platform does what workerd does: one table of assumptions, and the same calls and ends of the ledger's
//! object from twenty seeds, on two runners. What cannot be steered in workerd is not here, such as a disk that fails or
//! a write that is not durable yet.

import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dayAt } from "../../shared/time/days.ts";
import { now } from "../../worker/test/support/clock.ts";
import { type RunningScript, startScript } from "../workerd.ts";
import { ASSUMPTIONS, type Calls, type Runner } from "./simulate/assumptions.ts";
import { replay } from "./simulate/histories.ts";
import type { Init } from "./simulate/platform/http.ts";
import { Platform, type Reply } from "./simulate/platform/platform.ts";
import { type Programs, programOf } from "./simulate/platform/program.ts";
import { healed } from "./simulate/platform/rates.ts";
import { World } from "./simulate/platform/world.ts";

const PROBE = new URL("../../worker/test/support/probe.ts", import.meta.url);
const LEDGER_PROBE = new URL("../../worker/test/support/ledger-probe.ts", import.meta.url);
const SEEDS = Array.from({ length: 20 }, (_, n) => n + 1);

let [script, ledgerScript]: RunningScript[] = [];
let [code, ledgerCode]: Programs[] = [];

beforeAll(async () => {
  script = await startScript(PROBE, {}, { durableObjects: { LEDGER: "Ledger" } });
  ledgerScript = await startScript(LEDGER_PROBE, {}, { durableObjects: { LEDGER: "Ledger", SUMMARY: "Summary" } });
  [code, ledgerCode] = [await programsOf(PROBE), await programsOf(LEDGER_PROBE)];
});

afterAll(() => Promise.all([script?.stop(), ledgerScript?.stop()]));

for (const { name, observe, expected } of ASSUMPTIONS) {
  test.concurrent(`workerd: ${name}`, async () => expect(await observe(real(script), name)).toEqual(expected));
  test(`the simulator: ${name}`, async () => {
    for (const seed of SEEDS) expect(await observe(simulated(code, seed), name), `seed ${seed}`).toEqual(expected);
  });
}

describe("the ledger's object", () => {
  const began = now();
  const day = dayAt(began);

  test.each(SEEDS)("answers and writes the same in workerd and in the simulator, seed %d", async (seed) => {
    const [one, other] = [
      await replay(real(ledgerScript), seed, day),
      await replay(simulated(ledgerCode, seed, began), seed, day),
    ];
    expect(one).toEqual(other);
  });
});

function bodyOf(object: string, calls: Calls["calls"]): Init {
  return { method: "POST", body: JSON.stringify({ object, calls } satisfies Calls) };
}

function real(running: RunningScript | undefined): Runner {
  if (running === undefined) throw new Error("workerd has not started");
  return {
    call: async (object, ...calls) => (await running.fetch("/", bodyOf(object, calls))).json() as never,
    wait: (ms) => sleep(ms),
  };
}

/** A probe for the simulator. */
async function programsOf(entry: URL): Promise<Programs> {
  const { outputFiles } = await build({
    ...{ entryPoints: [entry.pathname], bundle: true, format: "cjs", target: "es2024", write: false },
    external: ["cloudflare:*"],
  });
  const program = programOf(outputFiles[0]?.text ?? "", "probe.js");
  return { Worker: program, Ledger: program, Summary: program } as Programs;
}

function simulated(programs: Programs | undefined, seed: number, now = Date.parse("2026-11-24T12:00:00Z")): Runner {
  if (programs === undefined) throw new Error("the probe is not built");
  const world = new World(seed, now, false);
  const platform = new Platform(world, () => programs, healed(), {});
  const isolate = platform.isolate(0, "EU");
  return {
    call: async (object, ...calls) => {
      const answered = (done: (reply: Reply) => void) => platform.fetch(isolate, "/", bodyOf(object, calls), done);
      const reply = await world.complete(new Promise(answered));
      return JSON.parse(reply?.text ?? "null");
    },
    wait: (ms) => world.until(world.now + ms),
  };
}
