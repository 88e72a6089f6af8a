//! The simulator's platform does what workerd does: one table of assumptions, and two runners. What cannot be steered in
//! workerd is not here, such as a disk that fails or a write that is not durable yet.

import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningScript, startScript } from "../workerd.ts";
import { ASSUMPTIONS, type Calls, type Runner } from "./simulate/assumptions.ts";
import { Platform, type Reply } from "./simulate/platform/platform.ts";
import { type Programs, programOf } from "./simulate/platform/program.ts";
import { healed } from "./simulate/platform/rates.ts";
import { World } from "./simulate/platform/world.ts";

const PROBE = new URL("../../worker/test/support/probe.ts", import.meta.url);

function bodyOf(object: string, calls: Calls["calls"]): RequestInit {
  return { method: "POST", body: JSON.stringify({ object, calls } satisfies Calls) };
}

describe("workerd", () => {
  let script: RunningScript;

  beforeAll(async () => {
    script = await startScript(PROBE, {}, { durableObjects: { LEDGER: "Ledger" } });
  });

  afterAll(() => script.stop());

  const runner: Runner = {
    call: async (object, ...calls) => (await script.fetch("/", bodyOf(object, calls))).json() as never,
    wait: (ms) => sleep(ms),
  };

  for (const { name, observe, expected } of ASSUMPTIONS) {
    test.concurrent(name, async () => expect(await observe(runner, name)).toEqual(expected));
  }
});

describe("the simulator", () => {
  let code: Programs;

  beforeAll(async () => {
    const { outputFiles } = await build({
      ...{ entryPoints: [PROBE.pathname], bundle: true, format: "cjs", target: "es2024", write: false },
      external: ["cloudflare:*"],
    });
    const program = programOf(outputFiles[0]?.text ?? "", "probe.js");
    code = { Worker: program, Ledger: program } as Programs;
  });

  for (const { name, observe, expected } of ASSUMPTIONS) {
    test(name, async () => {
      for (let seed = 1; seed <= 20; seed++)
        expect(await observe(simulated(seed), name), `seed ${seed}`).toEqual(expected);
    });
  }

  function simulated(seed: number): Runner {
    const world = new World(seed, Date.parse("2026-11-24T12:00:00Z"), false);
    const platform = new Platform(world, () => code, healed(), {});
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
});
