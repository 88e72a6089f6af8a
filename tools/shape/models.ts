//! Makes the models of a shape from the campaigns: one model for each channel, slot and kind of inventory, whose tuples are what some
//! campaign could buy there, and the model of plain requests. What cannot be said is left open.

import type { Campaign, Demand, Form } from "./campaigns.ts";
import { ANY, type Feature, type Model } from "./dte.ts";
import {
  ALWAYS,
  CHANNELS,
  type Channel,
  DEALS,
  DIMENSIONS,
  type Dimension,
  feature,
  INVENTORY,
  isSeen,
  type Part,
  PLAIN_DEALS,
  plainPart,
  required,
  type Slot,
  tupleValues,
} from "./features.ts";
import { Inventory } from "./inventory.ts";

/** The most tuples of a model. Above it, the dimension with most values is left open. */
export const MAX_TUPLES = 100_000;

/** The one model that filters what matches: requests that the evaluators and the bidder read in the same way. */
export const PLAIN_MODEL = "edgebid_plain_v1";

/** What a campaign could buy through one channel in one slot: the values of each dimension; absent: any. */
export interface Row {
  cid: string;
  channel: Channel;
  slot: Slot;
  values: Partial<Record<Dimension | "deal", string[]>>;
}

/** A model, and which campaign or limit left its dimensions open. */
export interface Group {
  channel: Channel;
  slot: Slot;
  rows: Row[];
  /** The dimensions in the tuples. */
  used: Dimension[];
  /** For each other dimension that some campaign restricts, why it is not used: a campaign, or the number of tuples. */
  open: { dimension: Dimension; because: string }[];
  model: Model;
}

/** The models of a shape. */
export interface Shape {
  rows: Row[];
  groups: Group[];
  models: Model[];
}

/** Makes the shape of the campaigns. `inventory`: the domains and apps of a recording; without them, all stay open. */
export function shapeOf(demand: Demand, inventory = new Inventory()): Shape {
  const rows = demand.campaigns.flatMap((campaign) => rowsOf(campaign, demand, inventory));
  const keyOf = ({ channel, slot, values }: Row) => [channel, slot, ...INVENTORY.filter((name) => values[name])];
  const all = [...Map.groupBy(rows, (row) => keyOf(row).join("-"))].map(([name, rows]) =>
    groupOf(name, rows, inventory),
  );
  const free = all.filter(({ slot, used }) => used.length === 0 && slot !== "deal");
  const isNeeded = (group: Group) =>
    !free.some((one) => one !== group && one.slot === group.slot && ["any", group.channel].includes(one.channel));
  const groups = all.filter(isNeeded);
  return { rows, groups, models: [...groups.map(({ model }) => model), plainModel(groups)] };
}

/** Where a campaign could buy. */
export function rowsOf(campaign: Campaign, { valuesOf }: Demand, inventory: Inventory): Row[] {
  const { cid, open, media = [], deals = [], sizes } = campaign;
  const channels = channelsOf(valuesOf(campaign, "channel"));
  const own = (dimension: Dimension | "deal", values: string[] | null | undefined) => {
    const told =
      values && (isSeen(dimension) ? inventory.valuesFor(dimension, values) : tupleValues(dimension, values));
    return told && { [dimension]: [...new Set(told)] };
  };
  const ofRequest = [...INVENTORY, "country", "devicetype"] as const;
  const request = Object.assign({}, ...ofRequest.map((dimension) => own(dimension, valuesOf(campaign, dimension))));
  const pos = own("pos", valuesOf(campaign, "pos"));
  const inSlot = (form: Form) => ({
    ...(form === "banner" && own("size", sizes)),
    ...((form === "banner" || form === "video") && pos),
  });
  const dealt = own("deal", deals);
  const slots: [Slot, Row["values"]][] = [
    ...(open || !dealt ? media.map((form): [Slot, Row["values"]] => [form, { ...request, ...inSlot(form) }]) : []),
    ["several", request],
  ];
  const made = channels.flatMap((channel) => slots.map(([slot, values]): Row => ({ cid, channel, slot, values })));
  return open || !dealt ? made : [...made, { cid, channel: "any", slot: "deal", values: dealt }];
}

