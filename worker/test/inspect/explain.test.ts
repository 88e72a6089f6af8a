//! `POST /explain/:ssp`: needs the operator's token, and shows the first check that each campaign failed.

import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import compiler from "../../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import { compile } from "../../src/catalog/compile.ts";
import { POINTER_KEY, versionOf } from "../../src/catalog/pointer.ts";
import { catalogDocument, fixtures } from "../support/fixtures.ts";
import { Isolate } from "../support/isolate.ts";

const request = fixtures("no-bid").find(({ name }) => name === "deal-for-another-seat")?.request ?? new Uint8Array();

beforeEach(() => env.CATALOG.put(POINTER_KEY, catalogDocument));

function post(init: RequestInit, token = "operator", ssp = "demo", more = {}, query = "") {
  const sent = { method: "POST", body: request, ...init };
  return new Isolate().fetch(`/explain/${ssp}${query}`, sent, { OPERATOR_TOKEN: token, ...more });
}

const AUTHORIZED = { headers: { authorization: "Bearer operator" } };

it("is closed without the operator's token", async () => {
  expect((await post(AUTHORIZED, "")).status).toBe(404);
  expect((await post({})).status).toBe(401);
  expect((await post({ headers: { authorization: "Bearer operato" } })).status).toBe(401);
  expect((await post(AUTHORIZED, "operator", "nobody")).status).toBe(404);
  expect((await post({ ...AUTHORIZED, method: "PUT" })).status).toBe(405);
});

it("is open if anybody is the operator, which no file sets", async () => {
  expect((await post({}, "", "demo", { OPERATOR: "anybody" })).status).toBe(200);
  expect((await post({}, "", "demo", { OPERATOR: "" })).status).toBe(404);
  expect(env).not.toHaveProperty("OPERATOR");
});

it("shows for each campaign the check that it failed, with both values", async () => {
  const response = await post(AUTHORIZED);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    catalog: await versionOf(catalogDocument),
    outcome: "deal-wseat",
    privacy: "personal",
    imps: [
      {
        id: "1",
        rejected: expect.arrayContaining([
          {
            cid: "acme-agency-deal",
            dealid: "AB-Agency1-0001",
            reason: "deal-wseat",
            wanted: "Agency1",
            found: "Agency2",
            at: ["imp[0].pmp.deals[0].wseat"],
          },
        ]),
      },
    ],
    rejected: expect.arrayContaining([
      { cid: "velo-europe", reason: "country", wanted: "DEU, FRA", found: "unknown", at: ["device"] },
    ]),
  });
});

it("explains one impression or one campaign if asked", async () => {
  const ask = (query: string) => post(AUTHORIZED, "operator", "demo", {}, query);
  expect(await (await ask("?imp=1&campaign=acme-agency-deal")).json()).toMatchObject({
    imps: [{ id: "1", rejected: [{ cid: "acme-agency-deal", reason: "deal-wseat" }] }],
  });
  const unknown = await ask("?imp=2");
  expect([unknown.status, await unknown.json()]).toEqual([
    400,
    { error: 'the request has no impression "2"', status: 400 },
  ]);
});

it("shows what is stopped", async () => {
  const snapshot = compile(catalogDocument, compiler).snapshot;
  const version = await versionOf(snapshot);
  await env.CATALOG.put(`catalog/${version}/snapshot`, snapshot);
  const pointer = { format: 1, version, parts: 1, campaigns: 9, pushed: "2026-11-21T12:00:00Z", previous: null };
  const explained = async (stopped: object) => {
    await env.CATALOG.put(POINTER_KEY, JSON.stringify({ ...pointer, stopped }));
    return (await post(AUTHORIZED)).json();
  };
  const sides = { wanted: "campaigns that no operator has stopped", found: "stopped by edgebid stop" };
  expect(await explained({ all: true })).toMatchObject({ outcome: "stopped", ...sides });
  expect(await explained({ cids: ["velo-europe"] })).toMatchObject({
    outcome: "deal-wseat",
    rejected: expect.arrayContaining([{ cid: "velo-europe", reason: "stopped", ...sides }]),
  });
});

it("answers with the reason if the body is not a bid request", async () => {
  for (const [body, error] of [
    ["{]", "byte 1: not JSON"],
    ['{"imp":[{"id":"1"}]}', "id: missing; expected a string"],
    ['{"id":"r"}', "imp: missing, or no impression in it; expected an array of objects, each with an id"],
  ] as const) {
    const response = await post({ ...AUTHORIZED, body: new TextEncoder().encode(body) });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error, status: 400 });
  }
});

it("says why a request is refused, with the status that the SSP gets", async () => {
  const sent = (header: Record<string, string>, more: RequestInit = {}, ssp = "demo") =>
    post({ headers: { ...AUTHORIZED.headers, ...header }, ...more }, "operator", ssp);
  for (const [response, status, error] of [
    [await sent({}, {}, "nobody"), 404, /^the catalog has no SSP nobody; it has .*demo/],
    [
      await sent({ "content-type": "text/plain" }),
      415,
      /^the Content-Type is text\/plain; expected application\/json$/,
    ],
    [await sent({ "content-encoding": "br" }), 415, /^the Content-Encoding is unknown; expected gzip or none$/],
    [await sent({ "content-encoding": "gzip" }), 400, /^the body is not gzip/],
    [await sent({}, { body: new Uint8Array(2 ** 20 + 1) }), 413, /^the body has more than 1048576 bytes/],
  ] as const) {
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error: expect.stringMatching(error), status });
  }
});
