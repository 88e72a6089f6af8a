//! The Worker of the suite `notices`: books bills in objects of the ledger, and decides with and without notices. Its
//! own routes:
//!
//!     book?way=…&first=N&ms=…&callers=…   books bills for `ms`; returns a `Booked`
//!     mix                                 stores the posted requests, one per line
//!     catalog                             loads the posted snapshot; returns the bids on the mix

import module from "../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import { type Bill, type Names, QUARTER_SECONDS } from "../../shared/ledger/rows.ts";
import { Bidder } from "../../shared/wasm/bidder.ts";
import { Ledger } from "../../worker/src/ledger/ledger.ts";
import { quarterAt, utcDay } from "../../worker/src/ledger/shards.ts";
import { isolate, linesOf, type Query, type Work } from "../isolate.ts";
import { NOW_MS } from "../requests/now.ts";
import { type Bid, BOOKINGS, type Booked, bidsOf, billOf, SETTINGS } from "./ways.ts";

export { Summary } from "../../worker/src/ledger/summary.ts";
export { Ledger };

/** A ledger that books each bill in a transaction of its own. */
export class Single extends Ledger {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, 1);
  }
}

interface BenchEnv extends Env {
  SINGLE: Env["LEDGER"];
}

/** The ledger's sums are by campaign, so their number decides how many sums a commit changes. */
const CAMPAIGNS = 50;
const SSP = 0;
const SEED = [0x01234567, 0x89abcdef] as const;

let requests: Uint8Array[] = [];
let bidders: Record<"on" | "off", Bidder> | undefined;
/** The ends of the billing URLs of the bids. */
let urls: string[] = [];

export default isolate<BenchEnv>(workOf, {
  book: (_, query, env) => book(query, env),
  mix: (body) => {
    requests = linesOf(body);
  },
  catalog: (snapshot) => load(snapshot),
});

/** Each caller waits for the answer to its bill before it sends the next one. */
async function book(query: Query, { LEDGER, SINGLE }: BenchEnv): Promise<Booked> {
  const quarter = quarterAt(Date.now());
  const namespace = query("way") === BOOKINGS.single ? SINGLE : LEDGER;
  const ledger = namespace.getByName(`${utcDay(quarter)}/00`);
  const before = await ledger.rowsWritten();
  const begin = performance.now();
  const end = begin + Number(query("ms"));
  let [bills, wrong] = [0, 0];
  const caller = async () => {
    while (performance.now() < end) {
      const bill = madeBill(Number(query("first")) + bills++, quarter);
      if (query("way") === BOOKINGS.nothing) await ledger.rowsWritten();
      else if (!(await ledger.book(bill, [madeNames(bill)])).booking) wrong++;
    }
  };
  await Promise.all(Array.from({ length: Number(query("callers")) }, caller));
  const seconds = (performance.now() - begin) / 1000;
  return { bills, wrong, seconds, rows: (await ledger.rowsWritten()) - before };
}

/** Makes a bidder with notices and one without. Throws unless they make the same bids. */
function load(snapshot: Uint8Array): number {
  const [on, off] = [new Bidder(snapshot, module), new Bidder(snapshot, module)];
  const errors = on.useNotices(new TextEncoder().encode(SETTINGS));
  if (errors.length > 0) throw new Error(errors.join("; "));
  bidders = { on, off };
  const made = requests.flatMap((request) => {
    const [withNotices, without] = [bidsOn(on, request), bidsOn(off, request)];
    if (withNotices.length !== without.length) throw new Error("notices changed a decision");
    return withNotices;
  });
  urls = made.map(billOf);
  for (const url of urls) {
    const verdict = on.notice(url, NOW_MS);
    const isBilled = verdict !== null && verdict !== "trap" && verdict.outcome === "bill";
    const isTest = verdict !== null && verdict !== "trap" && verdict.outcome === "refused" && verdict.why === "test";
    if (!isBilled && !isTest) throw new Error(`${url} bills nothing: ${JSON.stringify(verdict)}`);
  }
  return made.length;
}

function bidsOn(bidder: Bidder, request: Uint8Array): Bid[] {
  const { body } = decide(bidder, request);
  return bidsOf(body && new TextDecoder().decode(body));
}

function workOf(way: string): Work {
  if (bidders === undefined) throw new Error("no catalog");
  const { on, off } = bidders;
  if (way === "notice") return { call: (at) => on.notice(urls[at] ?? "", NOW_MS), count: urls.length };
  const bidder = way === "on" ? on : off;
  return { call: (at) => decide(bidder, requests[at] as Uint8Array), count: requests.length };
}

function decide(bidder: Bidder, request: Uint8Array) {
  return bidder.decide({ body: request, ssp: SSP, now: NOW_MS, seed: SEED });
}

/** A bill for 1 to 2 thousandths of a dollar. Each number has another bid, and they take turns with the campaigns. */
function madeBill(number: number, quarter: number): Bill {
  const campaign = number % CAMPAIGNS;
  const nanos = 1_000_000 + ((number * 7919) % 1_000_000);
  return {
    bid: `${hex(number)}00`,
    quarter,
    issued: quarter * QUARTER_SECONDS + (number % QUARTER_SECONDS),
    campaign: hex(campaign),
    creative: hex(1000 + campaign),
    ssp: hex(1),
    notice: "bill",
    cur: "USD",
    nanos,
    usdNanos: nanos,
    ownCur: "USD",
    ownNanos: nanos,
    bidNanos: nanos,
    isAssumed: false,
  };
}

/** The names that the Worker sends with a bill. */
function madeNames({ campaign, creative, ssp, ownCur: cur }: Bill): Names {
  return { campaign, cid: `c-${campaign}`, creative, crid: `banner-${creative}`, ssp, sspId: "demo", cur, zone: "" };
}

function hex(number: number): string {
  return number.toString(16).padStart(16, "0");
}
