//! The charts of `pacing`: the rules beside each other, and the day of some campaigns against their plan.

import { bars } from "../bars.ts";
import { digits } from "../statistics.ts";
import type { Result } from "../suite.ts";
import { escaped, picture, round } from "../svg.ts";
import { type Simulated, worst } from "./rows.ts";

export function ruleChart(runs: Simulated[], { date, machine }: Result): string {
  const rules = worst(runs);
  const percent = (value: number) => `${digits(value * 100)} %`;
  return bars({
    title: "Budgets over 6,000 isolates, simulated",
    note: "the worst campaign of each rule; bursts, late bills, outages and dead relays are in it",
    foot: `${date.slice(0, 10)}, ${machine.cpu}; ${runs[0]?.campaigns.toLocaleString("en")} campaigns, ${runs.length} runs`,
    lines: rules.map(({ name }) => ({ label: name, kind: name.startsWith("edgebid") ? "ours" : "other" })),
    panels: [
      { title: "overspend, $100 and more", values: rules.map((rule) => rule.overspend100), text: percent },
      { title: "overspend, under $100", values: rules.map((rule) => rule.overspend5), text: percent },
      { title: "least delivery", values: rules.map((rule) => rule.least), text: percent },
      { title: "off plan, median", values: rules.map((rule) => rule.smooth), text: percent },
    ],
  });
}

const WIDTH = 920;
const TOP = 84;
const PANEL = 150;
const GAP = 44;
const LEFT = 48;

const STYLE = {
  light: `.spent { fill: none; stroke: #0969da; stroke-width: 2 } .plan { fill: none; stroke: #59636e; stroke-dasharray: 4 3 }
.grid { stroke: #d1d9e0 } .burst { fill: #f0883e; opacity: 0.35 } .fault { fill: #cf222e; opacity: 0.35 }`,
  dark: `  .spent { stroke: #4493f8 } .plan { stroke: #9198a1 } .grid { stroke: #3d444d }`,
};

/** What campaigns spent over the second day, as a part of the budget. */
export function dayChart(runs: Simulated[], { date }: Result): string {
  const { charts = [], faults = [] } = runs[0] ?? {};
  const height = TOP + charts.length * (PANEL + GAP) + 20;
  const parts = charts.flatMap(({ what, spent, planned, begin_s }, at) => {
    const top = TOP + at * (PANEL + GAP);
    const seconds = spent.length * 900;
    const x = (second: number) => round(LEFT + (second / seconds) * (WIDTH - LEFT - 8));
    const y = (part: number) => round(top + PANEL - Math.min(part, 1.1) * (PANEL / 1.1));
    const line = (values: number[]) =>
      [0, ...values].map((value, quarter) => `${x(quarter * 900)},${y(value)}`).join(" ");
    const marks = faults.flatMap(({ what, begin_s: from, end_s: to }) => {
      const [begin, end] = [Math.max(0, from - begin_s), Math.min(seconds, to - begin_s)];
      if (end <= begin) return [];
      const kind = what === "burst" ? "burst" : "fault";
      return [
        `<rect x="${x(begin)}" y="${top}" width="${Math.max(2, x(end) - x(begin))}" height="${PANEL}" class="${kind}"/>`,
      ];
    });
    const hours = Array.from({ length: Math.floor(seconds / 21_600) + 1 }, (_, six) => six * 6);
    return [
      `<text x="${LEFT}" y="${top - 8}" class="head">${escaped(what)}</text>`,
      ...marks,
      ...[0, 0.5, 1].flatMap((part) => [
        `<line x1="${LEFT}" x2="${WIDTH - 8}" y1="${y(part)}" y2="${y(part)}" class="grid"/>`,
        `<text x="${LEFT - 6}" y="${y(part) + 4}" text-anchor="end" class="note">${part * 100} %</text>`,
      ]),
      ...hours.map(
        (hour) =>
          `<text x="${x(hour * 3600)}" y="${top + PANEL + 16}" text-anchor="middle" class="note">${hour} h</text>`,
      ),
      `<polyline points="${line(planned)}" class="plan"/>`,
      `<polyline points="${line(spent)}" class="spent"/>`,
    ];
  });
  return picture({
    width: WIDTH,
    height,
    title: "Budgets over a day",
    description: charts.map(({ what, spent }) => `${what}: ${digits((spent.at(-1) ?? 0) * 100)} %`).join("; "),
    style: STYLE,
    parts: [
      `<text x="0" y="20" class="title">What five campaigns spent over the second day, by hours since their midnight</text>`,
      `<text x="0" y="40" class="note">solid: spent, as a part of the budget; dashed: spent evenly over usual requests, or by the own curve; orange: bursts; red: ledger out, relay dead, pacer lost</text>`,
      ...parts,
      `<text x="0" y="${height - 4}" class="note">${escaped(date.slice(0, 10))}, simulated</text>`,
    ],
  });
}
