//! Strangers' servers, names and robots.txt: what `edgebid supply fetch` never connects to, what it reads to an end, and
//! that no host ends the others.

import {
  createServer,
  request as http,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from "node:http";
import { request as https } from "node:https";
import type { AddressInfo, LookupFunction } from "node:net";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import robotsParser from "robots-parser";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readAdsTxt } from "../../tools/supply/ads-txt.ts";
import { crawl } from "../../tools/supply/crawl.ts";
import { allows } from "../../tools/supply/robots.ts";
import { isPublicAddress, isPublicName } from "../../tools/web/addresses.ts";
import { getIn, type Network } from "../../tools/web/get.ts";
import { eachInFolder } from "./edgebid.ts";

const NAMES = ["news.example", "xn--bcher-kva.example", "10.example", "a.bc"];
const NO_NAMES = [
  ...["localhost", "127.0.0.1", "[::1]", "::1", "a_b.example", "vault.corp.local", "metadata.google.internal", "a..b"],
  ...["a.b:80", "-a.example", "10", "0x7f.1", "2130706433", "news.example.", "router.lan", "", "x".repeat(300)],
];

test.each([...NAMES.map((name) => [name, true] as const), ...NO_NAMES.map((name) => [name, false] as const)])(
  "the name %j",
  (name, isPublic) => expect(isPublicName(name)).toBe(isPublic),
);

