//! No identifier of a person is stored, logged or sent to a collector. All fixtures go through the Worker, and
//! everything that leaves it, except the answers, is searched for all identifiers that were sent.
//!
//! Each request is sent three times: unchanged, with an identifier in every place that OpenRTB has for one, and with
//! these identifiers and `lmt`. The module's explanation gives the privacy verdict on each request. Requests without a
//! personal verdict are counted, so that the test fails if there are too few. Every campaign has a frequency cap: what is
//! asked and counted about people is searched too, and nothing is asked without a personal verdict. Every request is
//! captured, on the console and for a listener, and searched for its own identifiers.

import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import compiler from "../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import { POINTER_KEY } from "../../shared/catalog/pointer.ts";
import { explanation } from "../../shared/wasm/explanation.ts";
import { json } from "./support/catalogs.ts";
import { now } from "./support/clock.ts";
import { catalogDocument, fixtures, text } from "./support/fixtures.ts";
import { Isolate, NOTICE_KEYS } from "./support/isolate.ts";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Fields = { [name: string]: Json };

/** Attributes with an identifier or a precise location, in any object. */
const IDENTIFIERS = new Set(
  (
    "buyeruid buyerid customdata ifa ip ipv6 didsha1 didmd5 dpidsha1 dpidmd5 macsha1 macmd5 lat lon zip consent " +
    "tdid sessionid login"
  ).split(" "),
);
/** The shortest identifier that is searched for. A shorter text would be found by chance. */
const SHORTEST = 6;
/** How the console's line of a captured request begins. */
const CAPTURED = '{"captured":';

it("no identifier is found in any store, log, event or metric", async () => {
  const [left, logged, heard]: [string[], string[], string[]] = [[], [], []];
  const keep = (what: unknown) => {
    if (what instanceof Uint8Array) left.push(text(what));
    else left.push(typeof what === "string" ? what : JSON.stringify(what));
  };
  for (const way of ["log", "info", "warn", "error", "debug"] as const) {
    vi.spyOn(console, way).mockImplementation((...all) => {
      for (const one of all) {
        if (String(one).startsWith(CAPTURED)) logged.push(String(one).slice(CAPTURED.length, -1));
        else keep(one);
      }
    });
  }
  const howMany = vi.fn(async (key: string, subjects: { caps: { n: number }[] }[]) => {
    keep([key, subjects]);
    return subjects.map(({ caps }) => Math.min(...caps.map(({ n }) => n)));
  });
  const counted = vi.fn(async (...all: unknown[]) => keep(all));
  const vars = {
    ...{ EVENTS_ONE_IN: "1", CAPTURE_ONE_IN: "1", NOTICE_KEYS },
    EVENTS: { sendBatch: async (messages: { body: Uint8Array }[]) => messages.map(({ body }) => keep(body)) },
    METRICS: { writeDataPoint: keep },
    LEDGER: { getByName: () => ({ count: async (...rows: unknown[]) => keep(rows) }) },
    FREQUENCY: { getByName: () => ({ left: howMany, bid: counted }) },
  };
  const asked = () => howMany.mock.calls.length;
  const sent = new Map<string, string[]>();
  const work: Promise<void>[] = [];
  let [withoutPersonal, answered, control] = [0, 0, ""];
  for (const { catalog, requests } of byCatalog()) {
    await env.CATALOG.put(POINTER_KEY, catalog);
    const isolate = new Isolate();
    isolate.vars = vars;
    await isolate.refresh();
    const [bidder, listener] = [isolate.bidder(), isolate.options.tap.listen(1, now())];
    if (bidder === undefined || listener === null) throw new Error("no catalog, or nobody listens");
    const ssp = bidder.ssp("demo") ?? -1;
    for (const [number, body] of requests.entries()) {
      const { privacy, id } = JSON.parse(text(explanation(bidder, body, ssp, now(), compiler).json));
      const isPersonal = privacy !== "none" && privacy !== "contextual";
      if (!isPersonal) withoutPersonal++;
      control ||= id;
      const own = identifiersIn(parsed(body));
      for (const value of own) sent.set(value, [...(sent.get(value) ?? []), `${privacy} ${number}`]);
      const before = asked();
      const { response, settle } = await isolate.answer(body);
      work.push(settle());
      answered += Number(response.status === 200);
      const { lines } = isolate.options.tap.drain(listener, now());
      for (const line of lines) expect(own.filter((value) => line.includes(value))).toEqual([]);
      heard.push(...lines);
      if (!isPersonal) expect(asked(), id).toBe(before);
      expect([...response.headers.keys()]).not.toContain("set-cookie");
    }
    keep(isolate.keeper.state());
    keep(isolate.counters);
    await scheduler.wait(0);
  }
  await Promise.all(work);
  for (const { name } of (await env.CATALOG.list()).keys) {
    keep(name);
    if (name !== POINTER_KEY) keep((await env.CATALOG.get(name)) ?? "");
  }

  const everything = left.join("\n");
  const found = [...sent].filter(([value]) => everything.includes(value)).map(([value, where]) => ({ value, where }));
  expect(found).toEqual([]);
  // The output has events of both types, and there were enough identifiers to search for.
  const controls = [`"request":${JSON.stringify(control)}`, '"type":"bid"', '"type":"auction"', '"kind":"bid"'];
  for (const one of controls) expect(everything).toContain(one);
  expect(logged.sort()).toEqual(heard.sort());
  expect(heard.length).toBeGreaterThan(1500);
  expect(Math.min(answered, asked(), counted.mock.calls.length)).toBeGreaterThan(100);
  expect(withoutPersonal).toBeGreaterThan(300);
  expect(sent.size).toBeGreaterThan(5000);
}, 180_000);

