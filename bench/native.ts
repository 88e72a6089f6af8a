//! Starts the native program of a suite and sends it commands, so that native code and workerd can take turns. The
//! protocol is in `measure/src/partner.rs`.

import { createInterface } from "node:readline";
import { Failure, start } from "../cli/process.mjs";

export class Native {
  /** The names of everything that the program can run. The protocol uses the positions in this list. */
  readonly names: readonly string[];
  readonly #inputs: readonly string[];
  readonly #child: ReturnType<typeof start>;
  readonly #lines: AsyncIterator<string>;

  private constructor(
    names: string[],
    inputs: readonly string[],
    child: ReturnType<typeof start>,
    lines: AsyncIterator<string>,
  ) {
    this.names = names;
    this.#inputs = inputs;
    this.#child = child;
    this.#lines = lines;
  }

  /** Starts the program with these files as arguments. `inputs`: the names of its inputs, in its order. */
  static async start(program: string, paths: string[], inputs: readonly string[]): Promise<Native> {
    const child = start(program, paths, { stdio: ["pipe", "pipe", "inherit"] });
    if (!child.stdout) throw new Failure(`${program} has no standard output`);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const names: string[] = [];
    for (let name = await next(lines); name !== ""; name = await next(lines)) names.push(name);
    return new Native(names, inputs, child, lines);
  }

  /** Runs for a while without measuring. */
  async warm(name: string, input: string): Promise<void> {
    await this.ask("warm", name, input);
  }

  /** Mean microseconds of one batch. */
  async measure(name: string, input: string): Promise<number> {
    return Number(await this.ask("measure", name, input));
  }

  /** Sends any command and returns the answer. */
  ask(command: string, name: string, input: string): Promise<string> {
    this.#child.stdin?.write(`${command} ${this.names.indexOf(name)} ${this.#inputs.indexOf(input)}\n`);
    return next(this.#lines);
  }

  /** Closes the input, which ends the program. */
  stop(): void {
    this.#child.stdin?.end();
  }
}

async function next(lines: AsyncIterator<string>): Promise<string> {
  const { value, done } = await lines.next();
  if (done) throw new Failure("the native program ended early");
  return value;
}