const PUBLIC = [
  "1.1.1.1",
  "8.8.8.8",
  "100.63.255.255",
  "172.32.0.1",
  "192.0.3.1",
  "223.255.255.255",
  "2606:4700::1111",
];
const PRIVATE = [
  ...["0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1"],
  ...["172.31.255.255", "192.0.0.8", "192.0.2.1", "192.168.1.1", "198.18.0.1", "198.51.100.1", "203.0.113.1"],
  ...["224.0.0.1", "240.0.0.1", "255.255.255.255"],
  ...["::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "ff02::1", "2001:db8::1", "2001::1", "3fff::1"],
  // Addresses of IPv4 in IPv6: mapped, translated, compatible, NAT64, 6to4.
  ...["::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:8.8.8.8", "::ffff:0:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1"],
  ...["64:ff9b:1::a00:1", "2002:7f00:1::1", "", "news.example", "127.1", "0x7f000001"],
];

test.each([...PUBLIC.map((one) => [one, true] as const), ...PRIVATE.map((one) => [one, false] as const)])(
  "the address %j",
  (address, isPublic) => expect(isPublicAddress(address)).toBe(isPublic),
);

type Handler = (response: ServerResponse, request: IncomingMessage) => void;

const folder = eachInFolder("get");

/** What each host answers. */
const hosts = new Map<string, Handler>();
const server = createServer((request, response) => {
  const { host = "" } = request.headers;
  const answer = request.url === "/robots.txt" ? undefined : hosts.get(host);
  if (answer) answer(response, request);
  else response.writeHead(404).end();
});
const portOf = () => (server.address() as AddressInfo).port;

beforeAll(() => new Promise<void>((done) => server.listen(0, "127.0.0.1", done)));
afterAll(() => server.close());

/** Names lead to a public address, and each server is the one of the tests. */
const NETWORK: Network = {
  addressesOf: async () => ["1.1.1.1"],
  request: ((url: string, { lookup: _, ...options }: RequestOptions) => {
    const { hostname, pathname } = new URL(url);
    const headers = { ...options.headers, host: hostname };
    return http(`http://127.0.0.1:${portOf()}${pathname}`, { ...options, headers });
  }) as typeof https,
};
const get = getIn(NETWORK);
const most = 100_000;
const asked = () => ({ headers: {}, signal: new AbortController().signal, most });

/** The body of the answer of a host with this handler. */
async function bodyBy(handler: Handler): Promise<string> {
  hosts.set("news.example", handler);
  const { body } = await get("https://news.example/ads.txt", asked());
  return Buffer.concat(await Array.fromAsync(body ?? [])).toString();
}

describe("a name that resolves to", () => {
  test.each(PRIVATE.filter((address) => address !== ""))("%s is not connected to", async (address) => {
    const connected = vi.fn();
    server.once("connection", connected);
    const network = { addressesOf: async () => [address], request: https };
    const asking = getIn(network)(`https://news.example:${portOf()}/`, asked());
    await expect(asking).rejects.toThrow(`news.example leads to ${address}, which is not public`);
    expect(connected).not.toHaveBeenCalled();
    server.off("connection", connected);
  });

  test("public and private addresses is connected to at the public ones only", async () => {
    const lookups: LookupFunction[] = [];
    const noted = ((url: string, options: RequestOptions) => {
      lookups.push(options.lookup as LookupFunction);
      return NETWORK.request(url, options);
    }) as typeof https;
    const addressesOf = async () => ["127.0.0.1", "1.1.1.1", "::1", "2606:4700::1111"];
    await getIn({ addressesOf, request: noted })("https://news.example/", asked());
    const found = (all: boolean) => new Promise((done) => lookups[0]?.("news.example", { all }, (_, one) => done(one)));
    expect(await found(true)).toEqual([
      { address: "1.1.1.1", family: 4 },
      { address: "2606:4700::1111", family: 6 },
    ]);
    expect(await found(false)).toBe("1.1.1.1");
  });

  test.each(["https://127.0.0.1/", "https://[::1]/", "https://2130706433/", "https://localhost/"])(
    "itself, as in %s, is not connected to",
    async (url) => {
      await expect(getIn({ ...NETWORK, request: https })(url, asked())).rejects.toThrow("is no public name");
    },
  );
});

describe("a body", () => {
  const text = "exchange.example, pub-1, DIRECT";
  const encoded =
    (encoding: string, bytes: Uint8Array): Handler =>
    (response) =>
      response.writeHead(200, { "content-encoding": encoding }).end(bytes);

  test.each([
    ["", Buffer.from(text)],
    ["identity", Buffer.from(text)],
    ["gzip", gzipSync(text)],
    ["GZIP", gzipSync(text)],
    ["x-gzip", gzipSync(text)],
    ["gzip", gzipSync("x".repeat(0))],
  ])("encoded by %j is read", async (encoding, bytes) => {
    expect(await bodyBy(encoded(encoding, bytes))).toBe(bytes.byteLength > 25 ? text : "");
  });

  /** Blocks without content: endless bytes on the way, and none inflated. */
  const empty = Buffer.concat([gzipSync("").subarray(0, 10), Buffer.alloc(5 * most, Buffer.from("000000ffff", "hex"))]);

  test.each<[string, string, Uint8Array, RegExp]>([
    [
      "six times gzip",
      Array(6).fill("gzip").join(", "),
      gzipSync("x"),
      /^content-encoding gzip, gzip.*; expected gzip/,
    ],
    ["gzip twice", "gzip, gzip", gzipSync(gzipSync("x")), /^content-encoding gzip, gzip; expected/],
    ["br", "br", Buffer.from(text), /^content-encoding br; expected gzip or none/],
    ["an endless name", "x".repeat(5000), Buffer.from(text), /^content-encoding x{40}; expected/],
    ["gzip that is none", "gzip", Buffer.from(text), /incorrect header/],
    ["gzip that is cut off", "gzip", gzipSync(text).subarray(0, 20), /unexpected end|premature/i],
    ["no gzip, and too long", "", Buffer.alloc(most + 1), /^more than 100000 bytes$/],
    ["gzip, and too long inflated", "gzip", gzipSync(Buffer.alloc(50 << 20)), /^more than 100000 bytes$/],
    ["gzip without content, and too long", "gzip", empty, /^more than 100000 bytes$/],
  ])("encoded by %s fails", async (_, encoding, bytes, message) => {
    await expect(bodyBy(encoded(encoding, bytes))).rejects.toThrow(message);
    // The next host is none the wiser.
    expect(await bodyBy((response) => response.end(text))).toBe(text);
  });

  test("that is not read to its end leaves no connection", async () => {
    const closed = new Promise((done) => {
      hosts.set("news.example", (response, { socket }) => {
        socket.once("close", done);
        response.write("#".repeat(most));
      });
    });
    const { body } = await get("https://news.example/ads.txt", asked());
    for await (const _ of body ?? []) break;
    await closed;
  });
});

test("hosts that misbehave in every way end nothing but their own files", async () => {
  const bad: Record<string, Handler> = {
    silent: () => {},
    "hangs-up": (_, { socket }) => socket.destroy(),
    "hangs-up-late": (response, { socket }) => response.write("a.example", () => socket.destroy()),
    "speaks-no-http": (_, { socket }) => socket.end("SSH-2.0-OpenSSH\r\n\r\n"),
    "promises-more": (response) => response.writeHead(200, { "content-length": "500" }).end("a.example"),
    "wrong-chunks": (_, { socket }) => socket.end("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"),
    "status-999": (_, { socket }) => socket.end("HTTP/1.1 999 odd\r\n\r\n"),
    upgrades: (_, { socket }) => socket.end("HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"),
    "long-head": (_, { socket }) => socket.end(`HTTP/1.1 200 OK\r\nx: ${"x".repeat(100_000)}\r\n\r\n`),
    "leads-nowhere": (response) => response.writeHead(302, { location: "https://" }).end(),
    "leads-home": (response) => response.writeHead(302, { location: "https://127.0.0.1/ads.txt" }).end(),
    "leads-round": (response) => response.writeHead(302, { location: "/ads.txt" }).end(),
    bomb: (response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(50 << 20))),
    "six-times": (response) => {
      response.writeHead(200, { "content-encoding": Array(6).fill("gzip").join(", ") }).end(Buffer.alloc(300_000, 1));
    },
  };
  const names = Object.keys(bad).flatMap((kind) => Array.from({ length: 8 }, (_, n) => `${kind}-${n}.example`));
  for (const name of names) hosts.set(name, bad[name.replace(/-\d+\.example$/, "")] as Handler);
  const good = names.map((name) => `good-${name}`);
  for (const name of good) hosts.set(name, (response) => response.end("a.example, 1, DIRECT"));
  const targets = names
    .flatMap((name, n) => [name, good[n] ?? ""])
    .map((host) => {
      return { host, path: "/ads.txt", file: `ads/${host}/ads.txt`, most };
    });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let done = 0;
  const crawling = crawl(folder(), targets, 1e12, get, () => void done++);
  // Those that are silent, and those that want another protocol, end with their time, and no other.
  while (done < targets.length - 16) await new Promise((next) => setImmediate(next));
  // One for the head, and one for the whole answer.
  expect(vi.getTimerCount()).toBe(32);
  await vi.advanceTimersByTimeAsync(15_000);
  const { new: fetched, failed } = await crawling;
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  expect(fetched).toBe(good.length);
  expect(failed.map(({ host }) => host).sort()).toEqual(names.sort());
});

