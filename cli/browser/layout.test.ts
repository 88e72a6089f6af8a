//! Every view of the inspector with data, in both themes, narrow and wide: the page is as wide as its window, and axe finds
//! nothing that keeps people from using it.

import { describe, expect, it } from "vitest";
import { bidsOn, requestText } from "../test/bidder.ts";
import { CANNED, canned } from "./canned.ts";
import { findings, open, overflow, page, unfold } from "./inspector.ts";
import { bidderWith, CHANGED, EXAMPLE } from "./pushed.ts";

const started = bidderWith([{ document: EXAMPLE }, { document: CHANGED }]);

/** The views; requests by their examples. */
const VIEWS = {
  "a banner": "request",
  "a video": "request?example=bid%2Fvideo",
  "a native ad": "request?example=bid%2Fnative",
  "a crawler": "request?example=no-bid%2Fcrawler",
  catalog: "catalog",
  money: CANNED,
  versions: "versions",
  live: "live",
};

describe.each(["light", "dark"] as const)("in the %s theme", (colorScheme) => {
  it.each(Object.entries(VIEWS))("%s fits its window, and axe finds nothing", async (name, hash) => {
    await page.emulateMedia({ colorScheme });
    if (name === "money") await canned();
    await open(started.bidder, hash);
    if (name === "live") {
      await bidsOn(started.bidder.origin, requestText);
      await page.getByRole("row", { name: "bid" }).waitFor();
    }
    await unfold();
    for (const width of [390, 820, 1600]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await overflow(), `at ${width} pixels`).toBeLessThanOrEqual(0);
      if (width !== 820) expect(await findings(), `at ${width} pixels`).toEqual([]);
    }
  });
});
