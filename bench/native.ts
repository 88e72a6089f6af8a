//! The native side of a suite: a program as a partner that is told on its standard input what to do
//! next, so that it and workerd can take turns. See `measure/src/partner.rs` for what is said.

import { createInterface } from "node:readline";
import { Failure, start } from "../cli/process.mjs";

export class Native {
  /** What it can run; the place is the number. */
  readonly names: readonly string[];
  readonly #child: ReturnType<typeof start>;
  readonly #lines: AsyncIterator<string>;

  private constructor(names: string[], child: ReturnType<typeof start>, lines: AsyncIterator<string>) {
    this.names = names;
    this.#child = child;
    this.#lines = lines;
  }

  /** Starts the program with these files. */
  static async start(program: string, paths: string[]): Promise<Native> {
    const child = start(program, paths, { stdio: ["pipe", "pipe", "inherit"] });
    if (!child.stdout) throw new Failure(`${program} has no output`);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const names: string[] = [];
    for (let name = await next(lines); name !== ""; name = await next(lines)) names.push(name);
    return new Native(names, child, lines);
  }

  /** Runs for a while without measuring; on the input of that number. */
  async warm(name: string, input: number): Promise<void> {
    await this.ask("warm", name, input);
  }

  /** Mean microseconds of one batch. */
  async measure(name: string, input: number): Promise<number> {
    return Number(await this.ask("measure", name, input));
  }

  /** The answer to any command. */
  ask(command: string, name: string, input: number): Promise<string> {
    this.#child.stdin?.write(`${command} ${this.names.indexOf(name)} ${input}\n`);
    return next(this.#lines);
  }

  /** Lets the program end. */
  stop(): void {
    this.#child.stdin?.end();
  }
}

async function next(lines: AsyncIterator<string>): Promise<string> {
  const { value, done } = await lines.next();
  if (done) throw new Failure("the native program ended early");
  return value;
}
