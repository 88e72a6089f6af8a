//! The funnel: campaigns that drop out, check by check, as a picture.

import { h, put, s } from "../../../dom.ts";
import { card, text } from "../../../parts/blocks.ts";
import { countText } from "../../../parts/text.ts";
import { OUTBID } from "../report.ts";
import type { Counts } from "./counts.ts";

/** Heights in CSS pixels: a bar, and the slope to the next one. */
const BAR = 22;
const SLOPE = 12;
/** The narrowest bar of one campaign or more, in CSS pixels. */
const THIN = 4;

/** The card. `pick` chooses a check in the table below, `say` tells what a check means. */
export function funnelCard(
  counts: Counts,
  pick: (reason: string) => void,
  say: (reason: string) => string,
): HTMLElement {
  const place = h("div", { class: "funnel" });
  const { campaigns, drops, passed, bidding } = counts;
  const draw = () => {
    if (place.clientWidth > 0) put(place, [picture(counts, place.clientWidth, pick, say)]);
  };
  // The picture is drawn for the width that there is, so that its texts keep their size.
  new ResizeObserver(draw).observe(place);
  const out = drops.reduce((sum, one) => sum + one.out, 0);
  const summary = `${countText(campaigns, "campaign")}, ${out} out, ${bidding} bidding.`;
  return card("Funnel", [
    text("soft", `${summary} Choose a check to see its campaigns.`),
    campaigns === 0 ? text("empty", "No campaign was looked at.") : place,
    passed > 0 && text("soft", `${passed} other checks removed no campaign.`),
  ]);
}

/** One line of the picture: campaigns that are in, and what becomes of some of them. */
interface Line {
  label: string;
  count: number;
  text: string;
  kind: "in" | "out" | "bid";
  reason: string | null;
}

function picture(
  { campaigns, drops, bidding }: Counts,
  width: number,
  pick: (reason: string) => void,
  say: (reason: string) => string,
): SVGSVGElement {
  const lines: Line[] = [
    { label: "in the catalog", count: campaigns, text: `${campaigns}`, kind: "in", reason: null },
    ...drops.map(({ reason, before, out }): Line => {
      return { label: reason, count: before - out, text: `−${out} → ${before - out}`, kind: "out", reason };
    }),
    { label: bidding > 0 ? "bid" : "no bid", count: bidding, text: `${bidding}`, kind: "bid", reason: null },
  ];
  const left = Math.min(170, width * 0.34);
  const right = 92;
  const room = Math.max(20, width - left - right);
  const middle = left + room / 2;
  const wide = (count: number) => (count === 0 ? 0 : Math.max(THIN, (count / Math.max(1, campaigns)) * room));
  const height = lines.length * (BAR + SLOPE);
  const parts = lines.map((line, n) => {
    const y = n * (BAR + SLOPE);
    const [top, bottom] = [wide(line.count), wide(lines[n + 1]?.count ?? line.count)];
    const slope = [
      [middle - top / 2, y + BAR],
      [middle + top / 2, y + BAR],
      [middle + bottom / 2, y + BAR + SLOPE],
      [middle - bottom / 2, y + BAR + SLOPE],
    ];
    const { reason } = line;
    const middleY = y + BAR / 2;
    const before = reason === null ? 0 : wide(lines[n - 1]?.count ?? 0);
    const shapes = [
      reason === null
        ? null
        : s("rect", { class: "gone", x: middle - before / 2, y, width: before, height: BAR, rx: 3 }),
      s("rect", { class: `kept ${line.kind}`, x: middle - top / 2, y, width: top, height: BAR, rx: 3 }),
      n + 1 < lines.length
        ? s("polygon", { class: "slope", points: slope.map((point) => point.join(",")).join(" ") })
        : null,
      s("text", { x: 0, y: middleY, class: "name" }, short(line.label, left)),
      s("text", { x: width, y: middleY, class: `count ${line.kind}`, "text-anchor": "end" }, line.text),
    ];
    if (reason === null) return s("g", {}, ...shapes);
    const choose = () => pick(reason);
    const name = `${line.label} ${line.text}. ${say(reason)}`;
    return s(
      "g",
      {
        class: reason === OUTBID ? "check outbid" : "check",
        role: "button",
        tabindex: 0,
        "aria-label": name,
        onclick: choose,
        onkeydown: (event) => {
          if (!["Enter", " "].includes((event as KeyboardEvent).key)) return;
          event.preventDefault();
          choose();
        },
      },
      s("title", {}, name),
      s("rect", { class: "target", x: 0, y: y - 2, width, height: BAR + 4, rx: 4 }),
      ...shapes,
    );
  });
  return s(
    "svg",
    { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "Campaigns by check" },
    ...parts,
  );
}

/** The label, or as much of it as there is room for. */
function short(label: string, room: number): string {
  const most = Math.floor(room / 7.5);
  return label.length <= most ? label : `${label.slice(0, most - 1)}…`;
}
