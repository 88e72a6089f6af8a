//! Declares commands, and reads the values of options that several commands have.

import { type Command, InvalidArgumentError } from "commander";
import { A_TIME, timeIn } from "../shared/time/days.ts";

/** Adds a command to a group. `help` is printed below its options. */
export function command(group: Command, name: string, description: string, help = ""): Command {
  return group.command(name).description(description).addHelpText("after", help);
}

/**
 * The action of a command: the function of this name in a file, whose number, if it returns one, is the exit status. The
 * file is loaded only when the command runs, because it needs the built modules: `--help` must work before the first
 * build.
 */
export function action<M>(load: () => Promise<M>, name: keyof M): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    const run = (await load())[name] as (...given: unknown[]) => unknown;
    // commander passes the command itself after the options.
    const status = await run(...given.slice(0, -1));
    if (typeof status === "number") process.exitCode = status;
  };
}

/** A whole number above 0. */
export function count(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError("expected a whole number above 0");
  return number;
}

/** A whole number of seconds above 0, for a timer of Node: at most 2^31 ms. */
export function seconds(text: string): number {
  const number = count(text);
  if (number > 2_000_000) throw new InvalidArgumentError("expected at most 2000000 seconds, which are 23 days");
  return number;
}

/** A whole number from 0 to 2^32 - 1. */
export function seed(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number >= 2 ** 32) throw new InvalidArgumentError("expected a whole number below 2^32");
  return number;
}

/** Reads a share in per cent: `10%`, `10` or `0.5 %`. `0.5` alone is refused, because it could mean one half. */
export function percent(text: string): number {
  const number = Number(/^(?:\d+(?:\.\d+)?\s*%|\d+)$/.test(text) ? text.replace("%", "") : Number.NaN);
  if (!(number <= 100)) throw new InvalidArgumentError("expected a share such as 10% or 0.5%, from 0% to 100%");
  return number;
}

/** Reads a time in ISO 8601 as milliseconds since the epoch. */
export function time(text: string): number {
  const ms = timeIn(text);
  if (ms === undefined) throw new InvalidArgumentError(`expected ${A_TIME}`);
  return ms;
}
