//! What the campaigns could buy, as lines for a person at an exchange: each value with the number of campaigns that ask
//! for it, and the share of the requests that have it. Without domains and apps, of which only spellings are known.

import type { Feature } from "./dte.ts";
import { type Texts, valuesOf } from "./evaluator.ts";
import { CHANNELS, DEALS, DIMENSIONS, feature, isSeen, type Slot } from "./features.ts";
import type { Row } from "./models.ts";

/** A line. `value` is `any` for the campaigns that take every value. */
export interface Line {
  dimension: string;
  value: string;
  campaigns: number;
  /** The part of the requests, 0 to 1. */
  share: number;
}

const FORMATS = ["banner", "video", "audio", "native"] as const;
const LISTED = DIMENSIONS.filter((dimension) => !isSeen(dimension));
/** The slots in which a dimension has values, if not in all. */
const SLOTS: Record<string, Slot[]> = { size: ["banner"], pos: ["banner", "video"] };

export class Table {
  /** By dimension and value, the campaigns and the number of requests. */
  readonly #lines = new Map<string, Map<string, { cids: Set<string>; requests: number }>>();
  readonly #features: (readonly [dimension: string, feature: Feature])[];
  #seen = 0;

  constructor(rows: Row[]) {
    for (const { cid, channel, slot, values } of rows) {
      this.#add("channel", channel, cid);
      if (FORMATS.some((format) => format === slot)) this.#add("format", slot, cid);
      for (const dimension of LISTED) {
        if (slot === "deal" || SLOTS[dimension]?.includes(slot) === false) continue;
        for (const value of values[dimension] ?? ["any"]) this.#add(dimension, value, cid);
      }
      for (const deal of values.deal ?? []) this.#add("deal", deal, cid);
    }
    this.#features = [
      ...CHANNELS.map((channel) => ["channel", named(channel, `$.${channel}`)] as const),
      ...FORMATS.map((format) => ["format", named(format, `$.imp[0].${format}`)] as const),
      ...LISTED.flatMap((dimension) => {
        const values = [...(this.#lines.get(dimension)?.keys() ?? [])];
        return (SLOTS[dimension] ?? ["banner"]).map(
          (slot) => [dimension, feature(dimension, slot, values, false)] as const,
        );
      }),
      ["deal", DEALS],
    ];
  }

  /** Counts a request. */
  see(texts: Texts): void {
    this.#seen++;
    const found = this.#features.flatMap(([dimension, feature]) =>
      valuesOf(feature, texts).map((value) => this.#lines.get(dimension)?.get(value)),
    );
    for (const line of new Set(found)) if (line) line.requests++;
  }

  /** The lines, by dimension, those that most campaigns ask for first. */
  lines(): Line[] {
    return [...this.#lines].flatMap(([dimension, values]) => {
      const lines = [...values].map(([value, { cids, requests }]): Line => {
        return { dimension, value, campaigns: cids.size, share: value === "any" ? 1 : requests / this.#seen };
      });
      return lines.sort((a, b) => b.campaigns - a.campaigns || (a.value < b.value ? -1 : 1));
    });
  }

  #add(dimension: string, value: string, cid: string): void {
    const values = this.#lines.get(dimension) ?? new Map();
    this.#lines.set(dimension, values);
    const line = values.get(value) ?? { cids: new Set(), requests: 0 };
    values.set(value, line);
    line.cids.add(cid);
  }
}

/** A feature with this value if the request has the attribute. */
function named(value: string, field: string): Feature {
  const transformation = ["GetFirstNotEmpty", "Exists", "ApplyMappings"] as const;
  return {
    name: value,
    fields: [field],
    transformation: [...transformation],
    mapping: { "1": value },
    mappingDefaultValue: "-",
  };
}

/** The lines as CSV. */
export function csv(lines: Line[]): string {
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = lines.map(({ dimension, value, campaigns, share }) =>
    [dimension, quoted(value), campaigns, share.toFixed(4)].join(","),
  );
  return ["dimension,value,campaigns,share_of_requests", ...rows, ""].join("\n");
}
