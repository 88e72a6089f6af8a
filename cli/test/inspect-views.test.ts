//! The parts of the inspector's views that need no page: rates, lengths of bars, words of a shell, and the search.

import fc from "fast-check";
import { expect, test } from "vitest";
import { quoted } from "../../worker/inspect/parts/command.ts";
import { grouped } from "../../worker/inspect/parts/text.ts";
import { matcher } from "../../worker/inspect/views/catalog/campaign.ts";
import { columnOf, lengthOf, rateText } from "../../worker/inspect/views/money/report.ts";
import { decimal, rounded } from "../../worker/src/report/decimal.ts";

test("a rate keeps all its places", () => {
  expect(rateText("")).toBe("–");
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 30_000 }), (parts) => {
      const rate = rounded(BigInt(parts), 10_000n, 4);
      expect(rateText(rate)).toBe(`${(parts / 100).toFixed(2)} %`);
    }),
  );
});

test("the length of an amount is exact, and 0 without one", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 70n }), (nanos) => {
      expect(lengthOf(decimal(nanos))).toBe(nanos);
    }),
  );
  expect([lengthOf(undefined), lengthOf("–")]).toEqual([0n, 0n]);
});

test("the amounts of a column have the same number of places, and stay the same amounts", () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: 0n, max: 2n ** 70n }), { minLength: 1 }), (column) => {
      const amounts = column.map((nanos) => decimal(nanos));
      const texts = amounts.map(columnOf(amounts));
      expect(texts.map(lengthOf)).toEqual(column);
      const places = new Set(texts.map((text) => text.split(".")[1]?.length ?? 0));
      expect(places.size).toBe(1);
      expect(Math.min(...places)).toBeGreaterThanOrEqual(2);
    }),
  );
  expect(columnOf(["", "1.5"])("")).toBe("–");
});

test("numbers have a comma before every third digit", () => {
  fc.assert(
    fc.property(fc.nat(), (number) => {
      expect(grouped(number)).toBe(number.toLocaleString("en-US"));
    }),
  );
});

test("a shell reads a quoted id as one word, the same", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (text) => {
      const word = quoted(text);
      if (/^[\w.:@%+,/-]+$/.test(word)) expect(word).toBe(text);
      // In single quotes a shell changes nothing; a quote itself stands outside of them, behind a backslash.
      else expect(word.replace(/^'|'$/g, "").split("'\\''").join("'")).toBe(text);
      expect(word.replaceAll("'\\''", "").replace(/^'|'$/g, "")).not.toContain("'");
    }),
  );
});

test("the search finds campaigns by words of everything that is told of them", () => {
  const campaign = {
    ...{ cid: "velo-europe", name: "Velo", paused: false, capped: true, shaded: false, creatives: ["velo-300x250"] },
    sections: [{ about: "bids where", sentences: ["Only where the country is DEU or FRA."] }],
  };
  for (const words of ["", "velo", "VELO deu", "300x250", "caps fra"]) expect(matcher(words)(campaign)).toBe(true);
  for (const words of ["paused", "shading", "velo usa"]) expect(matcher(words)(campaign)).toBe(false);
});
