//! The contents of events: TypeScript, JSON Schema and protobuf declare the same schema; the events of all fixtures
//! follow the schema and agree with the answers; and all formats contain the same data.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parse } from "csv-parse/sync";
import protobufjs from "protobufjs";
import { describe, expect, it, test } from "vitest";
import { ATTRIBUTES, csv, type Event, protobuf, SCHEMA_VERSION } from "../../shared/events/schema.ts";
import { type Format, type Kind, ndjson, pieces } from "../../shared/formats/format.ts";
import type { Bidder } from "../../shared/wasm/bidder.ts";
import { bidderOf, jsonLines, ROOT, requestText } from "./bidder.ts";
import { catalogDocument, FIXTURES } from "./fixtures.ts";
import { VALUES } from "./report-readers.ts";

const EVENTS = join(ROOT, "shared/events");
const VERSION = "0123456789abcdef";
const SEED = [0x01234567, 0x89abcdef] as const;
const NOW = Date.UTC(2026, 10, 18, 12);
const WEIGHT = 1000;

const jsonSchema = JSON.parse(readFileSync(join(EVENTS, "event.schema.json"), "utf8"));
const { root } = protobufjs.parse(readFileSync(join(EVENTS, "event.proto"), "utf8"), { keepCase: true });
const isEvent = new Ajv2020({ allErrors: true }).compile(jsonSchema);

interface Answer {
  id: string;
  cur: string;
  seatbid?: { seat: string; bid: Record<string, unknown>[] }[];
}

/** The attributes of an impression that name its placement. */
interface Placement {
  id: string;
  ext?: { gpid?: string; data?: { pbadslot?: string } };
}

/** The attributes of a bid event about the placement and the floor. */
const PLACEMENT: string[] = ["domain", "bundle", "publisher", "tagid", "country", "devicetype", "bidfloor_micros"];

const shared = bidderOf(catalogDocument, VERSION);

/** The decisions on all fixtures that are requests, each with its own catalog. */
const decisions = FIXTURES.filter(({ kind }) => kind !== "malformed").map(({ name, request, catalog }) => {
  const bidder = catalog === null ? shared : bidderOf(catalog, VERSION);
  const { body, records, count } = bidder.decide({
    body: request,
    ssp: bidder.ssp("demo") ?? -1,
    now: NOW,
    seed: SEED,
    weight: WEIGHT,
  });
  const events = eventsIn(records);
  const { imp: imps } = JSON.parse(request.toString()) as { imp: Placement | Placement[] };
  const gpids = new Map([imps].flat().map((imp) => [String(imp?.id), imp?.ext?.gpid || imp?.ext?.data?.pbadslot]));
  return { name, count, events, gpids, answer: body && (JSON.parse(new TextDecoder().decode(body)) as Answer) };
});

describe("the schema", () => {
  const names = ATTRIBUTES.map(({ name }) => name);
  const integer = ["int32", "int64"];
  const kinds: Record<Kind, string[]> = { integer, text: ["string"], boolean: ["bool"], counts: ["int64"] };

  it("has the same attributes in JSON Schema and protobuf", () => {
    expect(Object.keys(jsonSchema.properties)).toEqual(names);
    const fields = root.lookupType("edgebid.Event").fieldsArray;
    expect(fields.map(({ name, id }) => ({ name, field: id }))).toEqual(
      ATTRIBUTES.map(({ name, field }) => ({ name, field })),
    );
    for (const { name, kind } of ATTRIBUTES) {
      const field = fields.find((field) => field.name === name);
      expect(kinds[kind], name).toContain(field?.type);
      expect(field instanceof protobufjs.MapField, name).toBe(kind === "counts");
    }
  });

  it("has no attribute about a person", () => {
    const personal = /user|buyer|uid|eid|ifa|ip$|ua$|geo|lat|lon|zip|consent|gpp|yob|email|cookie|device(?!type)/i;
    expect(names.filter((name) => personal.test(name))).toEqual([]);
  });
});

it.each([
  { type: "win", ssp: "demo", cid: "c", crid: "b", price_micros: 1_900_000, min_to_win_micros: 1_500_000, cur: "USD" },
  { type: "win" },
  { type: "bill", ssp: "demo", cid: "c", crid: "b", outcome: "imp", price_micros: 1_800_000, cur: "USD", test: true },
  { type: "loss", ssp: "demo", cid: "c", crid: "b", outcome: "102" },
] as const)("the schema takes the event of a notice: $type", (event) => {
  isEvent({ v: SCHEMA_VERSION, id: "0123456789abcdef00", time: NOW, ...event });
  expect(isEvent.errors).toBeNull();
});

it.each([
  { type: "bill", outcome: "imp", price_micros: 1 },
  { type: "bill", outcome: "lurl", price_micros: 1, cur: "USD" },
  { type: "bid", ssp: "demo", outcome: "102" },
])("the schema refuses %o", (event) => {
  expect(isEvent({ v: SCHEMA_VERSION, id: "0123456789abcdef00", time: NOW, ...event })).toBe(false);
});

