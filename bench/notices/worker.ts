//! The Worker of the suite `notices`: books bills in objects of the ledger, and decides with and without notices.
//!
//!     POST /book?way=…&first=N&ms=…&callers=…   books bills for `ms`; returns a `Booked`
//!     POST /mix                                         stores the posted requests, one per line
//!     POST /catalog                                     loads the posted snapshot; returns the bids on the mix
//!     GET  /warm?way=…                                  runs until the engine has compiled the code
//!     GET  /measure?way=…                               mean microseconds of a call in one batch; after `warm`

import module from "../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import { Ledger } from "../../worker/src/ledger/ledger.ts";
import { quarterAt, utcDay } from "../../worker/src/ledger/places.ts";
import { Bidder } from "../../worker/src/wasm/bidder.ts";
import { batch, type Plan, warm } from "../measure.ts";
import { NOW_MS } from "../requests/now.ts";
import { madeBill, madeNames } from "./bills.ts";
import { type Bid, BOOKINGS, type Booked, type Booking, bidsOf, billOf, type Call, SETTINGS } from "./ways.ts";

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

const WARM_MS = 250;
const SSP = 0;
const SEED = [0x01234567, 0x89abcdef] as const;

const warmed = new Map<string, { next: () => void; plan: Plan }>();
/** Stores every result, so that the engine cannot skip a call. */
const kept: { answer: unknown } = { answer: undefined };
let requests: Uint8Array[] = [];
let bidders: Record<"on" | "off", Bidder> | undefined;
/** The ends of the billing URLs of the bids. */
let urls: string[] = [];

export default {
  async fetch(request: Request, env: BenchEnv): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/book") return Response.json(await book(searchParams, env));
    if (pathname === "/mix") {
      requests = (await request.text()).split("\n").map((text) => new TextEncoder().encode(text));
      return new Response(null, { status: 204 });
    }
    if (pathname === "/catalog") return Response.json(load(new Uint8Array(await request.arrayBuffer())));
    const way = searchParams.get("way") as Call;
    if (pathname === "/warm") {
      const [call, calls] = callOf(way);
      const next = cycling(call, calls);
      warmed.set(way, { next, plan: warm(next, WARM_MS, calls) });
      return new Response(null, { status: 204 });
    }
    const ready = warmed.get(way);
    return ready ? Response.json(batch(ready.next, ready.plan)) : new Response("not warm", { status: 404 });
  },
} satisfies ExportedHandler<BenchEnv>;

/** Each caller waits for the answer to its bill before it sends the next one. */
async function book(query: URLSearchParams, { LEDGER, SINGLE }: BenchEnv): Promise<Booked> {
  const [first, ms, callers] = ["first", "ms", "callers"].map((name) => Number(query.get(name)));
  const way = query.get("way") as Booking;
  const quarter = quarterAt(Date.now());
  const ledger = (way === BOOKINGS.single ? SINGLE : LEDGER).getByName(`${utcDay(quarter)}/00`);
  const before = await ledger.rowsWritten();
  const begin = performance.now();
  const end = begin + (ms ?? 0);
  let [bills, wrong] = [0, 0];
  const caller = async () => {
    while (performance.now() < end) {
      const number = (first ?? 0) + bills++;
      const bill = madeBill(number, quarter);
      if (way === BOOKINGS.nothing) await ledger.rowsWritten();
      else if (!(await ledger.book(bill, [madeNames(bill)]))) wrong++;
    }
  };
  await Promise.all(Array.from({ length: callers ?? 1 }, caller));
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
    if (verdict === null || verdict === "trap" || !["bill", "test"].includes(verdict.why ?? verdict.outcome))
      throw new Error(`${url} bills nothing: ${JSON.stringify(verdict)}`);
  }
  return made.length;
}

function bidsOn(bidder: Bidder, request: Uint8Array): Bid[] {
  const { body } = decide(bidder, request);
  return bidsOf(body && new TextDecoder().decode(body));
}

/** What a way calls, and how many different calls it has. */
function callOf(way: Call): [call: (at: number) => unknown, calls: number] {
  if (bidders === undefined) throw new Error("no catalog");
  const { on, off } = bidders;
  if (way === "notice") return [(at) => on.notice(urls[at] ?? "", NOW_MS), urls.length];
  const bidder = way === "on" ? on : off;
  return [(at) => decide(bidder, requests[at] as Uint8Array), requests.length];
}

function decide(bidder: Bidder, request: Uint8Array) {
  return bidder.decide(request, SSP, NOW_MS, ...SEED);
}

function cycling(call: (at: number) => unknown, calls: number): () => void {
  let at = 0;
  return () => {
    kept.answer = call(at);
    at = (at + 1) % calls;
  };
}
