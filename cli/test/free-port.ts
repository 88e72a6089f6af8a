//! A free TCP port on loopback, for a server of a test or a benchmark.

import { type AddressInfo, createServer } from "node:net";

/** The port was free a moment ago; another process may take it before the server listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
