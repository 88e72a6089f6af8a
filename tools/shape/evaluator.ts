//! A plain evaluator of DTE's files: what the published evaluators do, without their caches. It is the one that counts
//! and checks here; `integrations/dte` compares it with theirs. Of attributes with one name it takes the last, as the
//! bidder does; the evaluator in Go takes the first.

import { type Feature, MAX_KEYS, type Model } from "./dte.ts";

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
  return textsIn(JSON.parse(json, asWritten));
}

/** The texts of a map from fields to values that the exchange has decoded. */
export function textsOfMap(json: string): Texts {
  return textsIn(JSON.parse(json));
}

function textsIn(request: unknown): Texts {
  const at = (value: unknown, [name, ...rest]: string[]): unknown[] => {
    if (name === undefined) return value === undefined ? [] : [value];
    if (name === "*") return Array.isArray(value) ? value.flatMap((item) => at(item, rest)) : [];
    return value === null || typeof value !== "object" ? [] : at((value as Record<string, unknown>)[name], rest);
  };
  const textOf = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : String(value));
  return (field) => at(request, namesOf(field)).map(textOf);
}

/** A scalar by its source, which is without quotes. */
function asWritten(_: string, value: unknown, context?: { source?: string }): unknown {
  return context?.source?.replace(/^"|"$/g, "") ?? value;
}

const known = new Map<string, string[]>();

/** `$.imp[0].w` as `imp`, `0`, `w`. */
function namesOf(path: string): string[] {
  const names =
    known.get(path) ??
    path
      .slice(2)
      .split(/[.[\]]+/)
      .filter(Boolean);
  known.set(path, names);
  return names;
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
