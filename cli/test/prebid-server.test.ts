//! The files for Prebid Server agree with the bidder: the answers in the adapter's fixtures are those of the built
//! module with the catalog beside them, and the bidder accepts the sync call of the bidder-info.
//!
//! `UPDATE_FIXTURES=1` writes the module's answers into the fixtures. Prebid Server's own tests run the same fixtures
//! through the adapter: integrations/prebid-server/README.md.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { bidderOf } from "./bidder.ts";

const FOLDER = join(import.meta.dirname, "../../integrations/prebid-server");
const FIXTURES = join(FOLDER, "adapters/edgebid/edgebidtest");
const SHOULD_UPDATE = process.env["UPDATE_FIXTURES"] === "1";

/** The fixtures with answers that this bidder never gives to Prebid Server. They test the adapter alone. */
const ANSWERS_OF_OTHERS = ["bad-json", "status-400", "status-401", "unknown-mtype"];
/** Fixtures in which the adapter sends nothing. */
const WITHOUT_CALLS = ["unreadable-ext"];

const MEDIA_TYPES = [undefined, "banner", "video", "audio", "native"];

/** A fixture in Prebid Server's format: what comes in, what the adapter sends, what it gets, and what it makes of it. */
interface Fixture {
  httpCalls?: { expectedRequest: { uri: string; body: unknown; impIDs: string[] }; mockResponse: Answer }[];
  expectedBidResponses?: { currency: string; bids: { bid: Bid; type?: string; video?: Video }[] }[];
}

interface Video {
  duration: number;
  primary_category: string;
}

interface Answer {
  status: number;
  body?: { cur?: string; seatbid?: { bid: Bid[] }[] };
}

interface Bid {
  price: number;
  mtype: number;
  cat?: string[];
  dur?: number;
}

const bidder = bidderOf(readFileSync(join(FOLDER, "catalog.json"), "utf8"));

const files = ["exemplary", "supplemental"].flatMap((folder) =>
  readdirSync(join(FIXTURES, folder)).map((name) => ({ name: name.replace(".json", ""), file: `${folder}/${name}` })),
);
const ours = files.filter(({ name }) => ![...ANSWERS_OF_OTHERS, ...WITHOUT_CALLS].includes(name));

test("all other fixtures are compared", () => {
  expect(files.length - ours.length).toBe(ANSWERS_OF_OTHERS.length + WITHOUT_CALLS.length);
});

describe.each(ours)("$file", ({ file }) => {
  const path = join(FIXTURES, file);
  const fixture: Fixture = JSON.parse(readFileSync(path, "utf8"));
  const answered = (fixture.httpCalls ?? []).map(({ expectedRequest }) => answerOf(expectedRequest));
  if (SHOULD_UPDATE) update(path, fixture, answered);

  test("the bidder gives these answers", () => {
    expect(answered).toEqual(fixture.httpCalls?.map(({ mockResponse }) => mockResponse));
  });

  test("the adapter makes bids of them", () => {
    expect(answered.flatMap(bidsOf)).toEqual(fixture.expectedBidResponses ?? []);
  });

  if (file.startsWith("exemplary/"))
    test("each impression gets a bid, and no macro is left", () => {
      const bids = answered.flatMap(({ body }) => body?.seatbid ?? []).flatMap(({ bid }) => bid);
      const imps = fixture.httpCalls?.flatMap(({ expectedRequest }) => expectedRequest.impIDs) ?? [];
      expect(bids).toHaveLength(imps.length);
      expect(JSON.stringify(bids)).not.toContain("${");
    });
});

test("the bidder-info leads to the bidder's routes, and the sync call back to Prebid Server", () => {
  const info = parse(readFileSync(join(FOLDER, "static/bidder-info/edgebid.yaml"), "utf8"));
  expect(sspOf(info.endpoint.replace("{{.SspID}}", "prebid"))).toBe(bidder.ssp("prebid"));

  const back = "https://prebid.example/setuid?bidder=edgebid&gdpr=0&gdpr_consent=&gpp=&gpp_sid=&f=i&uid=$UID";
  const macros: Record<string, string> = { GDPR: "0", RedirectURL: encodeURIComponent(back) };
  const url = new URL(
    info.userSync.redirect.url.replace(/\{\{\.(\w+)\}\}/g, (_: string, name: string) => macros[name] ?? ""),
  );
  const [, route, id = ""] = url.pathname.split("/");
  expect(route).toBe("sync");
  expect(info.userSync.redirect.userMacro).toBe("$UID");
  expect(bidder.readSync(url.search.slice(1), bidder.ssp(id) ?? -1, false)).toMatchObject({ redirect: back });
});

test("each fixture that the README names exists", () => {
  const lines = ["prebid-server", "fixtures"].flatMap((table) =>
    readFileSync(join(FOLDER, `../../fixtures/${table}.tsv`), "utf8").split("\n"),
  );
  const known = new Set([
    ...lines.map((line) => line.split("\t")[0]),
    ...files.map(({ file }) => file.replace(".json", "")),
  ]);
  const rows = readFileSync(join(FOLDER, "README.md"), "utf8").matchAll(/^\|(?:[^|]*\|){3}([^|]*)\|$/gm);
  const named = [...rows].flatMap(([, last = ""]) => [...last.matchAll(/`([a-z0-9./-]+)`/g)].map(([, name]) => name));
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

/** What the bidder answers to a call, at the epoch and with the seed 0. */
function answerOf({ uri, body }: { uri: string; body: unknown }): Answer {
  const request = new TextEncoder().encode(JSON.stringify(body));
  const { status, body: response } = bidder.decide({ body: request, ssp: sspOf(uri) ?? -1, now: 0 });
  return response === null ? { status } : { status, body: JSON.parse(new TextDecoder().decode(response)) };
}

/** The SSP that a bid URL names. */
function sspOf(uri: string): number | undefined {
  const [, route, id = ""] = new URL(uri).pathname.split("/");
  return route === "bid" ? bidder.ssp(id) : undefined;
}

/** What the adapter makes of an answer. */
function bidsOf({ status, body }: Answer): NonNullable<Fixture["expectedBidResponses"]> {
  if (status !== 200) return [];
  const bids = (body?.seatbid ?? []).flatMap(({ bid }) => bid);
  const typed = bids.map((bid) => {
    const type = MEDIA_TYPES[bid.mtype];
    const [first = "", second] = bid.cat ?? [];
    const video = { duration: bid.dur ?? 0, primary_category: second === undefined ? "" : first };
    return { bid, ...(type !== undefined && { type }), ...(type === "video" && { video }) };
  });
  return [{ currency: body?.cur ?? "USD", bids: typed }];
}

function update(path: string, fixture: Fixture, answered: Answer[]): void {
  fixture.httpCalls?.forEach((call, i) => {
    call.mockResponse = answered[i] ?? call.mockResponse;
  });
  const bids = answered.flatMap(bidsOf);
  if (bids.length > 0) fixture.expectedBidResponses = bids;
  else delete fixture.expectedBidResponses;
  writeFileSync(path, `${JSON.stringify(fixture, null, 2)}\n`);
}
