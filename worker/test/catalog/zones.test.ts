//! Time zones come from the runtime, with daylight saving time, and what has changed since from a table.

import { expect, it, vi } from "vitest";
import { CatalogRefused } from "../../../shared/catalog/compile.ts";
import { NEWER } from "../../../shared/time/newer-zones.ts";
import { changesOf } from "../../../shared/time/zones.ts";
import type { Bidder } from "../../../shared/wasm/bidder.ts";
import { json, smallCatalog, smallRequest } from "../support/catalogs.ts";
import { bidderOf } from "../support/fixtures.ts";

/** The zone's offset at a time, by the module's rule: the last change before that time. */
function offsetAt(name: string, at: number): number | undefined {
  const changes = changesOf(name)[0]?.changes ?? [];
  let offset = changes[1];
  for (let i = 0; i < changes.length; i += 2) {
    if ((changes[i] ?? 0) <= at) offset = changes[i + 1];
  }
  return offset;
}

it.each([
  ["Europe/Berlin", Date.UTC(2094, 2, 28, 0, 59), 60],
  ["Europe/Berlin", Date.UTC(2094, 2, 28, 1), 120],
  ["Europe/Berlin", Date.UTC(2094, 9, 31, 0, 59), 120],
  ["Europe/Berlin", Date.UTC(2094, 9, 31, 1), 60],
  ["America/New_York", Date.UTC(2094, 10, 7, 5, 59), -240],
  ["America/New_York", Date.UTC(2094, 10, 7, 6), -300],
  ["Asia/Kolkata", Date.UTC(2094, 6, 1), 330],
  ["Australia/Lord_Howe", Date.UTC(2094, 6, 1), 630],
  ["UTC", Date.UTC(2094, 6, 1), 0],
])("%s at %i is %i minutes from UTC", (name, at, offset) => {
  expect(offsetAt(name, at)).toBe(offset);
});

it.each([
  ["America/Winnipeg", Date.UTC(2026, 6, 1), -300],
  ["America/Winnipeg", Date.UTC(2026, 11, 1), -300],
  ["Canada/Central", Date.UTC(2026, 11, 1), -300],
  ["america/winnipeg", Date.UTC(2026, 11, 1), -300],
  ["America/Winnipeg", Date.UTC(2026, 0, 15), -360],
  ["America/Havana", Date.UTC(2026, 11, 1), -240],
  ["America/Vancouver", Date.UTC(2027, 0, 15), -420],
  ["Africa/Casablanca", Date.UTC(2026, 11, 1), 0],
  ["America/New_York", Date.UTC(2026, 11, 1), -300],
])("%s at %i is %i minutes from UTC, by rules of 2026", (name, at, offset) => {
  vi.setSystemTime(Date.UTC(2026, 10, 28));
  expect(offsetAt(name, at)).toBe(offset);
  expect(changesOf(name)[0]?.changes[0]).toBe(Date.UTC(2025, 0, 1));
  vi.useRealTimers();
});

it("each newer zone has ascending changes of its offset", () => {
  for (const changes of Object.values(NEWER.zones))
    for (let at = 2; at < changes.length; at += 2) {
      expect(changes[at]).toBeGreaterThan(changes[at - 2] ?? 0);
      expect(changes[at + 1]).not.toBe(changes[at - 1]);
    }
});

it("an unknown name has no changes", () => {
  expect(changesOf("Europe/Atlantis")).toEqual([]);
});

function bidderIn(zone: string): Bidder {
  return bidderOf(json(smallCatalog([{ cid: "c", target: { zone, hours: [{ from: 8, to: 9 }] } }])));
}

it("a campaign bids at the hours of its zone, in summer and in winter", () => {
  const bidder = bidderIn("Europe/Berlin");
  const count = (now: number) => bidder.decide({ body: smallRequest(), ssp: 0, now }).count;
  expect(count(Date.UTC(2094, 6, 1, 6, 30))).toBe("bid");
  expect(count(Date.UTC(2094, 6, 1, 7, 30))).toBe("hours");
  expect(count(Date.UTC(2094, 11, 1, 7, 30))).toBe("bid");
  expect(count(Date.UTC(2094, 11, 1, 6, 30))).toBe("hours");
});

it("a catalog with a zone that the runtime does not know is refused", () => {
  expect(() => bidderIn("Europe/Atlantis")).toThrow(CatalogRefused);
  expect(() => bidderIn("Europe/Atlantis")).toThrow("campaigns[0].target.zone (c): ");
});
