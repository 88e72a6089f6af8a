//! US Privacy, and the US sections of a GPP string. `crates/bidder-wasm/src/privacy/us.rs` explains the letters of the
//! layouts.

import { Bits, Unreadable } from "./bits.ts";
import { CONTEXTUAL, FREE, PERSONAL, type Verdict } from "./level.ts";

/** The verdict of a US Privacy string. */
export function usPrivacy(text: string): Verdict {
  return /^1[YN-][N-][YN-]$/.test(text) ? FREE : CONTEXTUAL;
}

export function isUsSection(id: number): boolean {
  return id >= 7 && id <= 23;
}

/** The verdict of a US section of a GPP string. */
export function usSection(id: number, text: string): Verdict {
  try {
    const [core = "", gpc, ...more] = text.split(".");
    const verdict = coreSegment(id, core);
    if (gpc === undefined) return verdict;
    const bits = new Bits(gpc);
    if (bits.take(2) !== 1 || more.length > 0) return CONTEXTUAL;
    return bits.bit() ? CONTEXTUAL : verdict;
  } catch (error) {
    if (error instanceof Unreadable) return CONTEXTUAL;
    throw error;
  }
}

function coreSegment(id: number, segment: string): Verdict {
  const bits = new Bits(segment);
  const layout = LAYOUTS[`${id} ${bits.take(6)}`];
  if (layout === undefined) throw new Unreadable();
  let verdict: Verdict = FREE;
  for (const field of layout) {
    const value = bits.take(2);
    const lowered = allowedBy(field, value);
    if (lowered < verdict) verdict = lowered;
  }
  return verdict;
}

function allowedBy(field: string, value: number): Verdict {
  switch (field) {
    case "n":
      return value >= 2 ? CONTEXTUAL : FREE;
    case "o":
    case "p":
      return value === 1 || value === 3 ? CONTEXTUAL : FREE;
    case "c":
      return value === 0 ? FREE : CONTEXTUAL;
    case "g":
      return value === 2 ? FREE : PERSONAL;
    case "m":
      if (value === 0 || value === 3) throw new Unreadable();
      return FREE;
    default:
      return FREE;
  }
}

const LAYOUTS: Record<string, string> = Object.fromEntries(
  (
    [
      ["7 1", "-nnn-- ooo -------g---- cc - m-p"],
      ["7 2", "-nnn-- ooo -------g-------- ccc - m-p"],
      ["8 1", "nn- oo --g------ cc - m-p"],
      ["9 1", "-nn oo -------g c m-p"],
      ["10 1", "-nn oo ------- c m-p"],
      ["11 1", "-nn- oo -------g c m-p"],
      ["12 1", "-nn oo -------g ccc m-p"],
      ["13 1", "-nn oo -------g ccc - m-p"],
      ["14 1", "-nn oo -------g ccc - m-p"],
      ["15 1", "-nn oo ----------g ccc - m-p"],
      ["16 1", "-nn oo -------g c - m-p"],
      ["17 1", "-nn oo -------g- ccccc - m-p"],
      ["18 1", "-nn- oo -------g c m-p"],
      ["19 1", "-nn oo -------g c - m-p"],
      ["20 1", "-nn oo -------g ccc - m-p"],
      ["21 1", "-nn oo -------g-- ccccc - m-p"],
      ["22 1", "-nn oo -------g c - m-p"],
      ["23 1", "-nn oo -------g c - m-p"],
    ] as const
  ).map(([key, layout]) => [key, layout.replaceAll(" ", "")]),
);
