//! Whether a published shape still fits a catalog: whether some campaign asks for what it filters. Compares tuples, so
//! it may name a campaign whose requests pass in fact, and never misses one whose requests do not.

import { ANY, type Model } from "./dte.ts";
import { required } from "./features.ts";
import { PLAIN_MODEL, product, type Row } from "./models.ts";

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
