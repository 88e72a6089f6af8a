//! The chart of `scale` in docs/performance.md: time of a decision by number of campaigns on logarithmic scales, and
//! with the hostile catalogs.

import { digits } from "../statistics.ts";
import type { Result } from "../suite.ts";
import { escaped, picture, round } from "../svg.ts";
import type { Row } from "./scale-rows.ts";

const WIDTH = 920;
const HEIGHT = 430;
const LEFT = 70;
const TOP = 70;
const RIGHT = 210;
const BOTTOM = 74;
const RADIUS = 4;

const STYLE = {
  light: `.line { fill: none; stroke-width: 2 }
.line.ours { stroke: #0969da } .line.part { stroke: #9ac7f5 }
.dot.ours { fill: #0969da } .dot.part { fill: #9ac7f5 }
.ring { fill: none; stroke: #bc4c00; stroke-width: 2 }
.grid { stroke: #d1d9e0 }`,
  dark: `  .line.ours { stroke: #4493f8 } .line.part { stroke: #24497a }
  .dot.ours { fill: #4493f8 } .dot.part { fill: #24497a }
  .ring { stroke: #f0883e }
  .grid { stroke: #3d444d }`,
};

/** Label, colour and value of each curve. */
const CURVES = [
  ["edgebid, natively", "part", (row: Row) => row.native_median_us],
  ["edgebid", "ours", (row: Row) => row.median_us],
] as const;

export function chart(rows: Row[], { date, machine, versions }: Result): string {
  const usual = rows.filter(({ name }) => !name.startsWith("hostile"));
  const hostile = rows.filter(({ name }) => name.startsWith("hostile"));
  const values = rows.flatMap((row) => CURVES.map(([, , value]) => value(row)));
  const low = 10 ** Math.floor(Math.log10(Math.min(...values)));
  const high = 10 ** Math.ceil(Math.log10(Math.max(...values)));
  const y = (us: number) => {
    const share = Math.log(us / low) / Math.log(high / low);
    return round(HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP));
  };
  const [first, last] = [usual[0]?.campaigns ?? 1, usual.at(-1)?.campaigns ?? 1];
  const x = (campaigns: number) =>
    round(LEFT + (Math.log(campaigns / first) / Math.log(last / first)) * (WIDTH - LEFT - RIGHT));

  const decades = Array.from({ length: Math.round(Math.log10(high / low)) + 1 }, (_, at) => low * 10 ** at);
  const grid = decades.flatMap((us) => [
    `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(us)}" y2="${y(us)}" class="grid"/>`,
    `<text x="${LEFT - 8}" y="${y(us) + 4}" text-anchor="end" class="note">${amount(us)}</text>`,
  ]);
  const axis = usual.map(
    ({ campaigns }) =>
      `<text x="${x(campaigns)}" y="${HEIGHT - BOTTOM + 20}" text-anchor="middle" class="note">${campaigns.toLocaleString("en")}</text>`,
  );
  const curves = CURVES.flatMap(([, kind, value]) => [
    `<polyline points="${usual.map((row) => `${x(row.campaigns)},${y(value(row))}`).join(" ")}" class="line ${kind}"/>`,
    ...usual.map((row) => `<circle cx="${x(row.campaigns)}" cy="${y(value(row))}" r="${RADIUS}" class="dot ${kind}"/>`),
  ]);
  const right = WIDTH - RIGHT;
  const marks = hostile.map((row) => `<circle cx="${right}" cy="${y(row.median_us)}" r="${RADIUS + 1}" class="ring"/>`);
  const largest = usual.at(-1) as Row;
  const ends = [
    ...CURVES.map(([name, kind, value]) => ({ name: name as string, isOurs: kind === "ours", us: value(largest) })),
    ...hostile.map((row) => ({
      name: `${row.name.replace("-", ": ")}, ${time(row.median_us)}`,
      isOurs: false,
      us: row.median_us,
    })),
  ];
  const labels = withoutOverlap(ends.map(({ us }) => y(us))).map((at, place) => {
    const { name = "", isOurs = false } = ends[place] ?? {};
    return `<text x="${right + 14}" y="${at + 4}"${isOurs ? ` class="strong"` : ""}>${name}</text>`;
  });
  const numbers = usual.map(
    (row) =>
      `<text x="${x(row.campaigns)}" y="${y(row.median_us) - 12}" text-anchor="middle" class="strong">${time(row.median_us)}</text>`,
  );
  const others = hostile.map((row) => `${row.name.replace("-", ": ")} ${time(row.median_us)}`).join("; ");
  const foot = `${date.slice(0, 10)}, ${machine.cpu}, workerd ${versions["workerd"]}; rings are hostile catalogs of 50,000 campaigns`;
  const description = usual.map((row) => `${row.campaigns}: ${time(row.median_us)}`).join("; ");
  return picture({
    width: WIDTH,
    height: HEIGHT,
    title: "Time of one decision by the number of campaigns",
    description: `edgebid in workerd, by number of campaigns: ${description}; ${others}`,
    style: STYLE,
    parts: [
      `<text x="0" y="20" class="title">Time of one decision by the number of campaigns</text>`,
      `<text x="0" y="40" class="note">inside workerd, mean over the mix of requests, rounded to three digits; both scales are logarithmic</text>`,
      ...grid,
      ...axis,
      ...curves,
      ...marks,
      ...numbers,
      ...labels,
      `<text x="${round((LEFT + WIDTH - RIGHT) / 2)}" y="${HEIGHT - BOTTOM + 40}" text-anchor="middle" class="note">campaigns</text>`,
      `<text x="0" y="${HEIGHT - 12}" class="note">${escaped(foot)}</text>`,
    ],
  });
}

/** Moves labels down until none overlap. */
function withoutOverlap(places: number[]): number[] {
  const order = places.map((_, at) => at).sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
  const moved = [...places];
  let free = Number.NEGATIVE_INFINITY;
  for (const at of order) {
    moved[at] = Math.max(moved[at] ?? 0, free);
    free = (moved[at] ?? 0) + 17;
  }
  return moved;
}

function time(us: number): string {
  return us >= 1000 ? `${digits(us / 1000)} ms` : `${digits(us)} µs`;
}

function amount(us: number): string {
  return us >= 1000 ? `${(us / 1000).toLocaleString("en")} ms` : `${us} µs`;
}
