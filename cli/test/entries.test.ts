//! A catalog document in pieces has the same entries as the whole document.

import fc from "fast-check";
import { expect, test } from "vitest";
import { Entries } from "../../worker/src/formats/entries.ts";

const LISTS = ["campaigns", "creatives", 'a "list"', "é\\"];
const entry = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
const document = fc.record(
  {
    ...Object.fromEntries(LISTS.map((name) => [name, fc.array(entry, { maxLength: 4 })])),
    format: fc.oneof(fc.integer(), fc.string()),
    names: fc.array(fc.string(), { maxLength: 3 }),
  },
  { requiredKeys: [] },
);

test("wherever a document is cut, each entry comes once, whole, with the name of its list", () => {
  fc.assert(
    fc.property(document, fc.nat({ max: 2 }), fc.nat({ max: 2 }), fc.array(fc.nat({ max: 40 })), (...drawn) => {
      const [value, space, wanted, cuts] = drawn;
      const bytes = new TextEncoder().encode(JSON.stringify(value, null, space));
      const entries = new Entries(LISTS.slice(wanted));
      const found: [string, unknown][] = [];
      let from = 0;
      for (const length of [...cuts, bytes.byteLength]) {
        for (const [list, text] of entries.push(bytes.slice(from, from + length))) found.push([list, JSON.parse(text)]);
        from += length;
      }
      const lists = Object.entries<object[]>(JSON.parse(new TextDecoder().decode(bytes))).filter(([name]) =>
        LISTS.slice(wanted).includes(name),
      );
      expect(found).toEqual(lists.flatMap(([name, all]) => all.map((one) => [name, one])));
    }),
  );
});
