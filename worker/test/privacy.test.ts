//! No identifier of a person is stored, logged or sent to a collector. All fixtures go through the Worker, and
//! everything that leaves it, except the answers, is searched for all identifiers that were sent.
//!
//! Each request is sent three times: unchanged, with an identifier in every place that OpenRTB has for one, and with
//! these identifiers and `lmt`. The module's explanation gives the privacy verdict on each request. Requests without a
//! personal verdict are counted, so that the test fails if there are too few. Every campaign has a frequency cap: what is
//! asked and counted about people is searched too, and nothing is asked without a personal verdict. Every request is
//! captured, on the console and for a listener, and searched for its own identifiers.

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import module from "../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import compiler from "../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import { compile } from "../src/catalog/compile.ts";
import { CatalogKeeper } from "../src/catalog/keeper.ts";
import { POINTER_KEY } from "../src/catalog/pointer.ts";
import { answer } from "../src/router.ts";
import { Bidder } from "../src/wasm/bidder.ts";
import { explanation } from "../src/wasm/explanation.ts";
import { catalogDocument, fixtures, text } from "./support/fixtures.ts";
import { Isolate } from "./support/isolate.ts";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Fields = { [name: string]: Json };

/** Attributes with an identifier or a precise location, in any object. */
const IDENTIFIERS = new Set(
  (
    "buyeruid buyerid customdata ifa ip ipv6 didsha1 didmd5 dpidsha1 dpidmd5 macsha1 macmd5 lat lon zip consent " +
    "tdid sessionid"
  ).split(" "),
);
/** The shortest identifier that is searched for. A shorter text would be found by chance. */
const SHORTEST = 6;
/** How the console's line of a captured request begins. */
const CAPTURED = '{"captured":';

it("no identifier is found in any store, log, event or metric", async () => {
  const left: string[] = [];
  const keep = (what: unknown) => {
    left.push(
      what instanceof Uint8Array
        ? new TextDecoder().decode(what)
        : typeof what === "string"
          ? what
          : JSON.stringify(what),
    );
  };
  const [logged, heard]: [string[], string[]] = [[], []];
  for (const way of ["log", "info", "warn", "error", "debug"] as const) {
    vi.spyOn(console, way).mockImplementation((...all) => {
      for (const one of all) {
        if (String(one).startsWith(CAPTURED)) logged.push(String(one).slice(CAPTURED.length, -1));
        else keep(one);
      }
    });
  }
  const from = {
    ...env,
    EVENTS_ONE_IN: "1",
    CAPTURE_ONE_IN: "1",
    EVENTS: {
      sendBatch: async (messages: { body: Uint8Array }[]) => {
        for (const { body } of messages) keep(body);
      },
    },
    METRICS: { writeDataPoint: keep },
    NOTICE_KEYS: "a-key-of-the-tests-a-key-of-the-tests",
    LEDGER: { getByName: () => ({ count: async (...rows: unknown[]) => keep(rows) }) },
    FREQUENCY: {
      getByName: () => ({
        left: async (key: string, subjects: { caps: { n: number }[] }[]) => {
          keep([key, subjects]);
          asked++;
          return subjects.map(({ caps }) => Math.min(...caps.map(({ n }) => n)));
        },
        bid: async (...all: unknown[]) => {
          keep(all);
          counted++;
        },
      }),
    },
  } as unknown as Env;

  let [asked, counted] = [0, 0];
  const isolate = new Isolate();
  const ctx = createExecutionContext();
  const listener = isolate.tap.listen(1, Date.now());
  if (listener === null) throw new Error("nobody listens");
  const sent = new Map<string, string[]>();
  let [withoutPersonal, answered, control] = [0, 0, ""];
  for (const { catalog, requests } of byCatalog()) {
    await env.CATALOG.put(POINTER_KEY, catalog);
    const bidder = new Bidder(compile(catalog, compiler).snapshot, module);
    const ssp = bidder.ssp("demo") ?? -1;
    const keeper = new CatalogKeeper(isolate.counters);
    Object.assign(isolate, { keeper });
    keeper.use(from, ctx);
    while ((await keeper.first()) === undefined);
    for (const [number, body] of requests.entries()) {
      const { privacy, id } = JSON.parse(text(explanation(bidder, body, ssp, Date.now(), compiler).json));
      if (privacy === "none" || privacy === "contextual") withoutPersonal++;
      control ||= id;
      const own = identifiersIn(parsed(body));
      for (const value of own) sent.set(value, [...(sent.get(value) ?? []), `${privacy} ${number}`]);
      const before = asked;
      const request = new Request("https://bidder.test/bid/demo", { method: "POST", body });
      const response = await answer(request, from, ctx, isolate);
      answered += Number(response.status === 200);
      const { lines } = isolate.tap.drain(listener, Date.now());
      for (const line of lines) expect(own.filter((value) => line.includes(value))).toEqual([]);
      heard.push(...lines);
      if (privacy === "none" || privacy === "contextual") expect(asked, id).toBe(before);
      expect([...response.headers.keys()]).not.toContain("set-cookie");
    }
    keep(keeper.state());
    await scheduler.wait(0);
  }
  await waitOnExecutionContext(ctx);
  keep(isolate.counters);
  for (const { name } of (await env.CATALOG.list()).keys) {
    keep(name);
    if (name !== POINTER_KEY) keep((await env.CATALOG.get(name)) ?? "");
  }

  const everything = left.join("\n");
  const found = [...sent].filter(([value]) => everything.includes(value)).map(([value, where]) => ({ value, where }));
  expect(found).toEqual([]);
  // The output has events of both types, and there were enough identifiers to search for.
  expect(everything).toContain(`"request":${JSON.stringify(control)}`);
  expect(everything).toContain('"type":"bid"');
  expect(everything).toContain('"type":"auction"');
  expect(everything).toContain('"kind":"bid"');
  expect(logged.sort()).toEqual(heard.sort());
  expect(heard.length).toBeGreaterThan(1500);
  expect(answered).toBeGreaterThan(100);
  expect(asked).toBeGreaterThan(100);
  expect(counted).toBeGreaterThan(100);
  expect(withoutPersonal).toBeGreaterThan(300);
  expect(sent.size).toBeGreaterThan(5000);
}, 180_000);

