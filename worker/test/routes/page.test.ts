//! The inspector's page: who gets it, and with which headers.

import { env, exports } from "cloudflare:workers";
import { expect, it } from "vitest";
import { page, root } from "../../src/routes/page.ts";

const ORIGIN = "https://bidder.test";
type Vars = Partial<Env>;

const FILES = ["", "/", "/main.js", "/style.css", "/frame", "/frame/outside", "/frame.js", "/fixtures.json"];

const ANYBODY: Vars = { ASSETS: env.ASSETS, OPERATOR: "anybody" };
const WITH_TOKEN: Vars = { ASSETS: env.ASSETS, OPERATOR_TOKEN: "secret" };
const NO_OPERATOR: Vars = { ASSETS: env.ASSETS, OPERATOR_TOKEN: "" };

function get(path: string, vars: Vars, init?: RequestInit): Promise<Response> {
  return page({ request: new Request(ORIGIN + path, init), env: vars as Bindings });
}

/** The sources that a policy allows for a directive. */
function allowed(response: Response, directive: string): string | undefined {
  const policy = response.headers.get("content-security-policy") ?? "";
  const parts = policy.split("; ").map((part) => part.split(" "));
  return parts
    .find(([name]) => name === directive)
    ?.slice(1)
    .join(" ");
}

it.each(FILES)("/inspect%s is there if there is an operator, and only then", async (file) => {
  for (const vars of [ANYBODY, WITH_TOKEN]) {
    const response = await get(`/inspect${file}`, vars);
    expect(response.status).toBe(200);
    expect((await response.text()).length).toBeGreaterThan(100);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(allowed(response, "default-src")).toBe("'none'");
    expect(allowed(response, "script-src")).toBe("'self'");
  }
  expect((await get(`/inspect${file}`, NO_OPERATOR)).status).toBe(404);
  expect((await get(`/inspect${file}`, { OPERATOR: "anybody" })).status).toBe(404);
});

it("the page asks and loads its own origin only, and no page may frame it", async () => {
  const page = await get("/inspect", ANYBODY);
  expect(page.headers.get("content-type")).toMatch(/^text\/html/);
  for (const directive of ["connect-src", "style-src", "frame-src"]) expect(allowed(page, directive)).toBe("'self'");
  expect(allowed(page, "img-src")).toBe("'self' data:");
  for (const directive of ["base-uri", "form-action", "frame-ancestors"])
    expect(allowed(page, directive)).toBe("'none'");
});

it("a creative's frame has an origin of its own, and no network unless asked for", async () => {
  const frame = await get("/inspect/frame", ANYBODY);
  expect(allowed(frame, "sandbox")).toBe("allow-scripts");
  expect(allowed(frame, "img-src")).toBe("data:");
  expect(allowed(frame, "connect-src")).toBeUndefined();
  expect(allowed(frame, "frame-src")).toBeUndefined();
  const outside = await get("/inspect/frame/outside", ANYBODY);
  expect(allowed(outside, "sandbox")).toBe("allow-scripts");
  expect(allowed(outside, "img-src")).toBe("data: https: http:");
  expect(allowed(outside, "script-src")).toBe("'self'");
});

it("only files of the page are served, to GET and HEAD", async () => {
  for (const path of ["/inspect/nothing", "/inspect/../index.ts", "/inspect/index.html", "/inspect//main.js"]) {
    expect((await get(path, ANYBODY)).status).toBe(404);
  }
  expect((await get("/inspect", ANYBODY, { method: "POST" })).status).toBe(405);
  const head = await get("/inspect", ANYBODY, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

it("/ leads to the page only if anybody is the operator", () => {
  const local = root({ env: ANYBODY as Bindings });
  expect([local.status, local.headers.get("location")]).toEqual([302, "/inspect"]);
  for (const vars of [WITH_TOKEN, NO_OPERATOR, { OPERATOR: "anybody" }])
    expect(root({ env: vars as Bindings }).status).toBe(404);
});

it("the Worker itself answers for every path, not the files", async () => {
  // The tests' Worker has an operator's token.
  expect((await exports.default.fetch(`${ORIGIN}/inspect`)).status).toBe(200);
  const page = await exports.default.fetch(`${ORIGIN}/inspect/main.js`);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  for (const path of ["/", "/inspect/index.html", "/inspect/frame.html"]) {
    expect((await exports.default.fetch(ORIGIN + path)).status).toBe(404);
  }
  expect((await exports.default.fetch(`${ORIGIN}/explain/demo`, { method: "POST", body: "{}" })).status).toBe(401);
});
