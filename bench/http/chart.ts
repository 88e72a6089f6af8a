//! The chart of `http`: requests per second of each target in the closed loop, and the percentiles of the open loop on
//! a logarithmic scale.

import { digits } from "../statistics.ts";
import type { Result } from "../suite.ts";
import { escaped, picture, round } from "../svg.ts";
import { LIMIT_MS, type Row } from "./rows.ts";

const WIDTH = 920;
const LEFT = 200;
const TOP = 96;
const ROW = 26;
const BAR = 16;
const FOOT = 46;
/** Width of the bars. */
const SPAN = 290;
/** Left edge of the percentiles. */
const RIGHT = 580;
const TIMES = WIDTH - RIGHT - 40;
const RADIUS = 4;

const STYLE = {
  light: `.ours { fill: #0969da } .other { fill: #c5ccd3 }
.p50 { fill: #9ac7f5 } .p99 { fill: #0969da } .p999 { fill: #bc4c00 }
.range { stroke: #c5ccd3; stroke-width: 2 }
.held { stroke: #bc4c00; stroke-width: 2 }
.grid { stroke: #d1d9e0 }`,
  dark: `  .ours { fill: #4493f8 } .other { fill: #4a525c }
  .p50 { fill: #24497a } .p99 { fill: #4493f8 } .p999 { fill: #f0883e }
  .range { stroke: #4a525c }
  .held { stroke: #f0883e }
  .grid { stroke: #3d444d }`,
};

const DOTS = [
  ["p50", "p50", (row: Row) => row.p50_us],
  ["p99", "p99", (row: Row) => row.p99_us],
  ["p999", "p99.9", (row: Row) => row.p999_us],
] as const;

export function chart(rows: Row[], { date, machine, versions }: Result): string {
  // The bar of `ceiling` is so long that the other bars would be too short to compare.
  const closed = rows.filter(({ mode, target }) => mode === "closed" && target !== "ceiling");
  const most = Math.max(...closed.map(({ per_second }) => per_second));
  // A turn without responses has no times.
  const timed = rows.filter(({ mode, target, p50_us }) => mode === "open" && target !== "ceiling" && p50_us > 0);
  const open = (target: string) => timed.find((row) => row.target === target);
  const times = [100, 1000, ...timed.flatMap((row) => DOTS.map(([, , of]) => of(row)))];
  const low = 10 ** Math.floor(Math.log10(Math.min(...times)));
  const high = 10 ** Math.ceil(Math.log10(Math.max(...times)));
  const x = (us: number) => round(RIGHT + (Math.log(us / low) / Math.log(high / low)) * TIMES);
  const bottom = TOP + closed.length * ROW;

  const decades = Array.from({ length: Math.round(Math.log10(high / low)) + 1 }, (_, at) => low * 10 ** at);
  const grid = decades.flatMap((us) => [
    `<line x1="${x(us)}" x2="${x(us)}" y1="${TOP - 4}" y2="${bottom}" class="grid"/>`,
    `<text x="${x(us)}" y="${TOP - 12}" text-anchor="middle" class="note">${us / 1000} ms</text>`,
  ]);
  const lines = closed.flatMap((row, at) => {
    const isOurs = row.target.startsWith("bidder");
    const y = TOP + at * ROW + ROW / 2;
    const strong = isOurs ? ` class="strong"` : "";
    const width = round((row.per_second / most) * SPAN);
    const paced = open(row.target);
    return [
      `<text x="${LEFT - 12}" y="${y + 4.5}" text-anchor="end"${strong}>${escaped(row.target)}</text>`,
      `<rect x="${LEFT}" y="${y - BAR / 2}" width="${width}" height="${BAR}" rx="2" class="${isOurs ? "ours" : "other"}"/>`,
      ...highestRateTick(row.highest_rate, most, y),
      `<text x="${LEFT + width + 5}" y="${y + 4.5}"${strong}>${Math.round(row.per_second).toLocaleString("en")}</text>`,
      ...(paced ? [`<line x1="${x(paced.p50_us)}" x2="${x(paced.p999_us)}" y1="${y}" y2="${y}" class="range"/>`] : []),
      ...DOTS.flatMap(([kind, , of]) =>
        paced ? [`<circle cx="${x(of(paced))}" cy="${y}" r="${RADIUS}" class="${kind}"/>`] : [],
      ),
    ];
  });
  const legend = DOTS.flatMap(([kind, name], at) => [
    `<circle cx="${RIGHT + 190 + at * 48}" cy="56" r="${RADIUS}" class="${kind}"/>`,
    `<text x="${RIGHT + 197 + at * 48}" y="60" class="note">${name}</text>`,
  ]);
  const ceiling = rows.find(({ target, mode }) => target === "ceiling" && mode === "closed");
  const limit = ceiling ? `; the limit of the generator is ${Math.round(ceiling.per_second).toLocaleString("en")}` : "";
  const bad = rows.reduce((total, row) => total + row.bad, 0);
  const foot = `${date.slice(0, 10)}, ${machine.cpu}, load ${machine.load} before, workerd ${versions["workerd"]}; bad responses: ${bad}`;
  const height = bottom + FOOT;
  return picture({
    width: WIDTH,
    height,
    title: "The Worker under load over HTTP",
    description: description(closed),
    style: STYLE,
    parts: [
      `<text x="0" y="20" class="title">The Worker under load over HTTP, in workerd on one core</text>`,
      `<text x="0" y="40" class="note">medians over the rounds; hello, read and echo do not bid${limit}</text>`,
      `<text x="${LEFT}" y="60" class="head">requests a second, closed loop</text>`,
      `<line x1="${LEFT}" x2="${LEFT}" y1="68" y2="82" class="held"/>`,
      `<text x="${LEFT + 8}" y="80" class="note">the highest rate with p99 ≤ ${LIMIT_MS} ms</text>`,
      `<text x="${RIGHT}" y="60" class="head">time at a constant rate</text>`,
      ...grid,
      ...lines,
      ...legend,
      `<text x="0" y="${height - 12}" class="note">${escaped(foot)}</text>`,
    ],
  });
}

/** A tick on the bar at the highest rate. */
function highestRateTick(rate: number | null, most: number, y: number): string[] {
  if (rate === null) return [];
  const x = round(LEFT + (rate / most) * SPAN);
  return [`<line x1="${x}" x2="${x}" y1="${y - BAR / 2 - 3}" y2="${y + BAR / 2 + 3}" class="held"/>`];
}

function description(closed: Row[]): string {
  return closed.map(({ target, per_second }) => `${target}: ${digits(per_second)} requests a second`).join("; ");
}
