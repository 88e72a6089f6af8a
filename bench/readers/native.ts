//! The native side of the suite: the program `bench-readers-native` as a partner that is told on its
//! standard input what to do next, so that it and workerd can take turns.

import { createInterface } from "node:readline";
import { Failure, start } from "../../cli/process.mjs";

export class Native {
  /** The readers it has; a reader's place is its number. */
  readonly readers: readonly string[];
  readonly #child: ReturnType<typeof start>;
  readonly #lines: AsyncIterator<string>;

  private constructor(readers: string[], child: ReturnType<typeof start>, lines: AsyncIterator<string>) {
    this.readers = readers;
    this.#child = child;
    this.#lines = lines;
  }

  /** Starts the program with these bodies, which are called by number from then on. */
  static async start(program: string, paths: string[]): Promise<Native> {
    const child = start(program, paths, { stdio: ["pipe", "pipe", "inherit"] });
    if (!child.stdout) throw new Failure(`${program} has no output`);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const readers: string[] = [];
    for (let name = await next(lines); name !== ""; name = await next(lines)) readers.push(name);
    return new Native(readers, child, lines);
  }

  /** Reads for a while without measuring. */
  async warm(reader: string, body: number): Promise<void> {
    await this.#ask("warm", reader, body);
  }

  /** Mean microseconds per read of one batch. */
  async measure(reader: string, body: number): Promise<number> {
    return Number(await this.#ask("measure", reader, body));
  }

  /** Lets the program end. */
  stop(): void {
    this.#child.stdin?.end();
  }

  #ask(command: string, reader: string, body: number): Promise<string> {
    this.#child.stdin?.write(`${command} ${this.readers.indexOf(reader)} ${body}\n`);
    return next(this.#lines);
  }
}

async function next(lines: AsyncIterator<string>): Promise<string> {
  const { value, done } = await lines.next();
  if (done) throw new Failure("bench-readers-native ended early");
  return value;
}
