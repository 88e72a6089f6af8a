//! The statuses, headers and encodings that an SSP sees. Runs the whole Worker with a real KV.

import { env, exports } from "cloudflare:workers";
import { beforeAll, describe, expect, inject, it, vi } from "vitest";
import { POINTER_KEY } from "../../src/catalog/pointer.ts";
import { MAX_BODY_BYTES } from "../../src/limits.ts";
import { catalogDocument, expectSound, fixtures, simple } from "../support/fixtures.ts";

interface Health {
  counters: Record<string, number>;
}

const OPERATOR = { headers: { authorization: "Bearer operator" } };

const ORIGIN = "https://bidder.test";

/** The fixtures for the catalog in KV. */
function shared(kind: "bid" | "no-bid") {
  return fixtures(kind).filter(({ catalog }) => catalog === null);
}

function post(body: BodyInit | null, headers: Record<string, string> = {}, path = "/bid/demo") {
  return exports.default.fetch(ORIGIN + path, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers },
  });
}

function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  return new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
}

async function expectEmpty(response: Response, status: number) {
  expect(response.status).toBe(status);
  expect((await response.arrayBuffer()).byteLength).toBe(0);
}

beforeAll(async () => {
  await env.CATALOG.put(POINTER_KEY, catalogDocument);
  // On a busy machine, a cold isolate answers with 204 at first.
  await vi.waitUntil(async () => (await post(simple)).status === 200, 10_000);
});

describe("statuses", () => {
  it.each(shared("bid"))("200 for $name", async ({ request }) => {
    const response = await post(request);
    expect(response.status).toBe(200);
    const body = await response.text();
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("x-openrtb-version")).toBe("2.6");
    expectSound(request, body);
  });

  it.each(shared("no-bid"))("204 for $name", async ({ request }) => {
    const response = await post(request);
    expect(response.headers.get("x-openrtb-version")).toBe("2.6");
    await expectEmpty(response, 204);
  });

  it.each(fixtures("malformed"))("400 for $name", async ({ request }) => {
    await expectEmpty(await post(request), 400);
  });

  it("404 for an SSP that the catalog does not know, and for other paths", async () => {
    await expectEmpty(await post(simple, {}, "/bid/nobody"), 404);
    await expectEmpty(await post(simple, {}, "/bid/demo/"), 404);
    await expectEmpty(await post(simple, {}, "/bid/"), 404);
    await expectEmpty(await post(simple, {}, "/"), 404);
  });

  it.each(["GET", "PUT", "DELETE", "OPTIONS"])("405 for %s", async (method) => {
    const response = await exports.default.fetch(`${ORIGIN}/bid/demo`, { method });
    expect(response.headers.get("allow")).toBe("POST");
    await expectEmpty(response, 405);
  });

  it("401 without the right token, 200 with it", async () => {
    const to = (headers: Record<string, string>) => post(simple, headers, "/bid/closed");
    await expectEmpty(await to({}), 401);
    await expectEmpty(await to({ authorization: "Bearer let-me-out" }), 401);
    await expectEmpty(await to({ authorization: "Basic let-me-in" }), 401);
    expect((await to({ authorization: "Bearer let-me-in" })).status).toBe(200);
  });

  it("415 for a body that is declared neither as JSON nor as protobuf", async () => {
    await expectEmpty(await post(simple, { "content-type": "text/plain" }), 415);
    await expectEmpty(await post(simple, { "content-type": "application/x-protobufs" }), 415);
    await expectEmpty(await post(simple, { "content-type": "application/jsonx" }), 415);
    await expectEmpty(await post(simple, { "content-encoding": "br" }), 415);
  });

  it("413 for a body over the limit, with or without a Content-Length", async () => {
    const large = new Uint8Array(MAX_BODY_BYTES + 1).fill(0x20);
    await expectEmpty(await post(large), 413);
    await expectEmpty(await post(new Blob([large]).stream()), 413);
  });
});

describe("representations", () => {
  it.each(["application/json;charset=utf-8", "application/json ; charset=UTF-8", "Application/JSON"])(
    "takes %s",
    async (type) => {
      expect((await post(simple, { "content-type": type })).status).toBe(200);
    },
  );

  it("takes a body without a Content-Type as JSON", async () => {
    const response = await exports.default.fetch(`${ORIGIN}/bid/demo`, { method: "POST", body: simple });
    expect(response.status).toBe(200);
  });

  it("takes a body of unknown length", async () => {
    expect((await post(new Blob([simple]).stream())).status).toBe(200);
  });

  it.each(["2.5", "2.6", "3.0"])("answers a request of version %s in the same way", async (version) => {
    expect((await post(simple, { "x-openrtb-version": version })).status).toBe(200);
  });

  it("inflates gzip, limits its size, and refuses damaged gzip", async () => {
    const gzipped = { "content-encoding": "gzip" };
    const packed = await gzip(new Uint8Array(simple));
    expect((await post(packed, gzipped)).status).toBe(200);
    expect((await post(new Blob([packed]).stream(), gzipped)).status).toBe(200);
    await expectEmpty(await post(new Uint8Array(), gzipped), 400);
    await expectEmpty(await post(packed.slice(0, packed.byteLength - 12), gzipped), 400);
    await expectEmpty(await post(simple, gzipped), 400);
    const bomb = await gzip(new Uint8Array(MAX_BODY_BYTES * 4));
    expect(bomb.byteLength).toBeLessThan(MAX_BODY_BYTES / 50);
    await expectEmpty(await post(bomb, gzipped), 413);
  });
});

