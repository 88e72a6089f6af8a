//! The inspector's changes to the text of a request: they agree with a dull way over parsed JSON, and leave the rest of the text.

import fc from "fast-check";
import { expect, it } from "vitest";
import { formatted, spans, withValue } from "../../worker/inspect/views/request/ask/json.ts";

/** Names without the characters of paths. */
const name = fc.stringMatching(/^[a-z_]{1,4}$/);
const scalar = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.string());
const { document } = fc.letrec((tie) => ({
  document: fc.dictionary(name, tie("value"), { maxKeys: 5, noNullPrototype: true }),
  value: fc.oneof({ maxDepth: 4 }, scalar, tie("document"), fc.array(tie("value"), { maxLength: 4 })),
}));
/** JSON of a document, in one line or in many. */
const texts = fc
  .tuple(document, fc.constantFrom(undefined, 1, "\t"))
  .map(([value, space]) => JSON.stringify(value, null, space));

/** All values of a document by their paths. */
function values(value: unknown, path = "", found = new Map<string, unknown>()): Map<string, unknown> {
  found.set(path, value);
  if (Array.isArray(value)) for (const [n, item] of value.entries()) values(item, `${path}[${n}]`, found);
  else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) values(member, path === "" ? key : `${path}.${key}`, found);
  }
  return found;
}

it("finds each value at its path", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const found = [...spans(text)].map(
        ([path, { start, end }]) => [path, JSON.parse(text.slice(start, end))] as const,
      );
      const byPath = (a: readonly [string, unknown], b: readonly [string, unknown]) => (a[0] < b[0] ? -1 : 1);
      expect(found.sort(byPath)).toEqual([...values(JSON.parse(text))].sort(byPath));
    }),
  );
});

it("replaces and removes a value, and changes nothing else", () => {
  fc.assert(
    fc.property(texts, fc.nat(), scalar, (text, n, value) => {
      const paths = [...values(JSON.parse(text)).keys()].filter((path) => path !== "" && !path.endsWith("]"));
      const path = paths[n % Math.max(1, paths.length)];
      if (path === undefined) return;
      const [replaced, removed] = [JSON.parse(text), JSON.parse(text)];
      const holder = (root: unknown): Record<string, unknown> => {
        const parts = path.match(/[^.[\]]+/g)?.slice(0, -1) ?? [];
        return parts.reduce((at, part) => (at as Record<string, unknown>)[part], root) as Record<string, unknown>;
      };
      const last = path.match(/[^.[\]]+$/)?.[0] ?? "";
      holder(replaced)[last] = value;
      delete holder(removed)[last];
      expect(JSON.parse(withValue(text, path, JSON.stringify(value)))).toEqual(replaced);
      expect(JSON.parse(withValue(text, path, null))).toEqual(removed);
    }),
  );
});

it("adds a value that is not there, with the objects on its way", () => {
  fc.assert(
    fc.property(texts, scalar, (text, value) => {
      const added = JSON.parse(withValue(text, "UNKNOWN.list[0].member", JSON.stringify(value)));
      expect(added).toEqual({ ...JSON.parse(text), UNKNOWN: { list: [{ member: value }] } });
    }),
  );
});

it.each([
  ['{"imp":[{"id":"1"}]}', "imp[0].bidfloor", "2.50", '{"imp":[{"id":"1", "bidfloor": 2.50}]}'],
  ['{\n  "at": 1\n}', "tmax", "120", '{\n  "at": 1,\n  "tmax": 120\n}'],
  ["{}", "imp[0].pmp.deals[0].id", '"d"', '{"imp": [{"pmp": {"deals": [{"id": "d"}]}}]}'],
  ['{"device":null}', "device.geo.country", '"DEU"', '{"device":{"geo": {"country": "DEU"}}}'],
  ['{"imp":[]}', "imp[0].bidfloor", "1", '{"imp":[{"bidfloor": 1}]}'],
  ['{"imp":[{}]}', "imp[3].bidfloor", "1", '{"imp":[{}]}'],
  ['{"site":"text"}', "site.domain", '"a"', '{"site":"text"}'],
  ['{"at":1,"b":1e2}', "at", null, '{"b":1e2}'],
  ['{"b":1.50, "at":1}', "at", null, '{"b":1.50}'],
  ['{"at":1', "at", "2", '{"at":2'],
])("%s with %s = %s", (text, path, value, expected) => {
  expect(withValue(text, path, value)).toBe(expected);
});

it("formats without a change of any value, and leaves a text with an error", () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(formatted(text)).toBe(JSON.stringify(JSON.parse(text), null, 2));
    }),
  );
  expect(formatted('{"a":1.50,"b":[ ]}')).toBe('{\n  "a": 1.50,\n  "b": []\n}');
  expect(formatted('{"a":')).toBe('{"a":');
});

it("takes any text, and much nesting", () => {
  fc.assert(fc.property(fc.string(), (text) => void spans(text)));
  expect(spans("[".repeat(100_000)).size).toBe(0);
});
