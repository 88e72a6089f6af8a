//! The known answer of the tokens' hash in the built module. The module checks tokens with the code that signs them, so
//! a wrong hash would accept its own tokens. But it would refuse those of the builds before it.

import { expect, it } from "vitest";
import { NoticeSettings } from "../../src/notices/settings.ts";
import { json, smallCatalog } from "../support/catalogs.ts";
import { bidderOf, text } from "../support/fixtures.ts";

/** Wednesday, 2026-11-18T12:00:00Z, in milliseconds. */
const NOW = 1_795_003_200_000;
const REQUEST = json({ id: "r", imp: [{ id: "1", banner: { w: 300, h: 250 }, bidfloor: 0.25 }] });

/** What was bid, without its last byte. It changes only with the layout of tokens: `crates/notices/src/token.rs`. */
const CONTENT = "MAgAAGr9k0AAAAABAAAABwiifge1Smamr2PfTIYB8aWl5BtnQnbTlgAAAAAbd0AHAAAAG3dAI44AA-gA0kPS";
/** The last byte, and the tag of each kind. An implementation of BLAKE3 that is not ours computed the tags. */
const TAGS = {
  win: "Q1lk_JT0idG7V_XL5B8iJcs",
  bill: "Q8vboIRZN9JzBeSzRgwzhaI",
  loss: "Q9uWAcHC7kB_M2VrJSP6wEw",
};

it("the tokens of a bid have the tags of the published BLAKE3", () => {
  const bidder = bidderOf(json(smallCatalog([{ max_cpm: "1.80" }])));
  const env = { NOTICE_KEYS: "a-key-of-the-tests-a-key-of-the-tests", NOTICE_ORIGIN: "", PRICE_KEYS: "" };
  bidder.useNotices(new NoticeSettings().of(new Request("https://bidder.test/bid/demo"), env as never));
  const { body } = bidder.decide({ body: REQUEST, ssp: 0, now: NOW, seed: [1, 7] });
  const urls = text(body ?? new Uint8Array()).matchAll(/\/n\/(\w+)\/([\w-]+)/g);
  const tokens = [...urls].map(([, kind, token]) => [kind, token]);
  expect(tokens).toEqual(Object.entries(TAGS).map(([kind, tag]) => [kind, CONTENT + tag]));
});
