//! `GET /healthz` of an isolate that refused its catalog: only the operator sees the reason.

import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { POINTER_KEY } from "../../src/catalog/pointer.ts";
import { Pacer } from "../../src/pacing/pacer.ts";
import { catalogDocument, text } from "../support/fixtures.ts";
import { file, Isolate, pushed } from "../support/isolate.ts";

const REFUSED = text(catalogDocument).replace('"max_cpm": "1.80"', '"max_cpm": "7.77secret"');

let isolate: Isolate;

beforeEach(async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  isolate = new Isolate();
  await env.CATALOG.put(POINTER_KEY, REFUSED);
});

async function healthOf(
  headers: Record<string, string>,
  vars: Partial<Bindings>,
  origin = "https://bidder.test",
): Promise<string> {
  const response = await isolate.fetch(`${origin}/healthz`, { headers }, vars);
  return `${response.status} ${await response.text()}`;
}

const AUTHORIZED = { authorization: "Bearer operator" };

it.each<[string, Record<string, string>, Partial<Bindings>]>([
  ["without a token", {}, {}],
  ["with a token but without an operator", AUTHORIZED, { OPERATOR_TOKEN: "" }],
  ["without a token and without an operator", {}, { OPERATOR_TOKEN: "" }],
  ["on a host that looks local", { host: "127.0.0.1" }, { OPERATOR_TOKEN: "" }],
])("quotes nothing of the catalog %s", async (_, headers, vars) => {
  expect(await healthOf(headers, vars)).toBe('503 {"ok":false}');
});

it.each<[string, Record<string, string>, Partial<Bindings>]>([
  ["the operator", AUTHORIZED, {}],
  ["everybody if anybody is the operator", {}, { OPERATOR: "anybody", OPERATOR_TOKEN: "" }],
])("shows %s what was refused", async (_, headers, vars) => {
  const answer = await healthOf(headers, vars);
  expect(answer).toContain('503 {"ok":false,"catalog":{');
  expect(answer).toContain("7.77secret");
});

it("with npm start, only a caller that names this machine is the operator", async () => {
  const local = { OPERATOR: "local", OPERATOR_TOKEN: "" };
  for (const host of ["localhost:8787", "127.0.0.1:8787", "[::1]:8787", "LOCALHOST"])
    expect(await healthOf({}, local, `http://${host}`)).toContain("7.77secret");
  for (const host of ["rebound.example:8787", "localhost.example", "127.0.0.1.nip.example", "192.168.0.2:8787"])
    expect(await healthOf({}, local, `http://${host}`)).toBe('503 {"ok":false}');
});

it("shows the operator how old the shares are and whether counts get through, if there are budgets", async () => {
  vi.spyOn(Pacer.prototype, "alarms").mockResolvedValue([]);
  const document = JSON.parse(text(catalogDocument));
  await pushed(file(JSON.stringify(document)));
  isolate = new Isolate();
  expect(await healthOf(AUTHORIZED, {})).toContain('"pacing":null');
  document.campaigns[0].budget = { daily: "5" };
  await pushed(file(JSON.stringify(document)));
  isolate = new Isolate();
  const none = '"pacing":{"budgets":1,"age":null,"exchanged":null,"failure":null}';
  expect(await healthOf(AUTHORIZED, {})).toContain(none);
  const RELAY = { getByName: () => ({ exchange: async () => `${Date.now() - 7000}\n` }) };
  await isolate.bid("req-1", { ...env, RELAY, NOTICE_KEYS: "a-key-of-the-tests-a-key-of-the-tests" } as unknown as Env);
  expect(await healthOf(AUTHORIZED, {})).toMatch(/"pacing":{"budgets":1,"age":[78],"exchanged":[01],"failure":null}/);
});

it("shows the operator, and nobody else, what is wrong with bills, if there are budgets", async () => {
  const alarms = vi.spyOn(Pacer.prototype, "alarms");
  alarms.mockResolvedValue([{ what: "refused", ssp: "demo", count: 7, nanos: "1500000000", cur: "EUR" }]);
  const document = JSON.parse(text(catalogDocument));
  await pushed(file(JSON.stringify(document)));
  isolate = new Isolate();
  expect(await healthOf(AUTHORIZED, {})).toContain('"alarms":[]');
  document.campaigns[0].budget = { daily: "5" };
  await pushed(file(JSON.stringify(document)));
  isolate = new Isolate();
  const shown = '"alarms":[{"what":"refused","ssp":"demo","count":7,"cur":"EUR","amount":"1.5"}]';
  expect(await healthOf(AUTHORIZED, {})).toContain(shown);
  expect(await healthOf({}, {})).toBe('200 {"ok":true}');
  alarms.mockRejectedValue(new Error("overloaded"));
  expect(await healthOf(AUTHORIZED, {})).toContain('"alarms":null');
});

it("shows the operator which SSPs of the catalog that serves need price keys, before any bid", async () => {
  const vars = { NOTICE_KEYS: "a-key-of-the-tests-a-key-of-the-tests", PRICE_KEYS: '{"dmeo":{"encryption":"x"}}' };
  const document = JSON.parse(text(catalogDocument));
  document.ssps.find(({ id }: { id: string }) => id === "demo").price_codec = "unity";
  await pushed(file(JSON.stringify(document)));
  isolate = new Isolate();
  expect(await healthOf({}, vars)).toBe('200 {"ok":true}');
  const errors =
    '"notices":{"on":true,"errors":["demo: price_codec unity, and PRICE_KEYS has no keys for it: its bills';
  expect(await healthOf(AUTHORIZED, vars)).toContain(errors);
  expect(await healthOf(AUTHORIZED, {})).toContain('"notices":{"on":false,');
  await pushed(catalogDocument);
  await isolate.refresh();
  expect(await healthOf(AUTHORIZED, vars)).toContain('"notices":{"on":true,"errors":[]}');
});
