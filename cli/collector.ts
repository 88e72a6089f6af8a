//! A collector for tests and benchmarks, on loopback: takes posts as they come, chunked or sized, gzip or not, and hands over
//! each line while it arrives. It can be told to fail, to hang, and to be away.

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { createGunzip } from "node:zlib";

/**
 * Ports that no system gives to outgoing connections: one that tries to reach a stopped collector could be given the collector's
 * own port, and then reaches itself.
 */
const FIRST_PORT = 20_000;
const PORTS = 10_000;
const ATTEMPTS = 20;
const PAUSE_MS = 100;

/** One post that came whole and was answered with 204. */
export interface Taken {
  lines: string[];
  /** Of the body as it came. */
  bytes: number;
  isSized: boolean;
  idempotencyKey: string;
}

/** What becomes of a post: taken, taken but answered with 503, refused with 503 before it is read, or never answered. */
export type Fate = "take" | "fail-late" | "fail" | "hang";

export interface CollectorOptions {
  /** Decides on each post; without, all are taken. */
  fate?: () => Fate;
  /** Hears each post that came whole, whatever it is answered. */
  hear?: (post: Taken) => void;
  /** Hears each line; without, a post has its lines. */
  line?: (line: string) => void;
}

export class Collector {
  /** Posts by what became of them. */
  readonly fates: Record<Fate, number> = { take: 0, "fail-late": 0, fail: 0, hang: 0 };
  readonly #options: CollectorOptions;
  #server: Server | undefined;
  #port = 0;

  constructor(options: CollectorOptions = {}) {
    this.#options = options;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/events`;
  }

  /** Listens, from the second time on at the same port. */
  async start(): Promise<void> {
    const server = createServer((request, response) => void this.#answer(request, response));
    for (let attempt = 1; ; attempt++) {
      const port = this.#port || FIRST_PORT + Math.floor(Math.random() * PORTS);
      server.listen(port, "127.0.0.1");
      try {
        await once(server, "listening");
        this.#port = port;
        break;
      } catch (error) {
        if (attempt === ATTEMPTS) throw error;
        await new Promise((done) => setTimeout(done, PAUSE_MS));
      }
    }
    this.#server = server;
  }

  /** Drops every connection, in the midst of a post if there is one. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fate = this.#options.fate?.() ?? "take";
    this.fates[fate]++;
    if (fate === "hang") return;
    if (fate === "fail") {
      request.resume();
      response.writeHead(503).end();
      return;
    }
    try {
      const post = await this.#read(request);
      this.#options.hear?.(post);
      response.writeHead(fate === "take" ? 204 : 503).end();
    } catch {
      // Cut off: nobody is there to be answered.
      response.destroy();
    }
  }

  async #read(request: IncomingMessage): Promise<Taken> {
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.byteLength;
    });
    const isGzip = request.headers["content-encoding"] === "gzip";
    const text = request.pipe(isGzip ? createGunzip() : new PassThrough());
    const lines: string[] = [];
    const hear = this.#options.line ?? ((line: string) => lines.push(line));
    const cut = once(request, "close").then(() => {
      if (!request.complete) text.destroy(new Error("cut off"));
    });
    let rest = "";
    // By line feeds alone: a line of JSON may hold what other separators there are.
    for await (const chunk of text.setEncoding("utf8")) {
      const parts = (rest + chunk).split("\n");
      rest = parts.pop() ?? "";
      for (const line of parts) hear(line);
    }
    if (rest !== "") hear(rest);
    await cut;
    if (!request.complete) throw new Error("cut off");
    const { "content-length": length, "idempotency-key": key } = request.headers;
    return { lines, bytes, isSized: length !== undefined, idempotencyKey: String(key) };
  }
}