describe("the module's events", () => {
  it.each(decisions)("$name: keep to the schema", ({ events }) => {
    expect(events.length).toBeGreaterThan(0);
    for (const event of events) {
      isEvent(event);
      expect(isEvent.errors, JSON.stringify(event)).toBeNull();
      expect(event).toMatchObject({ v: SCHEMA_VERSION, catalog: VERSION, ssp: "demo", time: NOW });
    }
  });

  it.each(decisions)("$name: agree with the answer", ({ events, answer, count, gpids }) => {
    const auctions = events.filter(({ type }) => type === "auction");
    expect(auctions).toMatchObject([{ id: "0123456789abcdef", outcome: count, weight: WEIGHT }]);
    const bids = (answer?.seatbid ?? []).flatMap(({ seat, bid }) =>
      bid.map(({ id, impid, cid, crid, dealid, mtype, price }) => ({
        ...{ id, request: answer?.id, seat, cid, crid, mtype, cur: answer?.cur },
        ...(impid ? { impid } : {}),
        ...(dealid ? { dealid } : {}),
        ...(gpids.get(String(impid)) ? { gpid: gpids.get(String(impid)) } : {}),
        price_micros: Math.round(Number(price) * 1e6),
      })),
    );
    const bidEvents = events.filter(({ type }) => type === "bid");
    const byId = (a: { id: unknown }, b: { id: unknown }) => String(a.id).localeCompare(String(b.id));
    const plain = bidEvents.map(inAnswer);
    expect(plain.sort(byId)).toEqual(bids.sort(byId));
    for (const { id, test } of bidEvents) expect(test ?? false).toBe(id.startsWith("test-"));
  });

  describe("of a bid name the placement", () => {
    const creative = { crid: "plain", banner: { w: 300, h: 250, adm: "<p>" } };
    const campaign = { seat: "s", adomain: ["a.example"], creatives: ["plain"], max_cpm: "2", cur: "EUR" };
    const catalog = (target: object) => ({
      ...{ format: 1, rates: [{ cur: "EUR", usd: "1.25" }], ssps: [{ id: "demo", cur: "EUR" }] },
      ...{ creatives: [creative], campaigns: [{ cid: "c", ...campaign, target }] },
    });
    const blind = bidderOf(catalog({}), VERSION);
    const seeing = bidderOf(catalog({ publisher: { exclude: ["other"] } }), VERSION);
    const imp = { id: "1", banner: { w: 300, h: 250 }, tagid: "top", bidfloor: 1, ext: { gpid: "/1/top" } };
    const page = "https://www.news.example/person-31337?id=31337";
    const publisher = { id: "pub-1", domain: "house.example" };
    const device = { devicetype: 4, ua: "UA", geo: { country: "de", city: "Ulm", zip: "89073" } };

    function placementOf(bidder: Bidder, request: object): Partial<Event> {
      const body = new TextEncoder().encode(JSON.stringify({ id: "r", imp: [imp], ...request }));
      const { records, count } = bidder.decide({ body, ssp: 0, now: NOW, seed: SEED, weight: 0 });
      const [event] = eventsIn(records) as [Event];
      expect([count, isEvent(event), isEvent.errors]).toEqual(["bid", true, null]);
      const attributes = Object.entries(event).filter(([name]) => PLACEMENT.includes(name));
      return Object.fromEntries(attributes);
    }

    const always = { tagid: "top", country: "DEU", devicetype: 4, bidfloor_micros: 800_000 };

    it.each([
      ["a site", { site: { domain: "www.news.example", page, publisher } }, { domain: "www.news.example" }],
      ["an app", { app: { bundle: "com.game", domain: "game.example", publisher } }, { bundle: "com.game" }],
      ["a screen", { dooh: { domain: "screens.example", publisher } }, { domain: "screens.example" }],
    ])("%s", (_, channel, names) => {
      expect(placementOf(blind, { ...channel, device })).toEqual({ ...always, ...names });
      expect(placementOf(seeing, { ...channel, device })).toEqual({ ...always, ...names, publisher: "pub-1" });
      // Without personal data too.
      expect(placementOf(blind, { ...channel, device, regs: { coppa: 1 } })).toEqual({ ...always, ...names });
    });

    test("of a page, only its host, and only if a campaign targets sites", () => {
      expect(placementOf(seeing, { site: { page } })).toMatchObject({ domain: "www.news.example" });
      expect(placementOf(blind, { site: { page } })).toEqual({ tagid: "top", bidfloor_micros: 800_000 });
    });

    test("without what is too long or no code", () => {
      const long = "x".repeat(513);
      const odd = { geo: { country: "48.39,9.99" }, devicetype: 31_337 };
      const app = { bundle: long, publisher: { id: long } };
      const imps = [{ ...imp, tagid: long, bidfloor: 0 }];
      expect(placementOf(seeing, { app, device: odd, imp: imps })).toEqual({});
      const user = { geo: { country: "FRA" } };
      expect(placementOf(seeing, { app, user, imp: imps })).toEqual({ country: "FRA" });
    });
  });

  test("of an auction have its funnel", () => {
    const { events } = decisions.find(({ name }) => name === "deal-for-another-seat") ?? { events: [] };
    expect(events).toMatchObject([{ type: "auction", outcome: "deal-wseat", funnel: { "deal-wseat": 1 } }]);
  });

  test("are none where none are wanted, and the bids' alone with the weight 0", () => {
    const question = { body: new TextEncoder().encode(requestText), ssp: shared.ssp("demo") ?? -1, now: NOW };
    const decide = (weight?: number) => shared.decide({ ...question, ...(weight !== undefined && { weight }) }).records;
    const types = (records: Uint8Array | null) => eventsIn(records).map(({ type }) => type);
    expect(decide()).toBeNull();
    expect(types(decide(0))).toEqual(["bid"]);
    expect(types(decide(7))).toEqual(["bid", "auction"]);
    expect(decide()).toBeNull();
  });
});

