//! Windows of buckets against a twin that keeps every impression.

import * as fc from "fast-check";
import { expect, it } from "vitest";
import { added, type Counts, keptSeconds, seen } from "../../../shared/frequency/buckets.ts";
import type { Cap } from "../../../shared/frequency/decide.ts";

/** Seconds of a period and of one of its buckets. */
const PERIODS = { hour: [3600, 300], day: [86_400, 3600], week: [7 * 86_400, 21_600] } as const;

it("a window counts every impression of its period, and none that is a bucket older", () => {
  const waits = fc.array(fc.oneof(fc.nat(400), fc.nat(8000), fc.nat(200_000)), { maxLength: 60 });
  fc.assert(
    fc.property(fc.nat(2_000_000_000), waits, fc.nat(700_000), (start, waits, last) => {
      let [counts, now]: [Counts | null, number] = [null, start];
      const all: number[] = [];
      for (const wait of waits) {
        now += wait;
        counts = added(counts, now);
        all.push(now);
      }
      if (counts === null) return;
      now += last;
      for (const [per, [period, bucket]] of Object.entries(PERIODS)) {
        const found = seen(counts, per as Cap["per"], now);
        expect(found).toBeGreaterThanOrEqual(all.filter((at) => at > now - period).length);
        expect(found).toBeLessThanOrEqual(all.filter((at) => at > now - period - bucket).length);
      }
      expect(seen(counts, "lifetime", now)).toBe(all.length);
      expect(JSON.stringify(counts).length).toBeLessThan(1700);
    }),
  );
});

it("counts are kept as long as a cap counts them", () => {
  expect(keptSeconds([])).toBe(0);
  for (const [per, [period, bucket]] of Object.entries(PERIODS)) {
    const kept = keptSeconds([
      { n: 1, per: "hour" },
      { n: 9, per: per as Cap["per"] },
    ]);
    expect(kept).toBe(period + bucket);
    expect(seen(added(null, 1_000_000), per as Cap["per"], 1_000_000 + kept)).toBe(0);
  }
  expect(keptSeconds([{ n: 1, per: "lifetime" }])).toBe(180 * 86_400);
});
