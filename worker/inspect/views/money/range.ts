//! The days of the report: chosen by a button or two fields, and kept in the address.

import { h } from "../../dom.ts";
import { field } from "../../parts/blocks.ts";

/** First and last day, `YYYY-MM-DD`. The days of a campaign are those of its time zone. */
export interface Days {
  from: string;
  to: string;
}

const DAY_MS = 86_400_000;

/** The day in UTC, so many days before today. */
function dayBefore(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
}

/** The days that a button chooses. */
const CHOICES: [title: string, days: () => Days][] = [
  ["Today (UTC)", () => ({ from: dayBefore(0), to: dayBefore(0) })],
  ["Yesterday", () => ({ from: dayBefore(1), to: dayBefore(1) })],
  ["7 days", () => ({ from: dayBefore(6), to: dayBefore(0) })],
  ["30 days", () => ({ from: dayBefore(29), to: dayBefore(0) })],
];

/** The days in the address; without any, today. */
export function daysOf(hash: string): Days {
  const kept = new URLSearchParams(hash.split("?")[1] ?? "");
  const today = dayBefore(0);
  return { from: kept.get("from") || today, to: kept.get("to") || today };
}

/** The fields. `changed` is called with the days that a person chooses. */
export function rangeForm(days: Days, changed: (days: Days) => void): HTMLElement {
  const from = h("input", { id: "from-day", type: "date", value: days.from, required: true, onchange: fields });
  const to = h("input", { id: "to-day", type: "date", value: days.to, required: true, onchange: fields });
  const buttons = CHOICES.map(([title, of]) => {
    return { of, button: h("button", { type: "button", onclick: () => choose(of()) }, title) };
  });

  function press(days: Days): void {
    for (const { of, button } of buttons) {
      const own = of();
      button.setAttribute("aria-pressed", String(own.from === days.from && own.to === days.to));
    }
  }

  function choose(days: Days): void {
    [from.value, to.value] = [days.from, days.to];
    fields();
  }

  function fields(): void {
    if (from.value === "" || to.value === "") return;
    const days = { from: from.value, to: to.value };
    press(days);
    history.replaceState(null, "", `#money?${new URLSearchParams({ ...days })}`);
    changed(days);
  }

  press(days);
  const presets = { class: "presets", role: "group", "aria-label": "Days" };
  const choosing = h("div", presets, ...buttons.map(({ button }) => button));
  return h("div", { class: "choose" }, choosing, field("From", from), field("To", to));
}
