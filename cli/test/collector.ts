//! A collector on loopback for tests and benchmarks. It reads posts line by line, chunked or not, with gzip or without.
//! It can fail, hang, and be stopped.

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { createGunzip } from "node:zlib";

/**
 * Ports that systems do not use for outgoing connections. Otherwise, a connection to a stopped collector could get the
 * collector's own port, and connect to itself.
 */
const FIRST_PORT = 20_000;
const PORTS = 10_000;
const ATTEMPTS = 20;
const PAUSE_MS = 100;

/** A post that arrived completely. */
export interface Taken {
  lines: string[];
  /** Bytes of the body as it was sent. */
  bytes: number;
}

/**
 * What happens to a post. `take`: the collector reads it and answers 204. `fail-late`: the collector reads it and
 * answers 503. `fail`: the collector answers 503 and does not read it. `hang`: the collector never answers.
 */
export type Fate = "take" | "fail-late" | "fail" | "hang";

export interface CollectorOptions {
  /** Chooses what happens to each post. Without `fate`, all posts are taken. */
  fate?: () => Fate;
  /** Is called with each post that arrived completely, whatever the answer. */
  hear?: (post: Taken) => void;
  /** Is called with each line as it arrives. Without `line`, the lines are collected in the post. */
  line?: (line: string) => void;
}

export class Collector {
  /** The number of posts, by what happened to them. */
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

  /** Listens. After a stop, it listens on the same port again. */
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

  /** Stops, and drops all connections, even in the middle of a post. */
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
      // The connection was cut off, so there is nobody to answer.
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
    // Only line feeds separate the lines: a line of JSON may contain other line separators.
    for await (const chunk of text.setEncoding("utf8")) {
      const parts = (rest + chunk).split("\n");
      rest = parts.pop() ?? "";
      for (const line of parts) hear(line);
    }
    if (rest !== "") hear(rest);
    await cut;
    if (!request.complete) throw new Error("cut off");
    return { lines, bytes };
  }
}
