//! What the campaigns could buy, as lines for a person at an exchange: each value with the number of campaigns that ask
//! for it, and the share of the requests that have it.

import { type Texts, valuesOf } from "./evaluator.ts";
import { DIMENSIONS as ALL, CHANNELS, DEALS, feature, isSeen, required, type Slot } from "./features.ts";
import type { Row } from "./models.ts";

/** A line. `value` is `any` for the campaigns that take every value. */
export interface Line {
  dimension: string;
  value: string;
  campaigns: number;
  /** The part of the requests, 0 to 1; null if none was counted. */
  share: number | null;
}

/** Domains and apps are as in the recording, so they are no lines for another person. */
const DIMENSIONS = ALL.filter((dimension) => !isSeen(dimension));

const SLOTS = ["banner", "video", "audio", "native"] as const;

/** Counts the requests of each line. */
export class Table {
  readonly #campaigns = new Map<string, Set<string>>();
  readonly #requests = new Map<string, number>();
  readonly #read: ((texts: Texts) => string[])[];
  #seen = 0;

  constructor(rows: Row[]) {
    for (const { cid, channel, slot, values } of rows) {
      this.#add("channel", channel, cid);
      if (slot !== "several" && slot !== "deal") this.#add("format", slot, cid);
      for (const deal of values.deal ?? []) this.#add("deal", deal, cid);
      for (const dimension of DIMENSIONS) {
        if (!hasDimension(slot, dimension)) continue;
        for (const value of values[dimension] ?? ["any"]) this.#add(dimension, value, cid);
      }
    }
    const valuesIn = (dimension: string) =>
      [...this.#campaigns.keys()].map(cells).flatMap(([name, value]) => (name === dimension ? [value] : []));
    const presences = [
      ...CHANNELS.map((channel) => ["channel", channel, required(channel, "deal")] as const),
      ...SLOTS.map((slot) => ["format", slot, required("any", slot)] as const),
    ];
    this.#read = [
      ...presences.map(([dimension, value, parts]) => (texts: Texts) => {
        const has = parts.every(({ features }) => features.every((one) => valuesOf(one, texts)[0] === "1"));
        return has ? [line(dimension, value)] : [];
      }),
      (texts) => valuesOf(DEALS, texts).map((deal) => line("deal", deal)),
      ...DIMENSIONS.map((dimension) => {
        const slots: Slot[] = dimension === "pos" ? ["banner", "video"] : ["banner"];
        const features = slots.map((slot) => feature(dimension, slot, valuesIn(dimension), false));
        return (texts: Texts) => features.flatMap((one) => valuesOf(one, texts).map((value) => line(dimension, value)));
      }),
    ];
  }

  /** Counts a request. */
  see(texts: Texts): void {
    this.#seen++;
    for (const key of new Set(this.#read.flatMap((read) => read(texts))))
      this.#requests.set(key, (this.#requests.get(key) ?? 0) + 1);
  }

  /** The lines, by dimension, those that most campaigns ask for first. */
  lines(): Line[] {
    const all = [...this.#campaigns].map(([key, cids]): Line => {
      const [dimension, value] = cells(key);
      const share = value === "any" ? 1 : (this.#requests.get(key) ?? 0) / this.#seen;
      return { dimension, value, campaigns: cids.size, share: this.#seen === 0 ? null : share };
    });
    const order = ["channel", "format", ...DIMENSIONS, "deal"];
    const at = ({ dimension }: Line) => order.indexOf(dimension);
    return all.sort((a, b) => at(a) - at(b) || b.campaigns - a.campaigns || (a.value < b.value ? -1 : 1));
  }

  #add(dimension: string, value: string, cid: string): void {
    const key = line(dimension, value);
    this.#campaigns.set(key, (this.#campaigns.get(key) ?? new Set()).add(cid));
  }
}

/** The lines as CSV. */
export function csv(lines: Line[]): string {
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = lines.map(({ dimension, value, campaigns, share }) =>
    [dimension, quoted(value), campaigns, share === null ? "" : share.toFixed(4)].join(","),
  );
  return ["dimension,value,campaigns,share_of_requests", ...rows, ""].join("\n");
}

const line = (dimension: string, value: string) => `${dimension} ${value}`;

function cells(key: string): [string, string] {
  const at = key.indexOf(" ");
  return [key.slice(0, at), key.slice(at + 1)];
}

function hasDimension(slot: Slot, dimension: string): boolean {
  if (dimension === "size") return slot === "banner";
  if (dimension === "pos") return slot === "banner" || slot === "video";
  return slot !== "deal";
}
