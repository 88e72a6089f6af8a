//! Gets a URL from a stranger's server by HTTPS. It connects to public addresses only, whatever a name resolves to, and
//! leaves nothing behind: no timer, no connection, and no error that nobody waits for.

import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { isIPv6, type LookupFunction } from "node:net";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { isPublicAddress, isPublicName } from "./addresses.ts";

/** How long a server of names may take for an answer, and how often it is asked. */
const RESOLVER = { timeout: 5000, tries: 2 };

/** What a get may take: `most` bytes on the way, and inflated; and the time until the signal. */
export interface GetInit extends RequestInit {
  headers: Record<string, string>;
  signal: AbortSignal;
  most: number;
}

/** An answer. `body`: its bytes if the status is 200. */
export interface Answer {
  status: number;
  headers: Headers;
  body: AsyncIterable<Uint8Array> | null;
}

/** Gets a URL as `fetch` does, without following a redirect. */
export type Get = (url: string, init: GetInit) => Promise<Answer>;

/** How names get addresses, and how servers are asked. The tests have a network of their own. */
export interface Network {
  addressesOf: (name: string) => Promise<string[]>;
  request: typeof request;
}

/** {@link Get} in a network. The body is inflated; reading it fails if it is too long, or encoded by other than gzip. */
export function getIn(network: Network): Get {
  return async (url, { headers, signal, most }) => {
    const { hostname } = new URL(url);
    if (!isPublicName(hostname)) throw new Error(`${hostname} is no public name`);
    const options = { headers: { ...headers, "accept-encoding": "gzip" }, signal, lookup: publicIn(network) };
    const sent = network.request(url, { ...options, agent: false });
    // After the answer, an error reaches those who read the body. Without a listener, it would end the process.
    sent.on("error", () => {});
    sent.end();
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    const { statusCode: status = 0 } = answer;
    const head = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
    if (status !== 200) sent.destroy();
    return { status, headers: new Headers(head), body: status === 200 ? bodyOf(answer, most) : null };
  };
}

/**
 * Gets from the internet. Names are resolved without the threads of `dns.lookup`: there are four, and names that nobody
 * answers for would keep them from all others.
 */
export const getPublic: Get = getIn({
  async addressesOf(name) {
    const resolver = new Resolver(RESOLVER);
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = found.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    if (addresses.length === 0 && found[0]?.status === "rejected") throw found[0].reason;
    return addresses;
  },
  request,
});

/** Gives a connection the public addresses of a name. Fails if it has none. */
function publicIn({ addressesOf }: Network): LookupFunction {
  const publicOf = async (name: string) => {
    const addresses = await addressesOf(name);
    const allowed = addresses.filter(isPublicAddress);
    const [first = "no address"] = addresses;
    if (allowed.length === 0) throw new Error(`${name} leads to ${first}, which is not public`);
    return allowed.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  };
  return (name, { all }, done) => {
    publicOf(name).then(
      (found) => (all ? done(null, found) : done(null, found[0]?.address ?? "", found[0]?.family)),
      (error) => done(error, []),
    );
  };
}

/** The inflated body. Its end, however it comes, ends the connection. */
async function* bodyOf(answer: IncomingMessage, most: number): AsyncGenerator<Uint8Array> {
  const encoding = answer.headers["content-encoding"]?.toLowerCase() ?? "";
  const bytes = limited(answer, most);
  try {
    if (["", "identity"].includes(encoding)) yield* bytes;
    else if (["gzip", "x-gzip"].includes(encoding))
      yield* limited(
        pipeline(bytes, createGunzip(), () => {}),
        most,
      );
    else throw new Error(`content-encoding ${encoding.slice(0, 40)}; expected gzip or none`);
  } finally {
    answer.destroy();
  }
}

/** The pieces. Throws as soon as there are more bytes. */
export async function* limited(pieces: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    if (bytes > most) throw new Error(`more than ${most} bytes`);
    yield piece;
  }
}