/** The channels of which a campaign needs one. The values are sums of bits, one bit for each channel. */
function channelsOf(sums: string[] | null): Channel[] {
  return sums === null ? ["any"] : CHANNELS.filter((_, bit) => sums.includes(`${1 << bit}`));
}

function groupOf(name: string, rows: Row[], inventory: Inventory): Group {
  const [{ channel, slot }] = rows as [Row];
  const open: Group["open"] = [];
  const group = (used: Dimension[], features: Feature[], tuples: Iterable<string>): Group => {
    const parts = required(channel, slot);
    const first = parts.flatMap(({ allowed: [values = []] }) => values);
    const model: Model = {
      identifier: `edgebid_${name}_v1`,
      modelType: "HighValue",
      features: [...parts.flatMap(({ features }) => features), ...features],
      tuples: Array.from(tuples, (tuple) => [...first, ...(tuple === "" ? [] : [tuple])].join("|")),
    };
    return { channel, slot, rows, used, open, model };
  };
  if (slot === "deal") return group([], [DEALS], new Set(rows.flatMap(({ values: { deal = [] } }) => deal)));
  let used = DIMENSIONS.filter((dimension) => rows.some(({ values }) => values[dimension]));
  const free = rows.find(({ values }) => used.every((dimension) => !values[dimension]));
  if (free) {
    open.push(...used.map((dimension) => ({ dimension, because: `${free.cid} takes any` })));
    used = [];
  }
  for (;;) {
    const tuples = tuplesOf(rows, used);
    if (tuples !== null) {
      const features = used.map((dimension) => {
        const isOpen = !rows.every(({ values }) => values[dimension]);
        return feature(dimension, slot, valuesIn(rows, dimension), isOpen, inventory);
      });
      return group(used, features, tuples);
    }
    const dropped = used.reduce((most, one) => (valuesIn(rows, one).size > valuesIn(rows, most).size ? one : most));
    open.push({ dimension: dropped, because: `more than ${MAX_TUPLES} tuples` });
    used = used.filter((dimension) => dimension !== dropped);
  }
}

function valuesIn(rows: Row[], dimension: Dimension): Set<string> {
  return new Set(rows.flatMap(({ values }) => values[dimension] ?? []));
}

/** The tuples of all rows; null if they are too many. */
function tuplesOf(rows: Row[], used: Dimension[]): Set<string> | null {
  const tuples = new Set<string>();
  for (const { values } of rows) {
    const lists = used.map((dimension) => values[dimension] ?? [ANY]);
    if (lists.reduce((product, list) => product * list.length, 1) > MAX_TUPLES) return null;
    for (const tuple of product(lists)) tuples.add(tuple);
    if (tuples.size > MAX_TUPLES) return null;
  }
  return tuples;
}

/** The texts with one value of each list, joined by `|`. */
export function product(lists: string[][]): string[] {
  return lists.reduce<string[]>(
    (texts, list, at) => texts.flatMap((text) => list.map((value) => (at === 0 ? value : `${text}|${value}`))),
    [""],
  );
}

function plainModel(groups: Group[]): Model {
  const used = DIMENSIONS.filter((dimension) => groups.some((group) => group.used.includes(dimension)));
  const rows = groups.flatMap(({ rows }) => rows);
  const parts: Part[] = [
    ...ALWAYS,
    ...used.flatMap((dimension) => plainPart(dimension, dimension === "size" ? valuesIn(rows, "size") : [])),
    ...(groups.some(({ slot }) => slot === "deal") ? [PLAIN_DEALS] : []),
  ];
  const tuples = product(parts.map(({ allowed }) => allowed.map((values) => values.join("|"))));
  return {
    identifier: PLAIN_MODEL,
    modelType: "LowValue",
    features: parts.flatMap(({ features }) => features),
    tuples,
  };
}
