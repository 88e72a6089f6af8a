//! The most frequent sizes of banners in a recording: what a campaign could fill with creatives in more sizes.

import { isObject, parsedJson } from "../input.ts";
import { type Input, piecesOf } from "../replay/inputs.ts";
import { requestIn } from "../replay/lines.ts";
import { MAX_LINE_BYTES } from "../replay/run.ts";
import type { Size } from "./variants.ts";

/** The lines that are read for it. */
const MOST_LINES = 20_000;
/** The sizes that are tried. */
const MOST_SIZES = 60;

export async function sizesIn(inputs: Input[]): Promise<Size[]> {
  const counts = new Map<string, number>();
  let lines = 0;
  for (const input of inputs) {
    for await (const { lines: read } of piecesOf(input, MAX_LINE_BYTES)) {
      for (const { bytes } of read) {
        lines++;
        for (const size of bytes === null ? [] : sizesOf(bytes)) counts.set(size, (counts.get(size) ?? 0) + 1);
      }
      if (lines >= MOST_LINES) break;
    }
  }
  const top = [...counts].sort(([, a], [, b]) => b - a).slice(0, MOST_SIZES);
  return top.map(([size]) => size.split("x").map(Number) as [number, number]);
}

/** The sizes on offer in a request, such as `300x250`. */
function sizesOf(line: Uint8Array): Set<string> {
  const sent = requestIn(line);
  const request = typeof sent === "string" ? null : parsedJson<{ imp?: unknown }>(sent.body);
  const imps: unknown[] = Array.isArray(request?.imp) ? request.imp : [];
  const banners = imps.map((imp) => (isObject(imp) ? imp["banner"] : null)).filter(isObject);
  const boxes = banners.flatMap((banner) => [banner, ...(Array.isArray(banner["format"]) ? banner["format"] : [])]);
  const sizes = boxes.map((box) => (isObject(box) ? [Number(box["w"]), Number(box["h"])] : []));
  const real = sizes.filter((size) => size.length === 2 && size.every((side) => Number.isInteger(side) && side > 0));
  return new Set(real.map((size) => size.join("x")));
}
