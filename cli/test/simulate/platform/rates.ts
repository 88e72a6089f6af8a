//! How often each thing goes wrong in one world.

import type { Dice } from "./dice.ts";

/** Each fault: its rate without it, and the least and the most with it. */
const FAULTS = {
  /** Calls that are up to eight seconds late, that get lost, and that are done while their answer gets lost. */
  late: [0, 0.002, 0.05],
  lost: [0, 0.001, 0.03],
  unanswered: [0, 0.001, 0.2],
  /** Objects that end after one of their turns, and all at once, as with a deployment: in one of so many minutes. */
  kills: [0, 0.00002, 0.001],
  deploys: [0, 0.02, 0.1],
  /** Relays and isolates that end in a minute. */
  relayEnds: [0, 0.05, 1],
  isolateEnds: [0.02, 0.1, 0.5],
  /** Statements that throw, confirmations that fail, and the most milliseconds of one. */
  throws: [0, 0.0002, 0.01],
  fails: [0, 0.0002, 0.01],
  slowest: [8, 50, 2000],
  /** Alarms that are lost, that come twice, or late, and by how many seconds. */
  lostAlarms: [0, 0.002, 0.05],
  twice: [0, 0.02, 0.3],
  lateAlarms: [0, 0.01, 0.2],
  alarmSeconds: [2, 5, 60],
  /** Milliseconds by which clocks are wrong. */
  skew: [20, 200, 2000],
  /** Minutes in which the clock of an object is set forward or back by hours. */
  jumps: [0, 0.01, 0.1],
  /** Calls that KV refuses, and seconds until all locations see a write. */
  kvRefuses: [0, 0.02, 0.4],
  kvStaleness: [10, 20, 60],
  /** Calls that the queue refuses; posts that the collector refuses, and that it takes while its answer gets lost. */
  queueRefuses: [0, 0.01, 0.3],
  collectorRefuses: [0, 0.02, 0.5],
  collectorLoses: [0, 0.02, 0.3],
  /** Minutes in which an object begins to answer nothing, and in which its disk is full. */
  silent: [0, 0.01, 0.1],
  full: [0, 0.01, 0.1],
  /** Minutes with ten times the requests. */
  bursts: [0, 0.01, 0.05],
  /** Bills that are sent twice, and again with a higher price. */
  doubled: [0.01, 0.05, 0.3],
  raised: [0, 0.02, 0.2],
  /** Bids whose notice has no price that can be used; they are billed later as they should. */
  unpriced: [0, 0.01, 0.1],
  /** Bills of one exchange that come an hour late, or all when the next batch is due. */
  lateBills: [0, 0.2, 1],
  batches: [0, 0.2, 1],
  /** Minutes of such a batch. */
  batchMinutes: [15, 1, 60],
  /** Requests a second of an exchange that cheats. */
  hostile: [0, 0.1, 1],
  /** Minutes in which a catalog with other budgets is pushed, and in which campaigns are stopped or resumed. */
  pushes: [0, 0.02, 0.1],
  stops: [0, 0.02, 0.1],
  /** Minutes in which a catalog is pushed that lacks a campaign of the order. */
  leaves: [0, 0.02, 0.1],
  /** Several pacers: from the start on, or in the middle of the world. */
  pacers: [0, 0.1, 1],
} as const;

export type Fault = keyof typeof FAULTS;
export type Rates = Record<Fault, number>;

export const ALL = Object.keys(FAULTS) as Fault[];

/** In a world, this part of the faults is on. */
const PART = 0.3;

/** The world without faults. */
export function healed(): Rates {
  return Object.fromEntries(ALL.map((name) => [name, FAULTS[name][0]])) as Rates;
}

/** The faults of a seed. Each has dice of its own, so that leaving one out changes no other. */
export function drawn(diceOf: (part: string) => Dice): Rates {
  const rates = healed();
  for (const name of ALL) {
    const dice = diceOf(`fault ${name}`);
    const [, least, most] = FAULTS[name];
    // Small rates are as likely as large ones.
    if (dice.chance(PART)) rates[name] = least * (most / least) ** dice.unit();
  }
  return rates;
}

/** The faults that are on. */
export function faultsIn(rates: Rates): Fault[] {
  return ALL.filter((name) => rates[name] !== FAULTS[name][0]);
}
