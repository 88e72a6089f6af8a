//! A bar chart: one line for each measured program, one panel for each figure. Each panel has its own scale.

import { escaped, picture, round } from "./svg.ts";

/** Colour of a bar: edgebid, a part of edgebid, another program, or the base of all ratios. */
export type Kind = "ours" | "part" | "other" | "base";

export interface Bars {
  title: string;
  /** Explains the bars, below the title. */
  note: string;
  foot: string;
  lines: { label: string; kind: Kind }[];
  panels: Panel[];
}

export interface Panel {
  title: string;
  /** One value for each line; null if the line has none. */
  values: (number | null)[];
  text(value: number): string;
}

const WIDTH = 920;
const LEFT = 190;
const TOP = 84;
const ROW = 25;
const BAR = 16;
/** Pixels for the value after the longest bar. */
const BEHIND = 74;

const STYLE = {
  light: `.ours { fill: #0969da } .part { fill: #9ac7f5 } .other { fill: #c5ccd3 } .base { fill: #818b98 }`,
  dark: `  .ours { fill: #4493f8 } .part { fill: #24497a } .other { fill: #4a525c } .base { fill: #7d8590 }`,
};

export function bars({ title, note, foot, lines, panels }: Bars): string {
  const width = (WIDTH - LEFT) / panels.length;
  const height = TOP + lines.length * ROW + 42;
  const baseline = (at: number) => TOP + at * ROW + ROW / 2 + 4.5;
  const strong = (kind: Kind) => (kind === "ours" ? ` class="strong"` : "");
  const labels = lines.map(
    ({ label, kind }, at) =>
      `<text x="${LEFT - 12}" y="${baseline(at)}" text-anchor="end"${strong(kind)}>${escaped(label)}</text>`,
  );
  const drawn = panels.flatMap(({ title, values, text }, panel) => {
    const x = round(LEFT + panel * width);
    const longest = Math.max(...values.map((value) => value ?? 0));
    const ofLines = lines.flatMap(({ kind }, at) => {
      const value = values[at] ?? null;
      if (value === null) return [`<text x="${x}" y="${baseline(at)}" class="note">–</text>`];
      const length = round(Math.max(1.5, (value / longest) * (width - BEHIND)));
      const y = TOP + at * ROW + (ROW - BAR) / 2;
      return [
        `<rect x="${x}" y="${y}" width="${length}" height="${BAR}" rx="2" class="${kind}"/>`,
        `<text x="${round(x + length + 5)}" y="${baseline(at)}"${strong(kind)}>${escaped(text(value))}</text>`,
      ];
    });
    return [`<text x="${x}" y="${TOP - 14}" class="head">${escaped(title)}</text>`, ...ofLines];
  });
  return picture({
    width: WIDTH,
    height,
    title,
    description: described(lines, panels),
    style: STYLE,
    parts: [
      `<text x="0" y="20" class="title">${escaped(title)}</text>`,
      `<text x="0" y="40" class="note">${escaped(note)}</text>`,
      ...labels,
      ...drawn,
      `<text x="0" y="${height - 12}" class="note">${escaped(foot)}</text>`,
    ],
  });
}

function described(lines: Bars["lines"], panels: Panel[]): string {
  return panels
    .map(({ title, values, text }) => {
      const texts = lines.flatMap(({ label }, at) => {
        const value = values[at] ?? null;
        return value === null ? [] : [`${label} ${text(value)}`];
      });
      return `${title}: ${texts.join(", ")}`;
    })
    .join("; ");
}
