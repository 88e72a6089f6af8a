//! Writes the pictures of `docs/inspect.md` into `docs/pictures`; `npm run pictures` runs it.

import { describe, it } from "vitest";
import { canned } from "./canned.ts";
import { open, page, settled } from "./inspector.ts";
import { bidderWith, CHANGED } from "./pushed.ts";

const PAGE = { width: 1200, height: 820 };

/** What a person does before the picture. */
const PICTURES: Record<string, [hash: string, act?: () => Promise<void>]> = {
  "inspect-bid": ["request"],
  "inspect-no-bid": ["request", () => page.getByLabel("Floor (bidfloor)").fill("2.10")],
  "inspect-catalog": ["catalog?words=acme-spring", lookAtAd],
  "inspect-money": ["money?from=2026-11-07&to=2026-11-20"],
  "inspect-video": ["request?example=bid%2Fvideo", () => page.getByLabel("Second of the ad").fill("8")],
};

async function lookAtAd(): Promise<void> {
  await page.getByText("acme-300x250", { exact: true }).click();
  await page.frameLocator("iframe.creative").frameLocator("iframe").getByText("acme 300×250").waitFor();
}

describe.runIf(process.env["PICTURES"])("with the example's campaigns", () => {
  const started = bidderWith([{ document: CHANGED }]);

  it.each(Object.entries(PICTURES))("%s", async (name, [hash, act]) => {
    await page.setViewportSize(PAGE);
    await canned(CHANGED.campaigns.map(({ cid }: { cid: string }) => cid));
    await open(started.bidder, hash);
    await act?.();
    await settled();
    await page.screenshot({ path: `docs/pictures/${name}.png` });
  });
});
