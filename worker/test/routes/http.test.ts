//! The statuses, headers and encodings that an SSP sees. Runs the whole Worker with a real KV.

import { env, exports } from "cloudflare:workers";
import { beforeAll, expect, inject, it, vi } from "vitest";
import { POINTER_KEY } from "../../../shared/catalog/pointer.ts";
import { MAX_BODY_BYTES } from "../../../shared/limits.ts";
import { simpleWith } from "../support/catalogs.ts";
import { catalogDocument, fixtures, simple } from "../support/fixtures.ts";
import { bidsIn, OPERATOR } from "../support/isolate.ts";

/** What is sent, if it is not the simple request to `/bid/demo` as JSON. */
interface Sent {
  path?: string;
  method?: string;
  body?: BodyInit | null;
  headers?: Record<string, string>;
}

function send({ path = "/bid/demo", method = "POST", body = simple, headers = {} }: Sent = {}): Promise<Response> {
  const init = { method, headers: { "content-type": "application/json", ...headers } };
  return exports.default.fetch(`https://bidder.test${path}`, method === "POST" ? { ...init, body } : init);
}

const get = (path: string, headers = {}) => exports.default.fetch(`https://bidder.test${path}`, { headers });
const inParts = (body: Uint8Array<ArrayBuffer>) => new Blob([body]).stream();
const gzip = (body: Uint8Array<ArrayBuffer>) =>
  new Response(inParts(body).pipeThrough(new CompressionStream("gzip"))).bytes() as Promise<Uint8Array<ArrayBuffer>>;

const [SPACES, ZEROS] = [new Uint8Array(MAX_BODY_BYTES + 1).fill(0x20), new Uint8Array(MAX_BODY_BYTES * 4)];
const GZIP = { "content-encoding": "gzip" };
const PROTOBUF = { "content-type": "application/x-protobuf" };
const message = Uint8Array.from(atob(inject("message")), (character) => character.charCodeAt(0));
const [packed, packedMessage, bomb] = [await gzip(simple), await gzip(message), await gzip(ZEROS)];

beforeAll(async () => {
  await env.CATALOG.put(POINTER_KEY, catalogDocument);
  // On a busy machine, a cold isolate answers with 204 at first.
  await vi.waitUntil(async () => (await send()).status === 200, 10_000);
});

it.each(fixtures("bid").filter(({ catalog }) => catalog === null))("200 for $name", async ({ request }) => {
  const response = await send({ body: request });
  const headers = ["content-type", "x-openrtb-version"].map((name) => response.headers.get(name));
  expect([response.status, ...headers]).toEqual([200, "application/json", "2.6"]);
  expect(await bidsIn(response)).not.toHaveLength(0);
});

async function expectEmpty(response: Response, status: number): Promise<void> {
  expect([response.status, await response.text()]).toEqual([status, ""]);
}

it.each(fixtures("no-bid").filter(({ catalog }) => catalog === null))("204 for $name", async ({ request }) => {
  const response = await send({ body: request });
  expect(response.headers.get("x-openrtb-version")).toBe("2.6");
  await expectEmpty(response, 204);
});

it.each(fixtures("malformed"))("400 for $name", async ({ request }) => expectEmpty(await send({ body: request }), 400));

it.each<[number, string, Sent]>([
  ...["/bid/nobody", "/bid/demo/", "/bid/", "/"].map((path): [number, string, Sent] => [404, path, { path }]),
  [401, "no token", { path: "/bid/closed" }],
  [401, "a wrong token", { path: "/bid/closed", headers: { authorization: "Bearer let-me-out" } }],
  [401, "a token of another kind", { path: "/bid/closed", headers: { authorization: "Basic let-me-in" } }],
  [415, "a text", { headers: { "content-type": "text/plain" } }],
  [415, "almost protobuf", { headers: { "content-type": "application/x-protobufs" } }],
  [415, "almost JSON", { headers: { "content-type": "application/jsonx" } }],
  [415, "another encoding", { headers: { "content-encoding": "br" } }],
  [413, "a body over the limit", { body: SPACES }],
  [413, "a body over the limit, in parts", { body: inParts(SPACES) }],
  [413, "a small body that inflates over the limit", { body: bomb, headers: GZIP }],
  [400, "no gzip at all", { body: new Uint8Array(), headers: GZIP }],
  [400, "half a gzip", { body: packed.slice(0, -12), headers: GZIP }],
  [400, "gzip that is none", { headers: GZIP }],
  [400, "half a message", { body: message.subarray(0, -1), headers: PROTOBUF }],
  [400, "an empty message", { body: new Uint8Array(), headers: PROTOBUF }],
  [400, "JSON as protobuf", { headers: PROTOBUF }],
  [400, "protobuf as JSON", { body: message }],
])("%i for %s", async (status, _, sent) => expectEmpty(await send(sent), status));

it.each(["GET", "PUT", "DELETE", "OPTIONS"])("405 for %s", async (method) => {
  const response = await send({ method });
  expect(response.headers.get("allow")).toBe("POST");
  await expectEmpty(response, 405);
});

