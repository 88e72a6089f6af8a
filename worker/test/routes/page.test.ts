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

/** What a policy allows, by directive. */
function policyOf(response: Response): Record<string, string> {
  const policy = response.headers.get("content-security-policy") ?? "";
  return Object.fromEntries(policy.split("; ").map((part) => part.split(/ (.*)/).slice(0, 2)));
}

it.each(FILES)("/inspect%s is there if there is an operator, and only then", async (file) => {
  for (const vars of [ANYBODY, WITH_TOKEN]) {
    const response = await get(`/inspect${file}`, vars);
    expect(response.status).toBe(200);
    expect((await response.text()).length).toBeGreaterThan(100);
    const headers = {
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    };
    expect(Object.fromEntries(response.headers)).toMatchObject(headers);
    expect(policyOf(response)).toMatchObject({ "default-src": "'none'", "script-src": "'self'" });
  }
  expect((await get(`/inspect${file}`, NO_OPERATOR)).status).toBe(404);
  expect((await get(`/inspect${file}`, { OPERATOR: "anybody" })).status).toBe(404);
});

it("the page asks and loads its own origin only, and no page may frame it", async () => {
  const page = await get("/inspect", ANYBODY);
  expect(page.headers.get("content-type")).toMatch(/^text\/html/);
  expect(policyOf(page)).toMatchObject({
    ...{ "connect-src": "'self'", "style-src": "'self'", "frame-src": "'self'", "img-src": "'self' data:" },
    ...{ "base-uri": "'none'", "form-action": "'none'", "frame-ancestors": "'none'" },
  });
});

it("a creative's frame has an origin of its own, and no network unless asked for", async () => {
  const frame = policyOf(await get("/inspect/frame", ANYBODY));
  expect(frame).toMatchObject({ sandbox: "allow-scripts", "img-src": "data:" });
  for (const directive of ["connect-src", "frame-src"]) expect(frame).not.toHaveProperty(directive);
  const outside = policyOf(await get("/inspect/frame/outside", ANYBODY));
  const all = { sandbox: "allow-scripts", "img-src": "data: https: http:", "script-src": "'self'" };
  expect(outside).toMatchObject(all);
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