/** The requests of the fixtures by catalog, each unchanged and with identifiers everywhere. */
function byCatalog(): { catalog: Uint8Array<ArrayBuffer>; requests: Uint8Array<ArrayBuffer>[] }[] {
  const groups = new Map<string, { catalog: Uint8Array<ArrayBuffer>; requests: Uint8Array<ArrayBuffer>[] }>();
  let number = 0;
  for (const fixture of [...fixtures("bid"), ...fixtures("no-bid"), ...fixtures("malformed")]) {
    const catalog = withCaps(fixture.catalog ?? catalogDocument);
    const key = text(catalog);
    const group = groups.get(key) ?? { catalog, requests: [] };
    groups.set(key, group);
    group.requests.push(new Uint8Array(fixture.request));
    const request = parsed(fixture.request);
    if (!isObject(request)) continue;
    for (const lmt of [{}, { lmt: 1 }]) group.requests.push(bytes(planted(request, number++, lmt)));
  }
  return [...groups.values()];
}

/** The catalog with a frequency cap on each campaign, so that the bidder asks about people. */
function withCaps(catalog: Uint8Array): Uint8Array<ArrayBuffer> {
  const document = JSON.parse(text(catalog));
  for (const campaign of document.campaigns ?? []) campaign.caps = [{ n: 1000, per: "day" }];
  return bytes(document);
}

/** The request with a different identifier in each place that OpenRTB has for one. `more` is added to the device. */
function planted(request: Fields, number: number, more: Fields): Fields {
  const own = (kind: string) => `planted-${kind}-${number}-end`;
  const { user, device } = request;
  const [person, phone] = [isObject(user) ? user : {}, isObject(device) ? device : {}];
  const place = { lat: Number(`48.${100_000 + number}`), lon: Number(`11.${900_000 - number}`), zip: own("zip") };
  const eids = [{ source: "id.example", uids: [{ id: own("eid"), atype: 1 }] }];
  return {
    ...request,
    user: {
      ...person,
      ...{ id: own("user"), buyeruid: own("buyer"), customdata: own("custom"), eids },
      ext: {
        ...(isObject(person["ext"]) ? person["ext"] : {}),
        eids: [{ source: "old.example", uids: [{ id: own("ext-eid") }] }],
      },
      geo: { ...(isObject(person["geo"]) ? person["geo"] : {}), ...place },
    },
    device: {
      ...phone,
      ...more,
      ...{
        ifa: own("ifa"),
        ip: `198.51.${number % 256}.${100 + (number % 100)}`,
        ipv6: `2001:db8::${(0x1000 + number).toString(16)}:1`,
      },
      ...{ didsha1: own("didsha1"), didmd5: own("didmd5"), dpidsha1: own("dpidsha1"), dpidmd5: own("dpidmd5") },
      ...{ macsha1: own("macsha1"), macmd5: own("macmd5") },
      geo: { ...(isObject(phone["geo"]) ? phone["geo"] : {}), ...place },
    },
  };
}

/** All identifiers in a request: the attributes in IDENTIFIERS, and the ids in `user` and `uids`. */
function identifiersIn(value: Json, name = "", below = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => identifiersIn(one, name, below));
  if (isObject(value)) {
    return Object.entries(value).flatMap(([key, one]) => identifiersIn(one, key, name || below));
  }
  const isOne = IDENTIFIERS.has(name) || (name === "id" && (below === "user" || below === "uids"));
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  return isOne && text.length >= SHORTEST ? [text] : [];
}

function isObject(value: Json | undefined): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parsed(body: Uint8Array): Json {
  try {
    return JSON.parse(text(body));
  } catch {
    return null;
  }
}

function bytes(request: Fields): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(JSON.stringify(request)));
}
