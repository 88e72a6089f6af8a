//! The bids to write. They look like real bids and are the same in every run.

import { Random } from "../../tools/traffic/random.ts";

/** A bid as JSON has it: `Bid` in `measured/src/writers.rs`. */
export interface Bid {
  id: string;
  impid: string;
  price: number;
  cid: string;
  crid: string;
  adomain: string[];
  adm: string;
  w: number;
  h: number;
  exp: number;
  dealid?: string;
}

export interface List {
  name: string;
  bids: Bid[];
}

const SIZES = [
  [300, 250],
  [320, 50],
  [728, 90],
] as const;

/** Every kind of character that JSON must escape, and some that it need not. */
const HOSTILE = '"quoted" \\ back\\slash \n\r\t \u0001\u001f \u2028 <é> 🙂, ';

/** The lists, by size; one has strings with every kind of escape. */
export const LIST_NAMES = ["1", "10", "10, escapes", "5,000"];

export function lists(): List[] {
  const random = new Random(705);
  const some = (count: number, hostile: string) => Array.from({ length: count }, () => bid(random, hostile));
  const bids = [some(1, ""), some(10, ""), some(10, HOSTILE), some(5000, "")];
  return LIST_NAMES.map((name, at) => ({ name, bids: bids[at] ?? [] }));
}

function bid(random: Random, hostile: string): Bid {
  const hex = (length: number) => random.text(length, "0123456789abcdef");
  const [w, h] = SIZES[random.below(SIZES.length)] ?? SIZES[0];
  const campaign = random.below(1000);
  const domain = `advertiser-${random.below(300)}.example`;
  return {
    id: hex(18),
    impid: `${hostile}${1 + random.below(9)}`,
    price: (10_000 * (20 + random.below(700)) + (random.below(10) === 0 ? random.below(10_000) : 0)) / 1e6,
    cid: `campaign-${campaign}`,
    crid: `${hostile}creative-${campaign}-${random.below(9)}`,
    adomain: random.below(8) === 0 ? [domain, `www.${domain}`] : [domain],
    // Each attribute has quotes, as in real markup.
    adm:
      `<a href="https://${domain}/click?c=${campaign}&i=${hex(12)}" target="_blank" rel="noopener">` +
      `<img src="https://cdn.example/${hex(24)}.jpg" width="${w}" height="${h}" alt="${hostile.repeat(4)}"></a>` +
      `<script src="https://verify.example/tag.js?c=${campaign}" async></script>`,
    w,
    h,
    exp: 3600,
    ...(random.below(20) === 0 && { dealid: `deal-${random.below(300)}` }),
  };
}
