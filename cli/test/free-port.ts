//! Servers and free TCP ports on loopback, for tests and benchmarks.

import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface Served {
  origin: string;
  stop(): Promise<void>;
}

/** Starts a server that answers as `answer` says. */
export async function served(answer: RequestListener): Promise<Served> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
  return { origin: `http://127.0.0.1:${port}`, stop };
}

/** The port was free a moment ago; another process may take it before the server listens. */
export async function freePort(): Promise<number> {
  const { origin, stop } = await served(() => {});
  await stop();
  return Number(new URL(origin).port);
}