describe("protobuf", () => {
  const message = Uint8Array.from(atob(inject("message")), (character) => character.charCodeAt(0));
  const protobuf = { "content-type": "application/x-protobuf" };

  it.each(["application/x-protobuf", "application/octet-stream"])("answers %s in the same type", async (type) => {
    const response = await post(message, { "content-type": `${type}; charset=binary` });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(type);
    const answer = new Uint8Array(await response.arrayBuffer());
    // The field 1 is the id.
    expect(new TextDecoder().decode(answer.subarray(0, 19))).toBe("\n\x11req-simple-banner");
  });

  it("takes and gives gzip", async () => {
    const packed = await gzip(message);
    const headers = { ...protobuf, "content-encoding": "gzip", "accept-encoding": "gzip" };
    const response = await post(packed, headers, "/bid/south");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(new Uint8Array(await response.arrayBuffer())[0]).toBe(0x0a);
  });

  it("400 for a malformed message, and for the other format", async () => {
    await expectEmpty(await post(message.subarray(0, -1), protobuf), 400);
    await expectEmpty(await post(new Uint8Array(), protobuf), 400);
    await expectEmpty(await post(simple, protobuf), 400);
    await expectEmpty(await post(message), 400);
  });

  it("is explained", async () => {
    const headers = { ...protobuf, ...OPERATOR.headers };
    expect(await (await post(message, headers, "/explain/demo")).json()).toMatchObject({
      id: "req-simple-banner",
      outcome: "bid",
    });
    const bad = await post(message.subarray(0, -1), headers, "/explain/demo");
    expect(await bad.json()).toEqual({ error: "not a BidRequest in protobuf", status: 400 });
  });
});

describe("settings of an SSP", () => {
  const to = (path: string, accepted: string) => post(simple, { "accept-encoding": accepted }, path);

  it.each(["gzip", "br, gzip", "gzip;q=0.5, *;q=0", "GZIP"])(
    "answers in gzip where %s is accepted",
    async (accepted) => {
      const response = await to("/bid/south", accepted);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-encoding")).toBe("gzip");
      // The runtime has inflated the answer, as it does for every client.
      expectSound(simple, await response.text());
    },
  );

  it.each([
    ["/bid/south", "identity"],
    ["/bid/south", "gzip;q=0, br"],
    ["/bid/south", "x-gzip2"],
    ["/bid/demo", "gzip"],
  ])("answers %s plainly where %s is accepted", async (path, accepted) => {
    const response = await to(path, accepted);
    expect(response.headers.get("content-encoding")).toBeNull();
    expectSound(simple, await response.text());
  });

  it("counts tests", async () => {
    const tests = async () => {
      const { counters } = await (await exports.default.fetch(`${ORIGIN}/healthz`, OPERATOR)).json<Health>();
      return counters["test"] ?? 0;
    };
    const before = await tests();
    expect((await post(simple)).status).toBe(200);
    expect(await (await post(simple, {}, "/bid/staging")).text()).toContain('"id":"test-');
    const request = new TextDecoder().decode(simple).replace("{", '{"test":1,');
    expect(await (await post(request)).text()).toContain('"id":"test-');
    expect(await tests()).toBe(before + 2);
  });
});

it("bid ids differ from request to request", async () => {
  const ids = new Set<string>();
  for (let i = 0; i < 5; i++) {
    const response = await (await post(simple)).json<{ seatbid: { bid: { id: string }[] }[] }>();
    ids.add(response.seatbid[0]?.bid[0]?.id ?? "");
  }
  expect(ids.size).toBe(5);
});

describe("healthz", () => {
  it("tells everybody whether there is a catalog, and nothing else", async () => {
    for (const headers of [{}, { authorization: "Basic operator" }]) {
      const response = await exports.default.fetch(`${ORIGIN}/healthz`, { headers });
      expect(response.status).toBe(200);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(await response.text()).toBe('{"ok":true}');
    }
  });

  it("401 for a wrong token", async () => {
    const wrong = { headers: { authorization: "Bearer operato" } };
    const response = await exports.default.fetch(`${ORIGIN}/healthz`, wrong);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    await expectEmpty(response, 401);
  });

  it("tells the operator the catalog and the counters", async () => {
    const response = await exports.default.fetch(`${ORIGIN}/healthz`, OPERATOR);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      ok: true,
      catalog: { version: expect.stringMatching(/^[0-9a-f]{16}$/), campaigns: 9, failure: null },
      counters: { bid: expect.any(Number), "bad-request": expect.any(Number) },
    });
  });

  it("405 for POST", async () => {
    await expectEmpty(await exports.default.fetch(`${ORIGIN}/healthz`, { method: "POST" }), 405);
  });
});
