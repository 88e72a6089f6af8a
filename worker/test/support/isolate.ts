//! The state of an isolate for tests, with the few things that a test does with it.

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { Bidder } from "../../../shared/wasm/bidder.ts";
import { ExtraBidders } from "../../src/catalog/extra-bidders.ts";
import { Isolate as State } from "../../src/isolate.ts";
import { Tally } from "../../src/notices/tally.ts";
import { PacingExchange } from "../../src/pacing/exchange.ts";
import { Events } from "../../src/queue/events.ts";
import { answer } from "../../src/router.ts";
import { type Catalog, simpleWith } from "./catalogs.ts";
import { wait } from "./clock.ts";
import { clear, pushed } from "./kv.ts";

/** Keys with which bids have notices. */
export const NOTICE_KEYS = "a-key-of-the-tests-a-key-of-the-tests";

/** A request of the operator: the tests' Worker has this token. */
export const OPERATOR = { headers: { authorization: "Bearer operator" } };

/** An answer, and what waits for the work behind it. */
export interface Started {
  response: Response;
  settle: () => Promise<void>;
}

export interface Bid {
  id: string;
  cid: string;
  price: number;
  nurl: string;
  burl: string;
  lurl: string;
  adm: string;
  ext?: { catalog: string };
}

/** The state of an isolate whose work behind an answer is done at once, because the tests wait for it. */
export class Isolate extends State {
  /** Bindings and variables besides those of the tests' Worker. Each call can have others. */
  vars: object = {};
  /** Events are off in most tests. */
  eventsOneIn = "off";
  override readonly events = new Events(this.counters, 1);
  override readonly tally = new Tally(this.counters, 1);
  override readonly pacing = new PacingExchange(this.counters, 1);
  override readonly extraBidders = new ExtraBidders(1);

  /** The bidder of the version that serves. Begins a refresh if one is due. */
  bidder(vars: object = {}): Bidder | undefined {
    return this.keeper.use(this.#with(vars), { waitUntil() {} });
  }

  /** Pushes a catalog, and takes it up. Returns its version. */
  async serve(document: Catalog): Promise<string> {
    const version = await pushed(document);
    await this.refresh();
    return version;
  }

  /** Runs the next refresh to its end. */
  async refresh(vars: object = {}): Promise<void> {
    wait(30_000);
    const ctx = createExecutionContext();
    this.keeper.use(this.#with(vars), ctx);
    await waitOnExecutionContext(ctx);
  }

  /** Answers a request, and waits for the work after the answer. */
  async fetch(path: string, init: RequestInit = {}, vars: object = {}): Promise<Response> {
    const { response, settle } = await this.start(path, init, vars);
    await settle();
    return response;
  }

  /** Answers a request. `settle` waits for the work after the answer. */
  async start(path: string, init: RequestInit = {}, vars: object = {}): Promise<Started> {
    const ctx = createExecutionContext();
    const url = path.startsWith("/") ? `https://bidder.test${path}` : path;
    const response = await answer(new Request(url, init), this.#with(vars), ctx, this);
    return { response, settle: () => waitOnExecutionContext(ctx) };
  }

  /** Answers a post to `/bid/:ssp`, and waits for the work after the answer. */
  async post(body: BodyInit, init: RequestInit = {}, vars: object = {}, ssp = "demo"): Promise<Response> {
    return this.fetch(`/bid/${ssp}`, { method: "POST", body, ...init }, vars);
  }

  /** Answers a post to `/bid/demo`. `settle` waits for the work after the answer. */
  answer(body: BodyInit, vars: object = {}): Promise<Started> {
    return this.start("/bid/demo", { method: "POST", body }, vars);
  }

  /** Calls a notice as an exchange would, with these values of its macros, such as `PRICE`. */
  notice(url: string, values: Record<string, string> = {}, method = "GET", vars: object = {}): Promise<Response> {
    return this.fetch(filled(url, values), { method }, vars);
  }

  /** The first bid on the simple request with these members; null if there is none. Waits for the work after the answer. */
  async bid(more: object = {}, vars: object = {}): Promise<Bid | null> {
    const response = await this.post(simpleWith(more), {}, vars);
    return response.status === 204 ? null : ((await bidsIn<Bid>(response))[0] ?? null);
  }

  /** The price of the bid on the simple request; 0 without one. */
  async price(): Promise<number> {
    return (await this.bid())?.price ?? 0;
  }

  /** Takes up what KV has. Returns the price of the next bid; 0 without one. */
  async next(vars: object = {}): Promise<number> {
    await this.refresh(vars);
    return this.price();
  }

  #with(vars: object): Bindings {
    return { ...env, EVENTS_ONE_IN: this.eventsOneIn, ...this.vars, ...vars } as Bindings;
  }
}

/** A new isolate, with an empty KV or this catalog. Failures of earlier tests are logged again, and nothing is shown. */
export async function fresh(document?: Catalog): Promise<Isolate> {
  later();
  for (const way of ["error", "warn", "info"] as const) vi.spyOn(console, way).mockImplementation(() => {});
  await clear();
  const isolate = new Isolate();
  if (document !== undefined) await isolate.serve(document);
  return isolate;
}

/** The URL of a notice with these values of its macros. */
export function filled(url: string, values: Record<string, string>): string {
  return url.replaceAll(/\$\{AUCTION_([A-Z_]+)\}/g, (macro, name: string) => values[name] ?? macro);
}

/** The bids of a response with status 200. */
export async function bidsIn<T = { cid: string }>(response: Response): Promise<T[]> {
  expect(response.status).toBe(200);
  return (await response.json<{ seatbid: { bid: T[] }[] }>()).seatbid.flatMap(({ bid }) => bid);
}

let tests = 0;

/** Moves the clock so far that failures of earlier tests are logged again: see `src/telemetry/failures.ts`. */
export function later(): void {
  wait(++tests * 3_600_000);
}
