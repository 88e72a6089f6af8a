//! What the generator, the exchange, the collector, the counters and the ledger counted in the suite `soak`, and which of
//! these counts must agree.

import type { Book } from "../../cli/test/pacing/market.ts";
import { nanosOf } from "../../worker/src/report/decimal.ts";
import type { Row as Reported } from "../../worker/src/report/rows.ts";
import { Seconds } from "../../worker/src/tail/seconds.ts";
import { newRow, type Row } from "../rows.ts";
import { BUDGET, BUDGETED, TRADED } from "./catalog.ts";

/** The events that a collector received. It may receive an event twice, because the queue repeats posts. */
export class EventBook {
  readonly bids = new Set<string>();
  /** The auctions with a bid: the ids of their bids begin with the same 16 digits. */
  readonly auctions = new Set<string>();

  take(line: string): void {
    const { type, id }: { type: string; id: string } = JSON.parse(line);
    if (type !== "bid") return;
    this.bids.add(id);
    this.auctions.add(id.slice(0, 16));
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
}

/** A row for each two counts that must agree. `counted` must be between `least` and `most`. */
export function comparisons({ sent, counters, reasons, events, books, report }: Counted): Row[] {
  const answered = new Seconds({}, 0).next(counters, reasons, 0, 0).requests;
  const reported = report.reduce((sum, { bids }) => sum + bids, 0);
  // A report lacks the counts that no object of the ledger took.
  const lost = counters["counts-lost"] ?? 0;
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
