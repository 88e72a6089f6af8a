//! What the generator, the exchange, the collector, the counters and the ledger counted in the suite `soak`, and which of
//! these counts must agree.

import { COUNTS_MS, TALLY_MS } from "../../shared/limits.ts";
import { nanosOf } from "../../shared/report/decimal.ts";
import type { Row as Reported } from "../../shared/report/rows.ts";
import { Seconds } from "../../shared/tail/seconds.ts";
import { newRow, type Row } from "../rows.ts";
import { BUDGET, BUDGETED, TRADED } from "./catalog.ts";
import type { Book } from "./market.ts";

/** A begin and an end, in milliseconds since the epoch. */
export type Span = [from: number, to: number];

/** The events that a collector received. It may receive an event twice, because the queue repeats posts. */
export class EventBook {
  readonly bids = new Set<string>();
  /** The auctions with a bid: the ids of their bids begin with the same 16 digits. */
  readonly auctions = new Set<string>();
  /** When each bid was made, in milliseconds since the epoch. */
  readonly #times: number[] = [];

  take(line: string): void {
    const { type, id, time }: { type: string; id: string; time: number } = JSON.parse(line);
    if (type !== "bid") return;
    if (!this.bids.has(id)) this.#times.push(time);
    this.bids.add(id);
    this.auctions.add(id.slice(0, 16));
  }

  /** The bids whose counts an object of the ledger had not written yet when it was killed in one of these times. */
  unwritten(kills: Span[]): number {
    const isLost = (time: number) => kills.some(([from, to]) => time > from - TALLY_MS - COUNTS_MS && time < to);
    return this.#times.filter(isLost).length;
  }
}

/** What everybody counted since the start. */
export interface Counted {
  /** Bid requests that were sent. */
  sent: number;
  counters: Record<string, number>;
  /** The no-bid reasons of the catalog. */
  reasons: readonly string[];
  events: EventBook;
  /** The exchange's own books, by campaign. */
  books: ReadonlyMap<string, Book>;
  report: Reported[];
  /** When the ledger failed. */
  kills: Span[];
}

/** A row for each two counts that must agree. `counted` must be between `least` and `most`. */
export function comparisons({ sent, counters, reasons, events, books, report, kills }: Counted): Row[] {
  const answered = new Seconds({}, 0).next(counters, reasons, 0, 0).requests;
  const reported = report.reduce((sum, { bids }) => sum + bids, 0);
  // A report lacks the counts that no object of the ledger took, and those that a killed object had not written.
  const lost = (counters["counts-lost"] ?? 0) + events.unwritten(kills);
  const both = (what: string, counted: number, least: number, most = least) =>
    newRow(what, "", { counted, least, most });
  return [
    both("requests: counters / sent", answered, sent),
    both("auctions with a bid: events / counter", events.auctions.size, counters["bid"] ?? 0),
    both("bids: events / report", events.bids.size, reported, reported + lost),
    ...TRADED.flatMap(({ cid }) => {
      const rows = report.filter(({ campaign }) => campaign === cid);
      const { billed = 0, spend = 0n } = books.get(cid) ?? {};
      const spent = rows.reduce((sum, { spend }) => sum + (nanosOf(spend) ?? 0n), 0n);
      return [
        both(
          `billed of ${cid}: ledger / exchange`,
          rows.reduce((sum, { billed }) => sum + billed, 0),
          billed,
        ),
        both(`spend of ${cid} in nanos: ledger / exchange`, Number(spent), Number(spend)),
        ...(cid === BUDGETED
          ? [both(`spend of ${cid} in nanos: ledger / budget`, Number(spent), 1, 1e9 * BUDGET)]
          : []),
      ];
    }),
  ];
}

/** Whether the counts of a row agree. */
export function agrees({ facts: { counted, least, most } }: Row): boolean {
  return Number(counted) >= Number(least) && Number(counted) <= Number(most);
}
