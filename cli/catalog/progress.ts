//! What a command is doing, on standard error: at once on a terminal, elsewhere after two seconds.
//! Standard output stays free for results.

import type { Step } from "./store.ts";

const QUIET_MS = 2000;
const TICK_MS = 250;
const BAR_CHARACTERS = 20;

/** Runs a step, tells that it runs, and afterwards how long it took if anybody had to wait. */
export const step: Step = async (name, work) => {
  const terminal = process.stderr.isTTY;
  const began = performance.now();
  const seconds = () => `${((performance.now() - began) / 1000).toFixed(1)} s`;
  let told = false;
  let part: number | null = null;
  const tell = () => {
    if (terminal) process.stderr.write(`\r\x1b[K… ${name}${part === null ? "" : ` ${bar(part)}`}, ${seconds()}`);
    else if (!told && performance.now() - began >= QUIET_MS) process.stderr.write(`… ${name}\n`);
    told ||= performance.now() - began >= QUIET_MS;
  };
  tell();
  const ticker = setInterval(tell, TICK_MS);
  let mark = "✗";
  try {
    const result = await work((done) => {
      part = done;
      tell();
    });
    mark = "✓";
    return result;
  } finally {
    clearInterval(ticker);
    if (terminal) process.stderr.write("\r\x1b[K");
    if (performance.now() - began >= QUIET_MS) process.stderr.write(`${mark} ${name}, ${seconds()}\n`);
  }
};

/** `[#####               ] 25 %`. */
function bar(part: number): string {
  return `[${"#".repeat(Math.round(part * BAR_CHARACTERS)).padEnd(BAR_CHARACTERS)}] ${Math.round(part * 100)} %`;
}
