//! Whether a published shape still fits a catalog: whether some campaign asks for what it filters. Compares tuples, so
//! it may name a campaign whose requests pass in fact, and never misses one whose requests do not.

import { Failure } from "../../build/failure.mjs";
import { demandOf } from "./campaigns.ts";
import { ANY, type Model } from "./dte.ts";
import { isSeen, required } from "./features.ts";
import { readDte, sspsIn } from "./files.ts";
import { Inventory } from "./inventory.ts";
import { PLAIN_MODEL, product, type Row, rowsOf } from "./models.ts";

/** The most campaigns that a sentence names. */
const FIRST = 5;

/**
 * A sentence for each SSP's shape in a folder that filters what a campaign of the snapshot asks for, or that cannot be
 * read. `catalog`: its name in a command.
 */
export function missedBy(folder: string, snapshot: Uint8Array, catalog: string, now: number, only?: string): string[] {
  return (only === undefined ? sspsIn(folder) : [only]).flatMap((ssp) => {
    try {
      const demand = demandOf(snapshot, ssp, now);
      const published = readDte(folder, ssp, now);
      const inventory = inventoryOf(published);
      const rows = demand.campaigns.flatMap((campaign) => rowsOf(campaign, demand, inventory));
      const cids = [...new Set(uncovered(rows, published).map(({ cid }) => cid))];
      const more = cids.length > FIRST ? ` and ${cids.length - FIRST} more` : "";
      const publish = `npx edgebid shape --catalog ${catalog} --ssp ${ssp} --to dte ${folder}`;
      return cids.length === 0
        ? []
        : [
            `the shape ${folder}/${ssp} filters what these ask for: ${cids.slice(0, FIRST).join(", ")}${more}; publish it first: ${publish}`,
          ];
    } catch (error) {
      if (error instanceof Failure) return [error.message];
      throw error;
    }
  });
}

/** The domains and apps that a published shape knows. */
function inventoryOf(models: Model[]): Inventory {
  const inventory = new Inventory();
  for (const { name, mapping = {} } of models.flatMap(({ features }) => features))
    if (isSeen(name)) for (const text of Object.keys(mapping)) inventory.add(name, text);
  return inventory;
}

/** The rows that no model of a published shape lets through. */
export function uncovered(rows: Row[], published: Model[]): Row[] {
  const models = published
    .filter(({ identifier }) => identifier !== PLAIN_MODEL)
    .map((model) => ({ model, tuples: new Set(model.tuples) }));
  return rows.filter((row) => {
    const given = new Set(required(row.channel, row.slot).flatMap(({ features }) => features.map(({ name }) => name)));
    return !models.some(({ model, tuples }) => covers(model, tuples, row, given));
  });
}

/** Whether a model lets every request of a row through. `given`: the attributes that each of them has. */
function covers({ features }: Model, tuples: Set<string>, { values }: Row, given: Set<string>): boolean {
  const lists: string[][] = [];
  for (const { name, transformation } of features) {
    const isPresence = transformation.includes("Exists");
    if (isPresence && !given.has(name)) return false;
    lists.push(isPresence ? ["1"] : ((values as Record<string, string[] | undefined>)[name] ?? [ANY]));
  }
  return product(lists).every((tuple) => {
    const either = tuple.split("|").map((value) => [value, ANY]);
    return product(either).some((one) => tuples.has(one));
  });
}
