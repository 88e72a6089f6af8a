//! A plain evaluator of DTE's files: what the published evaluators do, without their caches. It is the one that counts
//! and checks here; `integrations/dte` compares it with theirs.

import { type Feature, MAX_KEYS, type Model } from "./dte.ts";
import { namesOf, rawAt, rawOf } from "./raw.ts";

/** The texts of a field in a request; none if the request does not have it. */
export type Texts = (field: string) => string[];

/** Whether a request is filtered: whether every model says that it is worth little. */
export type Filter = (texts: Texts) => boolean;

/** Prepares the models of a folder. */
export function filterOf(models: Model[]): Filter {
  const ready = models.map((model) => ({ model, tuples: new Set(model.tuples) }));
  return (texts) =>
    ready.every(({ model: { features, modelType }, tuples }) => {
      const hit = keysOf(features.map((feature) => valuesOf(feature, texts))).some((key) => tuples.has(key));
      return hit === (modelType === "LowValue");
    });
}

/** The texts as an evaluator takes them from JSON: numbers and escapes as they are written. */
export function textsOfJson(json: string): Texts {
  const value = rawOf(json);
  return (field) => rawAt(value, field);
}

/** The texts of a map from fields to values that the exchange has decoded. */
export function textsOfMap(json: string): Texts {
  const request: unknown = JSON.parse(json);
  const at = (value: unknown, [name, ...rest]: string[]): unknown[] => {
    if (name === undefined) return value === undefined ? [] : [value];
    if (name === "*") return Array.isArray(value) ? value.flatMap((item) => at(item, rest)) : [];
    return value === null || typeof value !== "object" ? [] : at((value as Record<string, unknown>)[name], rest);
  };
  return (field) =>
    at(request, namesOf(field)).map((value) => (typeof value === "object" ? JSON.stringify(value) : String(value)));
}

/** The values of a feature. */
export function valuesOf(
  { fields, transformation, mapping = {}, mappingDefaultValue = "" }: Feature,
  texts: Texts,
): string[] {
  let values = fields.flatMap(texts);
  for (const step of transformation) {
    if (step === "Exists") values = values.map((value) => (value === "" ? "0" : "1"));
    else if (step === "GetFirstNotEmpty") values = [values.find((value) => value !== "") ?? ""];
    else if (step === "ApplyMappings")
      values = values.map((value) =>
        Object.hasOwn(mapping, value) ? (mapping[value] as string) : mappingDefaultValue,
      );
    else if (step === "ConcatenateByPair") values = pairs(values);
    else values = [...values, mappingDefaultValue].filter((value) => value !== "");
  }
  return values;
}

function pairs(values: string[]): string[] {
  return values.flatMap((first, at) => {
    const second = values[at + 1];
    return at % 2 === 0 && first !== "" && second ? [`${first}x${second}`] : [];
  });
}

/** Every combination of values; the first ones if there are too many, of which the last parts may be missing. */
function keysOf(lists: string[][]): string[] {
  if (lists.some((list) => list.length === 0)) return [];
  let keys = [""];
  for (const list of lists) {
    const next = keys.flatMap((key) => list.map((value) => (key === "" ? value : `${key}|${value}`)));
    if (next.length >= MAX_KEYS) return next.slice(0, MAX_KEYS);
    keys = next;
  }
  return keys;
}
