//! `edgebid shading`: shows what learned shading knows about each spot, and stops, resumes or resets it.

import type { Learned, Spot } from "../../shared/pacing/budgets.ts";
import { rounded } from "../../shared/report/decimal.ts";
import { print } from "../catalog/print.ts";
import { askJson, expected } from "./client.ts";
import { type Column, number, shown, table, text } from "./table.ts";

/** Options of the command. */
export interface ShadingOptions {
  url: string;
  json?: boolean;
}

const NOTHING = "nothing is learned yet: it takes 100 notices of campaigns with learn_shading";
const BARS = "▁▂▃▄▅▆▇█";

const COLUMNS: Column<Spot>[] = [
  text("ssp", ({ ssp }) => shown(ssp)),
  text("spot", ({ place }) => spotText(place)),
  number("notices", ({ notices }) => `${notices}`),
  text("typical price", ({ bids }) => dollars(bids?.[2]?.value)),
  text("bid for it", ({ bids }) => dollars(bids?.[2]?.bid)),
  text("for 4 times", ({ bids }) => dollars(bids?.[6]?.bid)),
  text("part of the value", ({ bids = [] }) => bids.map(({ value, bid }) => barOf(bid / value)).join("")),
];

/** Prints what is known, after the order. Throws `Failure` if the bidder does not answer. */
export async function shading(order: string | undefined, { url, json }: ShadingOptions): Promise<void> {
  const call = order === undefined ? {} : { query: { do: order }, body: {} };
  const answer = await askJson<Learned>(url, "shading", call);
  const learned = expected(url, "learned shading", answer, "frozen");
  const { places: spots = [], frozen } = learned;
  const lines = [
    ...(frozen ? ["frozen: the bids stay as they are; npx edgebid shading thaw learns again"] : []),
    ...(spots.length > 0 ? table(COLUMNS, spots) : [NOTHING]),
  ];
  print(json, learned, lines.join("\n"));
}

/** Micros per mille as dollars. */
function dollars(micros: number | undefined): string {
  return micros === undefined ? "–" : rounded(BigInt(micros), 1_000_000n, 2);
}

function barOf(part: number): string {
  return BARS[Math.min(BARS.length - 1, Math.floor(part * BARS.length))] ?? "";
}

const KINDS = ["all media", "banner", "video", "audio", "native"];

/** The types of devices, as the AdCOM list "Device Types" numbers them. */
const DEVICES = ["mobile", "PC", "TV", "phone", "tablet", "connected device", "set-top box", "OOH device"];

/** A spot in words. Its placement is only a number, because a hash of `tagid` names it. */
function spotText(hex: string): string {
  const spot = Number.parseInt(hex, 16);
  const [kind, device, placement] = [spot & 7, (spot >> 3) & 15, spot >> 7];
  const parts = [
    placement > 0 && `placement ${placement.toString(16)}`,
    KINDS[kind] ?? `media ${kind}`,
    device > 0 && (DEVICES[device - 1] ?? `device ${device}`),
  ];
  return parts.filter(Boolean).join(", ");
}