test("a server of names that does not answer keeps no other host waiting", async () => {
  const addressesOf = (name: string) =>
    name.startsWith("silent") ? new Promise<string[]>(() => {}) : Promise.resolve(["1.1.1.1"]);
  const request = ((url: string, options: RequestOptions) => {
    return new URL(url).hostname.startsWith("silent") ? https(url, options) : NETWORK.request(url, options);
  }) as typeof https;
  hosts.set("news.example", (response) => response.end("a.example, 1, DIRECT"));
  const own = getIn({ addressesOf, request });
  const end = new AbortController();
  const silent = Array.from({ length: 40 }, (_, n) =>
    own(`https://silent${n}.example/`, { ...asked(), signal: end.signal }),
  );
  expect((await own("https://news.example/ads.txt", asked())).status).toBe(200);
  end.abort(new Error("late"));
  for (const one of silent) await expect(one).rejects.toThrow();
});

describe("a robots.txt", () => {
  const NAME = "edgebid-supply";

  test("is read as an established reader reads it", () => {
    const path = fc.constantFrom(
      "",
      "/",
      "/ads.txt",
      "/ads",
      "/ads.txt$",
      "/*",
      "/*.txt$",
      "*",
      "/a*s*t",
      "/*.json",
      "/x$",
      "$",
      "/ads.txt*$",
    );
    const agent = fc.constantFrom("*", NAME, "Edgebid-Supply/1.0", "other", "");
    const line = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.tuple(fc.constantFrom("Allow", "disallow"), path).map(([kind, path]) => `${kind}: ${path} # why`),
      },
      agent.map((name) => `User-Agent:${name}`),
      fc.constantFrom("", "# a comment", "no rule"),
    );
    let refused = 0;
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.constantFrom("\n", "\r\n"), (lines, end) => {
        const [text, url] = [lines.join(end), "https://news.example/ads.txt"];
        const expected = robotsParser("https://news.example/robots.txt", text).isAllowed(url, NAME) ?? true;
        refused += expected ? 0 : 1;
        expect(allows(text, NAME, "/ads.txt")).toBe(expected);
      }),
      { numRuns: 3000, seed: 1 },
    );
    expect(refused).toBeGreaterThan(300);
  });

  test("has no group less for a sitemap between its names (RFC 9309, section 2.2.4)", () => {
    const text = `user-agent: ${NAME}\nsitemap: https://news.example/s.xml\nuser-agent: other\ndisallow: /`;
    expect(allows(text, NAME, "/ads.txt")).toBe(false);
  });

  test.each([
    ["names and rules", `${"user-agent: *\n".repeat(17_000)}${"allow: /\n".repeat(28_000)}disallow: /ads.txt`, false],
    [
      "other names and rules",
      Array.from({ length: 20_000 }, (_, n) => `user-agent: a${n}`).join("\n") + "\ndisallow: /".repeat(20_000),
      true,
    ],
    ["one pattern of stars", `user-agent: *\ndisallow: /${"*a".repeat(240_000)}`, true],
    ["one pattern of empty stars", `user-agent: *\ndisallow: ${"*".repeat(480_000)}`, false],
    ["spaces", `user-agent: *\n${" ".repeat(480_000)}x\ndisallow: /`, false],
    ["line ends", `user-agent: *${"\r".repeat(480_000)}disallow: /`, false],
    ["letters without a colon", `${"x".repeat(480_000)}\nuser-agent: *\ndisallow: /`, false],
  ])("of half a megabyte of %s is read at once", (_, text, isAllowed) => {
    expect(allows(text, NAME, "/ads.txt")).toBe(isAllowed);
  });
});

test("an ads.txt whose lines never end is read at once, and a long comment is one", () => {
  const line = "exchange.example, pub-1, DIRECT";
  const endless = ["/", ".", " ", ",", "a", "=", ";"].map((one) => `${one.repeat(1_000_000)}x,y,z`);
  const text = [`${line} # ${"why ".repeat(1000)}`, ...endless, line].join("\n");
  const read = readAdsTxt(new TextEncoder().encode(text));
  const own = { system: "exchange.example", sid: "pub-1", isDirect: true };
  expect(read).toMatchObject({ lines: [own, own], unreadable: endless.map((_, at) => at + 2) });
});
