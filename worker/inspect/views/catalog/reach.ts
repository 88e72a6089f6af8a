//! The picture of a forecast: what a campaign matches, and what comes back without each of its attributes. `edgebid
//! forecast` counts it, and puts the figures into the address of the page: `DAYS.MATCHES.ATTRIBUTE-COUNT.…`.

import { h } from "../../dom.ts";
import { card } from "../../parts/blocks.ts";
import { funnel, type Step } from "../../parts/chart.ts";
import { countText, grouped } from "../../parts/text.ts";

/** The figures of an address; null if it has none that can be read. Days are 0 if the recording did not say its length. */
export function reachIn(text: string): { days: number; matches: number; back: [name: string, count: number][] } | null {
  if (!/^\d{1,3}\.\d{1,15}(\.[a-z_]{1,20}-\d{1,15}){1,60}$/.test(text)) return null;
  const [days, matches, ...back] = text.split(".");
  const pairs = back.map((part) => part.split("-"));
  return {
    days: Number(days),
    matches: Number(matches),
    back: pairs.map(([name = "", count]) => [name, Number(count)]),
  };
}

/** The card. A bar has what matches, and then what comes back. */
export function reachCard(text: string): HTMLElement {
  const reach = reachIn(text);
  if (reach === null)
    return card("Reach by attribute", [h("p.empty", "The address has no forecast that can be read.")]);
  const { days, matches, back } = reach;
  const steps = back.map(([name, out]): Step => {
    return { name, left: matches, out, text: `+${grouped(out)}`, kind: "bids" };
  });
  const all: Step = { name: "all attributes", left: matches, out: 0, text: grouped(matches), kind: "all" };
  const whole = matches + Math.max(...back.map(([, count]) => count));
  const label = { role: "img", "aria-label": "Requests that match, and those that come back without each attribute" };
  const when = days === 0 ? "in the recording" : `in ${countText(days, "day")}`;
  return card("Reach by attribute", [
    h("p.soft", `${countText(matches, "request")} match ${when}. Pale: what comes back without the attribute.`),
    funnel([all, ...steps], whole, label),
  ]);
}