describe("the formats", () => {
  const hard: Event[] = [
    {
      ...{ v: 1, type: "error", id: "quotes", time: NOW, outcome: "trap", weight: 1 },
      message: 'a "b", c\r\nd\ne;\t\\ é 😀 \u2028',
    },
    {
      ...{ v: 1, type: "bid", id: "long", time: Number.MAX_SAFE_INTEGER },
      ...{ request: "é".repeat(70_000), crid: "x".repeat(127) },
    },
    { v: 1, type: "bid", id: "x".repeat(128), time: 1, impid: " ", price_micros: 2 ** 32, test: true },
    { v: 1, type: "auction", id: "counts", time: 1, funnel: { floor: 1, "pod-duplicate": 2 ** 40 }, weight: 128 },
    { v: 1, type: "sync", id: "sync", time: 1, ssp: "=1+1", outcome: "," },
    ..."=1+1|+1|-1|@a|\t=1|\r=1|\n=1|＝1|＋1|－1|＠a|'=1|''=1|''|'|a=1|1| =1"
      .split("|")
      .map((impid): Event => ({ v: 1, type: "bid", id: "formula", time: 1, impid })),
  ];
  const events = [...decisions.flatMap(({ events }) => events), ...hard];

  it("contain the same data", () => {
    expect(events.length).toBeGreaterThan(200);
    const lines = new TextDecoder().decode(encoded(ndjson)).split("\n");
    expect(lines.pop()).toBe("");
    expect(lines.map((line) => JSON.parse(line))).toEqual(events);
    expect(fromCsv(encoded(csv))).toEqual(events);
    expect(fromProtobuf(encoded(protobuf))).toEqual(events);
  });

  it("no text in CSV is a formula in a spreadsheet, and numbers stay numbers", () => {
    const negative: Event = { v: 1, type: "bid", id: "negative", time: -1 };
    const bytes = Buffer.concat([encoded(csv), Buffer.from(csv.encode(negative))]);
    const rows: string[][] = parse(bytes, { record_delimiter: "\r\n", from: 2 });
    const cells = rows.flatMap((row) => row.map((cell, at) => ({ cell, kind: ATTRIBUTES[at]?.kind })));
    const starts = cells.filter(({ cell }) => /^[=+\-@\t\r\n＝＋－＠]/.test(cell));
    expect(new Set(starts.map(({ cell, kind }) => `${kind} ${cell}`))).toEqual(new Set(["integer -1"]));
    expect(cells.map(({ cell }) => cell)).toEqual(expect.arrayContaining(["'=1+1", "'-1", "''=1", "a=1", " =1"]));
  });

  /** The body of a post. */
  function encoded(format: Format<Event>): Uint8Array {
    return Buffer.concat([...pieces(events, format)].map((piece) => Buffer.from(piece)));
  }
});

/** The events in the lines of a decision. */
function eventsIn(records: Uint8Array | null): Event[] {
  return jsonLines(new TextDecoder().decode(records ?? undefined));
}

/** The attributes of a bid event that are in the answer. */
function inAnswer(event: Event): { id: unknown } {
  const others = ["v", "type", "time", "catalog", "ssp", "test", ...PLACEMENT];
  return { id: event.id, ...Object.fromEntries(Object.entries(event).filter(([name]) => !others.includes(name))) };
}

function fromCsv(bytes: Uint8Array): unknown[] {
  const rows: Record<string, string>[] = parse(bytes, { columns: true, record_delimiter: "\r\n" });
  return rows.map((row) =>
    Object.fromEntries(ATTRIBUTES.flatMap(({ name, kind }) => (row[name] ? [[name, VALUES[kind](row[name])]] : []))),
  );
}

function fromProtobuf(bytes: Uint8Array): unknown[] {
  const type = root.lookupType("edgebid.Events");
  const { events } = type.toObject(type.decode(bytes), { longs: Number });
  return events;
}
