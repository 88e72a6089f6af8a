//! The platform's rate limiting counts wrong tokens. A network that sends too many wrong tokens is refused for a while.

import { exports } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { MAX_SHUT_OUT, SHUT_OUT_SECONDS } from "../../../shared/limits.ts";
import { networkOf } from "../../src/http/attempts.ts";
import { wait } from "../support/clock.ts";
import { catalogDocument, simple } from "../support/fixtures.ts";
import { fresh, type Isolate } from "../support/isolate.ts";

let isolate: Isolate;
let keys: string[];

beforeEach(async () => {
  isolate = await fresh(catalogDocument);
  keys = [];
});

/** A binding that allows this many attempts per key. */
function limited(most: number): object {
  const limit = async ({ key }: { key: string }) => {
    keys.push(key);
    return { success: keys.filter((one) => one === key).length <= most };
  };
  return { ATTEMPTS: { limit } };
}

function from(token: string, address = "192.0.2.1"): RequestInit {
  return { headers: { authorization: `Bearer ${token}`, "cf-connecting-ip": address } };
}

/** Sends a call; a bid request to the paths that want one. */
function send(path: string, init: RequestInit, vars: object): Promise<Response> {
  return isolate.fetch(path, path === "/healthz" ? init : { method: "POST", body: simple, ...init }, vars);
}

describe.each([
  ["/bid/closed", "let-me-in"],
  ["/explain/demo", "operator"],
  ["/healthz", "operator"],
])("%s", (path, right) => {
  it("refuses a network for a while after too many wrong tokens, even with the right token", async () => {
    const binding = limited(2);
    const statuses = async (...all: RequestInit[]) => {
      const found: number[] = [];
      for (const init of all) found.push((await send(path, init, binding)).status);
      return found;
    };
    const wrong = from("wrong");
    expect(await statuses(wrong, from(right), wrong, from(right))).toEqual([401, 200, 401, 200]);
    expect(await statuses(wrong, wrong, from(right))).toEqual([429, 429, 429]);
    // Requests of a refused network are not counted.
    expect(keys.length).toBe(3);
    expect(isolate.counters.toJSON()["too-many-attempts"]).toBe(3);
    expect(await statuses(from(right, "192.0.2.2"))).toEqual([200]);
    wait(SHUT_OUT_SECONDS * 1000);
    expect(await statuses(from(right))).toEqual([200]);
  });

  it.each([
    [1, 401, "Bearer", null],
    [0, 429, null, "60"],
  ])("if %i wrong tokens are allowed, the answer is an empty %i with its header", async (most, ...expected) => {
    const answer = await send(path, from("wrong"), limited(most));
    const headers = ["www-authenticate", "retry-after"].map((name) => answer.headers.get(name));
    expect([answer.status, ...headers, await answer.text()]).toEqual([...expected, ""]);
  });

  it("counts only wrong tokens, and refuses no network if the binding is missing or fails", async () => {
    const binding = limited(0);
    for (let i = 0; i < 5; i++) expect((await send(path, from(right), binding)).status).toBe(200);
    expect(keys).toEqual([]);
    const failing = { limit: () => Promise.reject(new Error("down")) };
    for (const ATTEMPTS of [undefined, failing]) {
      for (let i = 0; i < 30; i++) expect((await send(path, from("wrong"), { ATTEMPTS })).status).toBe(401);
    }
  });
});

it("refuses the network for this SSP only, not for another SSP or the operator", async () => {
  const binding = limited(0);
  expect((await send("/bid/closed", from("wrong"), binding)).status).toBe(429);
  expect((await send("/healthz", from("operator"), binding)).status).toBe(200);
  expect((await send("/bid/demo", from("wrong"), binding)).status).toBe(200);
});

it("remembers a limited number of refused networks", async () => {
  const binding = limited(0);
  const sent = (number: number) => new Request("https://x.test", from("wrong", `2001:db8:0:${number.toString(16)}::1`));
  for (let i = 0; i <= MAX_SHUT_OUT; i++) await isolate.attempts.refuse("closed", sent(i), binding as Bindings);
  const out = (number: number) => isolate.attempts.isShutOut("closed", sent(number));
  expect([out(0), out(1), out(MAX_SHUT_OUT)]).toEqual([false, true, true]);
});

it("a network is an IPv4 address, or the first half of an IPv6 address", () => {
  for (const [address, network] of [
    ["192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:db8:1:2::6", "2001:db8:1:2"],
    ["2001:db8::6", "2001:db8:0:0"],
    ["2001:db8::2:3:4:5:6", "2001:db8:0:2"],
    ["::1", "0:0:0:0"],
    ["2001:db8::", "2001:db8:0:0"],
    ["", ""],
  ] as const) {
    expect(networkOf(address), address).toBe(network);
  }
});

it("limits wrong tokens in the whole Worker, with the runtime's own binding", async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 30; i++) {
    const answer = await exports.default.fetch("https://bidder.test/explain/demo", {
      method: "POST",
      body: simple,
      ...from(i < 29 ? "wrong" : "operator", "198.51.100.7"),
    });
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([...Array(20).fill(401), ...Array(10).fill(429)]);
});
