//! What the view shows, which the address keeps: a campaign or all of them, and the days, chosen by a button or two
//! fields.

import { DAY_MS, dayAt } from "../../../../shared/time/days.ts";
import { h } from "../../dom.ts";
import { keep, kept } from "../../parts/address.ts";
import { button, field } from "../../parts/blocks.ts";

/** First and last day, `YYYY-MM-DD`. The days of a campaign are those of its time zone. */
export interface Days {
  from: string;
  to: string;
}

/** The days, and the campaign; empty: all campaigns. */
export interface Shown extends Days {
  campaign: string;
}

/** The buttons: how many days before today, in UTC, the first and the last day are. */
const CHOICES: [title: string, from: number, to: number][] = [
  ["Today (UTC)", 0, 0],
  ["Yesterday", 1, 1],
  ["7 days", 6, 0],
  ["30 days", 29, 0],
];

function dayBefore(days: number): string {
  return dayAt(Date.now() - days * DAY_MS);
}

/** What the address names; without days, today. */
export function shownOf(): Shown {
  const state = kept("money");
  const today = dayBefore(0);
  return { from: state.get("from") || today, to: state.get("to") || today, campaign: state.get("campaign") ?? "" };
}

/** The fields. `changed` is called with the days that a person chooses, which are then in the address. */
export function rangeForm(shown: Shown, changed: (shown: Shown) => void): HTMLElement {
  const day = (id: string, value: string) => h("input", { id, type: "date", value, required: true, onchange: choose });
  const [from, to] = [day("from-day", shown.from), day("to-day", shown.to)];
  const presets = CHOICES.map(([title, first, last]) => {
    const choosePreset = () => {
      [from.value, to.value] = [dayBefore(first), dayBefore(last)];
      choose();
    };
    return { first, last, element: button(title, choosePreset) };
  });

  function press(): void {
    for (const { first, last, element } of presets) {
      element.ariaPressed = String(from.value === dayBefore(first) && to.value === dayBefore(last));
    }
  }

  function choose(): void {
    if (from.value === "" || to.value === "") return;
    const chosen = { ...shown, from: from.value, to: to.value };
    press();
    keep("money", chosen);
    changed(chosen);
  }

  press();
  const group = { role: "group", "aria-label": "Days" };
  const buttons = presets.map(({ element }) => element);
  return h("div.row", h("div.row", group, buttons), field("From", from), field("To", to));
}