interface Group {
  catalog: Uint8Array<ArrayBuffer>;
  requests: Uint8Array<ArrayBuffer>[];
}

/** The requests of the fixtures by catalog, each unchanged and with identifiers everywhere. */
function byCatalog(): Group[] {
  const groups = new Map<string, Group>();
  let number = 0;
  for (const fixture of [...fixtures("bid"), ...fixtures("no-bid"), ...fixtures("malformed")]) {
    const catalog = withCaps(fixture.catalog ?? catalogDocument);
    const group = groups.get(text(catalog)) ?? { catalog, requests: [] };
    groups.set(text(catalog), group);
    group.requests.push(fixture.request);
    const request = parsed(fixture.request);
    if (!isObject(request)) continue;
    for (const lmt of [{}, { lmt: 1 }]) group.requests.push(json(merged(request, planted(number++, lmt))));
  }
  return [...groups.values()];
}

/** The catalog with a frequency cap on each campaign, so that the bidder asks about people. */
function withCaps(catalog: Uint8Array): Uint8Array<ArrayBuffer> {
  const document = JSON.parse(text(catalog));
  for (const campaign of document.campaigns ?? []) campaign.caps = [{ n: 1000, per: "day" }];
  if (document.format !== undefined) document.cap_person = "household";
  return json(document);
}

/** A different identifier for each place that OpenRTB has for one. `more` is added to the device. */
function planted(number: number, more: Fields): Fields {
  const own = (kind: string) => `planted-${kind}-${number}-end`;
  const all = (kinds: string) => Object.fromEntries(kinds.split(" ").map((kind) => [kind, own(kind)]));
  const geo = { lat: Number(`48.${100_000 + number}`), lon: Number(`11.${900_000 - number}`), zip: own("zip") };
  const eids = (kind: string) => [{ source: `${kind}.example`, uids: [{ id: own(kind), atype: 1 }] }];
  const ips = {
    ip: `198.51.${number % 256}.${100 + (number % 100)}`,
    ipv6: `2001:db8::${(0x1000 + number).toString(16)}:1`,
  };
  return {
    user: {
      ...all("id buyeruid customdata"),
      eids: eids("eid"),
      ext: { eids: eids("ext-eid"), data: all("login") },
      geo,
    },
    device: { ...all("ifa didsha1 didmd5 dpidsha1 dpidmd5 macsha1 macmd5"), ...ips, geo, ...more },
  };
}

/** The first value with all members of the second, also in objects in it. */
function merged(one: Json | undefined, other: Json): Json {
  if (!isObject(one) || !isObject(other)) return other;
  const members = Object.entries(other).map(([name, value]): [string, Json] => [name, merged(one[name], value)]);
  return { ...one, ...Object.fromEntries(members) };
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
