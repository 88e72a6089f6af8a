//! The pacer's saved state, in the storage of a real object.

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { SAVE_MS } from "../../../shared/limits.ts";
import { pacerOf } from "../../src/pacing/objects.ts";
import { Saved } from "../../src/pacing/saved.ts";

const NOW = Date.parse("2094-03-14T12:00Z");
const HOUR = 3_600_000;

it("the numbers of shares rise over a restart, even if the clock is set back", async () => {
  await runInDurableObject(pacerOf(env), (_, { storage }) => {
    const before = new Saved(storage);
    before.nextNumber(NOW);
    before.write([""]);
    // The last shares before the next write, and those of the next instance.
    const last = before.nextNumber(NOW + SAVE_MS - 1);
    expect(new Saved(storage).nextNumber(NOW - HOUR)).toBeGreaterThan(last);
  });
});
