//! The chart of `readers` in docs/performance.md: a column for each body and a bar for each reader. The length of a bar
//! is the time relative to `JSON.parse(string)`.

import { digits } from "../statistics.ts";
import type { Result } from "../suite.ts";
import { escaped, picture, round } from "../svg.ts";
import { OWN_BODIES } from "./bodies.ts";
import type { Row } from "./rows.ts";

/** From top to bottom: reader, label, colour. */
const READERS = [
  ["edgebid", "edgebid", "ours"],
  ["edgebid (everything)", "edgebid, all attributes", "part"],
  ["edgebid (nothing asked)", "edgebid, no attributes", "part"],
  ["simd-json, tape", "simd-json, tape", "other"],
  ["serde_json, borrowed", "serde_json, borrowed", "other"],
  ["sonic-rs, borrowed", "sonic-rs, borrowed", "other"],
  ["serde-json-wasm, strict", "edgebid's strict decode", "other"],
  ["JSON.parse(TextDecoder.decode(bytes))", "JSON.parse of bytes", "other"],
  ["JSON.parse(string)", "JSON.parse of a string", "base"],
] as const;

const WIDTH = 920;
const LEFT = 172;
const TOP = 84;
const ROW = 27;
const BAR = 17;
const COLUMN = (WIDTH - LEFT) / OWN_BODIES.length;
/** Pixels for a ratio of 1. */
const UNIT = 47;
/** Longer bars are cut off. */
const LONGEST = 1.6;
const HEIGHT = TOP + READERS.length * ROW + 46;

const STYLE = {
  light: `.ours { fill: #0969da } .part { fill: #9ac7f5 } .other { fill: #c5ccd3 } .base { fill: #818b98 }
.one { stroke: #818b98; stroke-dasharray: 2 3 }
.cut { stroke: #fff; stroke-width: 3 }`,
  dark: `  .ours { fill: #4493f8 } .part { fill: #24497a } .other { fill: #4a525c } .base { fill: #7d8590 }
  .one { stroke: #7d8590 }
  .cut { stroke: #0d1117 }`,
};

export function chart(rows: Row[], { date, machine, versions }: Result): string {
  const find = (reader: string, body: string) => rows.find((row) => row.reader === reader && row.body === body);
  const labels = READERS.map(([reader, label], at) => {
    const kind = reader === "edgebid" ? ` class="strong"` : "";
    return `<text x="${LEFT - 12}" y="${baseline(at)}" text-anchor="end"${kind}>${escaped(label)}</text>`;
  });
  const columns = OWN_BODIES.flatMap((body, column) => {
    const x = round(LEFT + column * COLUMN);
    const bytes = find("JSON.parse(string)", body)?.bytes ?? 0;
    const bars = READERS.flatMap(([reader, , kind], at) => {
      const row = find(reader, body);
      return row ? bar(row.vs_json_parse, x, at, kind) : [];
    });
    const one = round(x + UNIT);
    const line = `<line x1="${one}" x2="${one}" y1="${TOP - 4}" y2="${TOP + READERS.length * ROW}" class="one"/>`;
    return [`<text x="${x}" y="${TOP - 14}" class="head">${escaped(title(body, bytes))}</text>`, line, ...bars];
  });
  const foot = `${date.slice(0, 10)}, ${machine.cpu}, workerd ${versions["workerd"]}; a dashed line is JSON.parse of a string = 1, bars beyond ${LONGEST} are cut`;
  return picture({
    width: WIDTH,
    height: HEIGHT,
    title: "Time to read a bid request relative to JSON.parse",
    description: description(rows),
    style: STYLE,
    parts: [
      `<text x="0" y="20" class="title">Time to read one bid request, relative to JSON.parse of a string</text>`,
      `<text x="0" y="40" class="note">inside workerd, copy into Wasm memory included, by size of the body; shorter is faster</text>`,
      ...labels,
      ...columns,
      `<text x="0" y="${HEIGHT - 12}" class="note">${escaped(foot)}</text>`,
    ],
  });
}

function bar(ratio: number, x: number, at: number, kind: string): string[] {
  const isCut = ratio > LONGEST;
  const width = round(Math.max(1.5, Math.min(ratio, LONGEST) * UNIT));
  const y = TOP + at * ROW + (ROW - BAR) / 2;
  const cut = x + width - 12;
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${BAR}" rx="2" class="${kind}"/>`,
    ...(isCut
      ? [`<line x1="${round(cut)}" x2="${round(cut + 5)}" y1="${y + BAR + 2}" y2="${y - 2}" class="cut"/>`]
      : []),
    `<text x="${round(x + width + 5)}" y="${baseline(at)}"${kind === "ours" ? ` class="strong"` : ""}>${short(ratio)}</text>`,
  ];
}

function description(rows: Row[]): string {
  const ours = rows.filter((row) => row.reader === "edgebid" && OWN_BODIES.includes(row.body));
  return ours
    .map(({ body, vs_json_parse }) => `${body}: edgebid takes ${digits(vs_json_parse)} of the time`)
    .join("; ");
}

function title(body: string, bytes: number): string {
  return body === "no-bid" ? `no-bid, ${(bytes / 1000).toFixed(1)} KB` : `${body.slice(0, -1)} KB`;
}

function baseline(at: number): number {
  return TOP + at * ROW + ROW / 2 + 4.5;
}

function short(ratio: number): string {
  return ratio < 0.995 ? ratio.toFixed(2) : ratio.toFixed(1);
}
