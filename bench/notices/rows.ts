//! Turns the measurements of `notices` into checks, figures, tables and a sentence.

import type { NoticeCounts } from "../instructions/notices.ts";
import { digits, median } from "../statistics.ts";
import type { Figure, Table } from "../suite.ts";
import { differences, ratios, rounds } from "../turns.ts";
import { BOOKINGS, type Booked, type Booking, type Call } from "./ways.ts";

/** One turn. `cpu_ms`: processor time of workerd; null if /proc cannot tell. */
export interface BookingTurn extends Booked {
  cpu_ms: number | null;
}

export interface Found {
  booked: Record<Booking, BookingTurn[]>;
  /** Microseconds of a call in each turn. */
  turns: Record<Call, number[]>;
  counts: NoticeCounts;
  /** Bids for each request of the mix. */
  bids_a_request: number;
}

export function checks(found: Found): Record<string, number> {
  const { counts, turns } = found;
  return {
    "notices.per_second_vs_rpc": median(ratios(perSecond(found, BOOKINGS.group), perSecond(found, BOOKINGS.single))),
    "notices.cpu_vs_rpc": median(ratios(cpu(found, BOOKINGS.single), cpu(found, BOOKINGS.group))),
    "notices.rows_per_bill": rowsPerBill(found, BOOKINGS.group),
    "notices.token_us": median(writingTimes(found)),
    "notices.read_us": median(turns.notice),
    "decide.notices_on_vs_off": counts.mix.on / counts.mix.off,
    "decide.notices_on_vs_off_production": counts.production.on / counts.production.off,
    "decide.notices_time_on_vs_off": median(ratios(turns.on, turns.off)),
  };
}

export function figures(found: Found): Figure[] {
  const { turns } = found;
  const single = perSecond(found, BOOKINGS.single);
  return [
    {
      name: "bills a second, group commit to a transaction each",
      unit: "ratio",
      better: "more",
      rounds: ratios(perSecond(found, BOOKINGS.group), single),
    },
    {
      name: "processor time of a bill, a transaction each to group commit",
      unit: "ratio",
      better: "more",
      rounds: ratios(cpu(found, BOOKINGS.single), cpu(found, BOOKINGS.group)),
    },
    {
      name: "a decision with notices to one without",
      unit: "time",
      better: "less",
      rounds: rounds(ratios(turns.on, turns.off)),
    },
    {
      name: "reading a notice to a decision",
      unit: "time",
      better: "less",
      rounds: rounds(ratios(turns.notice, turns.off)),
    },
  ];
}

export function bookingTable(found: Found, callers: number, campaigns: number): Table {
  return {
    title: `bills into one object of the ledger, ${callers} callers, ${campaigns} campaigns`,
    columns: ["way", "a second", "mean wait", "/ a transaction each", "CPU µs of a bill", "rows per bill", "bills"],
    rows: Object.values(BOOKINGS).map((way) => {
      const rate = perSecond(found, way);
      return [
        way,
        Math.round(median(rate)).toLocaleString("en"),
        // Each caller has one bill on its way, so a rate gives the mean wait (Little's law).
        `${digits((1000 * callers) / median(rate))} ms`,
        digits(median(ratios(rate, perSecond(found, BOOKINGS.single)))),
        digits(median(cpu(found, way))),
        way === BOOKINGS.nothing ? "–" : rowsPerBill(found, way).toFixed(3),
        way === BOOKINGS.nothing ? "–" : total(found.booked[way], ({ bills }) => bills).toLocaleString("en"),
      ];
    }),
  };
}

export function costTable(found: Found): Table {
  const { counts, turns } = found;
  const whole = (value: number) => Math.round(value).toLocaleString("en");
  const row = (what: string, us: number[], count: number, base: number) => [
    what,
    `${digits(median(us))} µs`,
    digits(median(ratios(us, turns.off))),
    whole(count),
    digits(count / base),
  ];
  const written = counts.mix.on - counts.mix.off;
  const { on, off } = counts.production;
  return {
    title: "a request of the mix with 1,000 campaigns, mean; a bid; a notice",
    columns: ["what", "median", "/ without", "instructions", "/ without"],
    rows: [
      row("a decision without notices", turns.off, counts.mix.off, counts.mix.off),
      row("a decision with notices", turns.on, counts.mix.on, counts.mix.off),
      row("writing the notices of one bid", writingTimes(found), written / found.bids_a_request, counts.mix.off),
      row("reading one notice", turns.notice, counts.notice, counts.mix.off),
      "nine no-bids for each bid, as in production",
      ["a decision without notices", "–", "–", whole(off), "1"],
      ["a decision with notices", "–", "–", whole(on), digits(on / off)],
    ],
  };
}

/** One sentence with the figures of this run. */
export function analysis(found: Found): string {
  const {
    "notices.per_second_vs_rpc": times = Number.NaN,
    "notices.rows_per_bill": rows = Number.NaN,
    "decide.notices_on_vs_off": instructions = Number.NaN,
    "decide.notices_on_vs_off_production": production = Number.NaN,
    "decide.notices_time_on_vs_off": time = Number.NaN,
  } = checks(found);
  return (
    `one object books ${Math.round(median(perSecond(found, BOOKINGS.group))).toLocaleString("en")} bills a second with group ` +
    `commit, ${digits(times)} times as many as with a transaction each, and writes ${digits(rows)} rows per bill. On the mix ` +
    `with ${digits(found.bids_a_request)} bids a request, a decision with notices executes ${digits(instructions)} of the ` +
    `instructions and takes ${digits(time)} of the time of one without; with nine no-bids for each bid ${digits(production)} ` +
    `of the instructions. The notices of one bid take ${digits(median(writingTimes(found)))} µs to write.`
  );
}

/** Bills a second in each turn. */
export function perSecond({ booked }: Found, way: Booking): number[] {
  return booked[way].map(({ bills, seconds }) => bills / seconds);
}

/** Processor time of a bill in microseconds, in each turn. */
function cpu({ booked }: Found, way: Booking): number[] {
  return booked[way].map(({ cpu_ms, bills }) => ((cpu_ms ?? Number.NaN) * 1000) / bills);
}

export function rowsPerBill({ booked }: Found, way: Booking): number {
  return total(booked[way], ({ rows }) => rows) / total(booked[way], ({ bills }) => bills);
}

/** Microseconds to write and sign the notices of one bid, in each turn: the difference of two decisions. */
export function writingTimes({ turns, bids_a_request }: Found): number[] {
  return differences(turns.on, turns.off).map((us) => us / bids_a_request);
}

function total(turns: Booked[], of: (turn: Booked) => number): number {
  return turns.reduce((sum, turn) => sum + of(turn), 0);
}