it.each<[string, Sent]>([
  ["the right token", { path: "/bid/closed", headers: { authorization: "Bearer let-me-in" } }],
  ["a charset", { headers: { "content-type": "application/json;charset=utf-8" } }],
  ["a charset behind spaces", { headers: { "content-type": "application/json ; charset=UTF-8" } }],
  ["capital letters", { headers: { "content-type": "Application/JSON" } }],
  ["a body of unknown length", { body: inParts(simple) }],
  ["gzip", { body: packed, headers: GZIP }],
  ["gzip by its old name", { body: packed, headers: { "content-encoding": "X-GZip" } }],
  ["gzip of unknown length", { body: inParts(packed), headers: GZIP }],
  ["version 2.5", { headers: { "x-openrtb-version": "2.5" } }],
  ["version 3.0", { headers: { "x-openrtb-version": "3.0" } }],
])("200 for %s", async (_, sent) => expect((await send(sent)).status).toBe(200));

it("takes a body without a Content-Type as JSON", async () => {
  const response = await exports.default.fetch("https://bidder.test/bid/demo", { method: "POST", body: simple });
  expect(response.status).toBe(200);
});

it.each(["application/x-protobuf", "application/octet-stream"])("answers %s in the same type", async (type) => {
  const response = await send({ body: message, headers: { "content-type": `${type}; charset=binary` } });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
  // The field 1 is the id.
  expect((await response.text()).slice(0, 19)).toBe("\n\x11req-simple-banner");
});

it("takes and gives protobuf in gzip", async () => {
  const headers = { ...PROTOBUF, ...GZIP, "accept-encoding": "gzip" };
  const response = await send({ path: "/bid/south", body: packedMessage, headers });
  expect([response.status, response.headers.get("content-encoding")]).toEqual([200, "gzip"]);
  expect((await response.bytes())[0]).toBe(0x0a);
});

it("explains protobuf", async () => {
  const headers = { ...PROTOBUF, ...OPERATOR.headers };
  const explained = async (body: BodyInit) => (await send({ path: "/explain/demo", body, headers })).json();
  expect(await explained(message)).toMatchObject({ id: "req-simple-banner", outcome: "bid" });
  const error = { error: "not a BidRequest in protobuf", status: 400 };
  expect(await explained(message.subarray(0, -1))).toEqual(error);
});

it.each([
  ["/bid/south", "gzip", "gzip"],
  ["/bid/south", "br, gzip", "gzip"],
  ["/bid/south", "gzip;q=0.5, *;q=0", "gzip"],
  ["/bid/south", "GZIP", "gzip"],
  ["/bid/south", "identity", null],
  ["/bid/south", "gzip;q=0, br", null],
  ["/bid/south", "x-gzip2", null],
  ["/bid/demo", "gzip", null],
])("%s: where %s is accepted, the encoding is %s", async (path, accepted, encoding) => {
  const response = await send({ path, headers: { "accept-encoding": accepted } });
  expect([response.status, response.headers.get("content-encoding")]).toEqual([200, encoding]);
  // The runtime has inflated the answer, as it does for every client.
  expect(await bidsIn(response)).toHaveLength(1);
});

/** A counter of the isolate. */
async function counted(name: string): Promise<number> {
  const health = await get("/healthz", OPERATOR.headers);
  return (await health.json<{ counters: Record<string, number> }>()).counters[name] ?? 0;
}

it.each<[string, Sent]>([
  ["unauthorized-closed", { path: "/bid/closed" }],
  ["unknown-ssp", { path: "/bid/nobody" }],
  ["refused-body", { headers: { "content-type": "text/plain" } }],
  ["refused-body", { headers: { "content-encoding": "br" } }],
  ["untargeted-demo", { body: simpleWith({ wseat: ["another"] }) }],
])("counts %s", async (name, sent) => {
  const before = await counted(name);
  await send(sent);
  expect(await counted(name)).toBe(before + 1);
});

it("counts tests", async () => {
  const tests = () => counted("test");
  const before = await tests();
  expect((await send()).status).toBe(200);
  for (const sent of [{ path: "/bid/staging" }, { body: simpleWith({ test: 1 }) }]) {
    expect(await (await send(sent)).text()).toContain('"id":"test-');
  }
  expect(await tests()).toBe(before + 2);
});

it("bid ids differ from request to request", async () => {
  const ids = new Set<string | undefined>();
  for (let i = 0; i < 5; i++) ids.add((await bidsIn<{ id: string }>(await send()))[0]?.id);
  expect(ids.size).toBe(5);
});

it("/healthz tells everybody whether there is a catalog, and nothing else", async () => {
  for (const headers of [{}, { authorization: "Basic operator" }]) {
    const response = await get("/healthz", headers);
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await response.text()).toBe('{"ok":true}');
  }
  const wrong = await get("/healthz", { authorization: "Bearer operato" });
  expect(wrong.headers.get("www-authenticate")).toBe("Bearer");
  await expectEmpty(wrong, 401);
  await expectEmpty(await send({ path: "/healthz" }), 405);
});

it("/healthz tells the operator the catalog and the counters", async () => {
  const response = await get("/healthz", OPERATOR.headers);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    ok: true,
    catalog: { version: expect.stringMatching(/^[0-9a-f]{16}$/), campaigns: 9, failure: null },
    counters: { bid: expect.any(Number), "bad-request": expect.any(Number) },
  });
});
