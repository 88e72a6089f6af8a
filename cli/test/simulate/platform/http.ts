//! Requests and responses with what the Worker uses of them. Those of Node cost more than most decisions.

type Sent = string | Uint8Array<ArrayBuffer> | ReadableStream | null;

/** What a request is made of. Names of headers are in small letters. */
export interface Init {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

/** A request of an exchange or of the operator, near a continent. */
export function requestOf(path: string, { method = "GET", headers = {}, body = "" }: Init, continent: string) {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body.slice();
  return {
    ...{ url: `https://bidder.example${path}`, method, cf: { continent } },
    headers: { get: (name: string) => headers[name.toLowerCase()] ?? null },
    arrayBuffer: async () => bytes.buffer,
    json: async () => JSON.parse(new TextDecoder().decode(bytes)),
  };
}

/** The `Response` of the Worker's code. */
export class Returned {
  readonly status: number;
  readonly body: Sent;
  readonly headers: unknown;

  constructor(body: Sent = null, { status = 200, headers }: { status?: number; headers?: unknown } = {}) {
    // What is sent does not change with the buffer that it was made from.
    this.body = body instanceof Uint8Array ? body.slice() : body;
    [this.status, this.headers] = [status, headers];
  }

  static json(value: unknown, init?: { status?: number; headers?: unknown }): Returned {
    return new Returned(JSON.stringify(value), init);
  }

  async text(): Promise<string> {
    if (typeof this.body === "string") return this.body;
    return this.body instanceof Uint8Array ? new TextDecoder().decode(this.body) : new Response(this.body).text();
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.body instanceof Uint8Array ? this.body.buffer : new Response(this.body).arrayBuffer();
  }
}
