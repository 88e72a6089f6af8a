//! Defects that are planted in the Worker's code, one at a time, to see whether the judges find them.

import type { Change } from "./platform/change.ts";

export interface Mutant extends Change {
  name: string;
}

export const MUTANTS: readonly Mutant[] = [
  {
    name: "a bill is answered before it is written",
    file: "worker/src/commits.ts",
    from: "this.#waiting.push({ item, resolve, reject });",
    to: "this.#waiting.push({ item, resolve, reject }); resolve(true as never);",
  },
  {
    name: "a notice that could not be booked counts as handled",
    file: "worker/src/routes/notice.ts",
    from: "const isRepeated = repeats.has(key);",
    to: "const isRepeated = repeats.has(key); repeats.add(key);",
  },
  {
    name: "a bill that is sent twice is booked twice",
    file: "worker/src/ledger/tables.ts",
    from: '"INSERT INTO seen VALUES (unhex(?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"',
    to: '"INSERT OR REPLACE INTO seen VALUES (unhex(?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"',
  },
  {
    name: "sums change before the transaction has succeeded",
    file: "worker/src/ledger/tables.ts",
    from: "changes.push(sumOfBill(bill));",
    to: "this.#bills.add(sumOfBill(bill));",
  },
  {
    name: "a higher price of a booked bid is lost",
    file: "worker/src/ledger/tables.ts",
    from: "if (more < 0 || (more === 0 && rise <= 0)) {",
    to: "if (more < 0 || (more === 0 && rise <= 1e9)) {",
  },
  {
    name: "an object of the ledger sets no alarm",
    file: "worker/src/ledger/ledger.ts",
    from: "this.ctx.waitUntil(this.ctx.storage.setAlarm(handoverAt(shard)));",
    to: "",
  },
  {
    name: "a lost alarm of the ledger is not set again",
    file: "worker/src/ledger/ledger.ts",
    from: "if (alarm !== null || this.#tables.shard !== shard) return undefined;",
    to: "return undefined;",
  },
  {
    name: "an assumed price is kept although the exchange's server tells a lower one",
    file: "worker/src/ledger/tables.ts",
    from: "const more = certainty(bill) - certainty(before);",
    to: "const more = 0;",
  },
  {
    name: "an object is deleted before the summary has its totals",
    file: "worker/src/ledger/ledger.ts",
    from: "await this.#handOver(shard, [...days], [...weights]);",
    to: "this.#handOver(shard, [...days], [...weights]).catch(() => {});",
  },
  {
    name: "the summary takes the totals of an object again",
    file: "worker/src/ledger/summary.ts",
    from: "if (rowsWritten === 0) return;",
    to: "",
  },
  {
    name: "a report counts an object that is handing over twice",
    file: "worker/src/ledger/report.ts",
    from: " || [...this.#added].some((shard) => this.#absorbed.has(shard))",
    to: "",
  },
  {
    name: "bills that the pacer did not get are not sent again",
    file: "worker/src/ledger/changes.ts",
    from: "taken === this.#batch - 1) {\n      return this.#answer(this.#sent, false);",
    to: 'taken === this.#batch - 1) {\n      return this.#answer("", false);',
  },
  {
    name: "a pacer that starts again gets only new bills",
    file: "worker/src/ledger/changes.ts",
    from: "const taken = ack?.instance === this.#instance ? ack.batch : Number.NaN;",
    to: "const taken = this.#since === null ? Number.NaN : this.#batch;",
  },
  {
    name: "the pacer does not set its alarm again",
    file: "worker/src/pacing/pacer.ts",
    from: "await this.ctx.storage.setAlarm(Date.now() + PACER_MS);",
    to: "",
  },
  {
    name: "with a late clock, the pacer's alarm rings again and again",
    file: "worker/src/pacing/pacer.ts",
    from: "if (since >= 0 && since < PACER_MS) await pause(PACER_MS - since);",
    to: "",
  },
  {
    name: "shares look ten minutes younger",
    file: "worker/src/pacing/exchange.ts",
    from: "this.#madeAt = age === null ? Math.min(made, now) : now - age;",
    to: "this.#madeAt = (age === null ? Math.min(made, now) : now - age) + 600_000;",
  },
  {
    name: "an isolate takes every share for the whole",
    file: "worker/src/pacing/exchange.ts",
    from: "sharesAt(shares, this.#madeAt)",
    to: 'sharesAt(shares, this.#madeAt).replace(/ \\d+$/gm, " 4294967295")',
  },
  {
    name: "bills are not read again when a campaign gets another time zone",
    file: "worker/src/pacing/pacer.ts",
    from: "this.#bills.repeat();",
    to: "",
  },
  {
    name: "a relay asks the pacer only once",
    file: "worker/src/pacing/relay.ts",
    from: "line.asking = undefined;",
    to: "",
  },
  {
    name: "a person's impressions are counted once",
    file: "worker/src/frequency/tables.ts",
    from: "JSON.stringify(added(before, now))",
    to: "JSON.stringify(added(null, now))",
  },
  {
    name: "an object of frequency caps sets no further alarm",
    file: "worker/src/frequency/frequency.ts",
    from: "await this.ctx.storage.setAlarm(Date.now() + wait);",
    to: "",
  },
  {
    name: "a new catalog does not know what is stopped",
    file: "worker/src/catalog/keeper.ts",
    from: "loaded.bidder.stop(this.#stopped);\n        this.#first = loaded;",
    to: "this.#first = loaded;",
  },
  {
    name: "prices of one currency are compared by the rate of the day",
    file: "worker/src/ledger/tables.ts",
    from: "const rise = before.cur === cur ? nanos - before.nanos : ownNanos - before.ownNanos;",
    to: "const rise = ownNanos - before.ownNanos;",
  },
  {
    name: "the number of shares is the time of a clock that may be set back",
    file: "worker/src/pacing/saved.ts",
    from: "this.#number = Math.max(now, this.#number + 1);",
    to: "this.#number = now;",
  },
  {
    name: "the reasons of a bid are those of no bid",
    file: "worker/src/ledger/ledger.ts",
    from: "return this.#tables.shard === null ? NOTHING : this.#tables.known(bid);",
    to: "return NOTHING;",
  },
  {
    name: "a person is forgotten in one region",
    file: "worker/src/frequency/objects.ts",
    from: "return REGIONS.map((_, region)",
    to: "return REGIONS.slice(0, 1).map((_, region)",
  },
  {
    name: "messages that the collector has refused are acknowledged",
    file: "worker/src/queue/deliver.ts",
    from: 'fail("collector", error);',
    to: "batch.ackAll(); return;",
  },
  {
    name: "events that the queue has refused are nowhere",
    file: "worker/src/queue/events.ts",
    from: "this.#logLost(batch);",
    to: "",
  },
  {
    name: "a bill that another isolate has booked without an answer has no event",
    file: "worker/src/routes/notice.ts",
    from: 'if (now !== null) isolate.events.add(eventOf("bill", verdict, now), env, ctx);\n  // A failed',
    to: 'if (booking === true || attempts > 1) isolate.events.add(eventOf("bill", verdict, now ?? bill), env, ctx);\n  // A failed',
  },
  {
    name: "an object that was handed over still reads its tables",
    file: "worker/src/ledger/ledger.ts",
    from: "this.#tables.forget();",
    to: "",
  },

  {
    name: "the number of the request decides whether a campaign with a budget bids",
    file: "worker/src/routes/bid.ts",
    from: "Math.floor(Math.random() * 2 ** 32)",
    to: "(bidder.lot(body, read.format) * 65_537) % 2 ** 32",
  },
  {
    name: "refused notices are counted nowhere",
    file: "worker/src/notices/tally.ts",
    from: "    this.#add(count);\n    this.#tick",
    to: "    this.#tick",
  },
  {
    name: "a bill that was refused for its price does not count against the budget",
    file: "worker/src/ledger/ledger.ts",
    from: "if (held && this.#tables.hold(bid, held)) for (const changes of this.#changes.values()) changes.hold(held);",
    to: "",
  },
  {
    name: "a notice of another kind bills",
    file: "crates/notices/src/settle/verdict.rs",
    from: "_ if of.is_some_and(|of| of != notice) => Verdict::refused(notice, Why::Forged),",
    to: "",
  },
  {
    name: "a price above the bid is booked",
    file: "crates/notices/src/settle/verdict.rs",
    from: "if !token.books_bid && price.0 > token.price.0.saturating_add(margin) {",
    to: "if false {",
  },
  {
    name: "a token that was changed is accepted",
    file: "crates/notices/src/token.rs",
    from: "tag.iter().zip(other).fold(0, |differing, (a, b)| differing | a ^ b) == 0",
    to: "tag.iter().zip(other).take(1).fold(0, |differing, (a, b)| differing | a ^ b) == 0",
  },
  {
    name: "a price in a currency that is worth more is compared without its rate",
    file: "crates/notices/src/settle/verdict.rs",
    from: "let Some(price) = self.catalog.rates.convert(stated, claim.cur, token.cur, Rounding::Down) else {",
    to: "let Some(price) = Some(stated) else {",
  },
  {
    name: "every deal that a request calls guaranteed goes beyond the budget",
    file: "crates/auction/src/pace.rs",
    from: "deal.filter(|deal| deal.guar).is_some_and(is_agreed)",
    to: "deal.filter(|deal| deal.guar).is_some_and(|deal| is_agreed(deal) || true)",
  },
];
