//! Shows on standard error what a command is doing: at once on a terminal, elsewhere after two seconds. Standard output
//! is only for results.

import type { Step } from "./store.ts";

const QUIET_MS = 2000;
const TICK_MS = 250;
const BAR_CHARACTERS = 20;

/** Runs a step and shows that it runs. A step of two seconds or more also shows its time at the end. */
export const step: Step = async (name, work) => {
  const terminal = process.stderr.isTTY;
  const began = performance.now();
  const seconds = () => `${((performance.now() - began) / 1000).toFixed(1)} s`;
  let shown = false;
  let part: number | null = null;
  let about = "";
  const show = () => {
    if (terminal)
      process.stderr.write(`\r\x1b[K… ${name}${part === null ? "" : ` ${bar(part)}`}, ${seconds()}${about}`);
    else if (!shown && performance.now() - began >= QUIET_MS) process.stderr.write(`… ${name}\n`);
    shown ||= performance.now() - began >= QUIET_MS;
  };
  show();
  const ticker = setInterval(show, TICK_MS);
  let mark = "✗";
  try {
    const result = await work((done, note) => {
      part = done;
      about = note === undefined ? "" : `, ${note}`;
      show();
    });
    mark = "✓";
    return result;
  } finally {
    clearInterval(ticker);
    if (terminal) process.stderr.write("\r\x1b[K");
    if (performance.now() - began >= QUIET_MS) process.stderr.write(`${mark} ${name}, ${seconds()}${about}\n`);
  }
};

/** `[#####               ] 25 %`. */
function bar(part: number): string {
  return `[${"#".repeat(Math.round(part * BAR_CHARACTERS)).padEnd(BAR_CHARACTERS)}] ${Math.round(part * 100)} %`;
}
