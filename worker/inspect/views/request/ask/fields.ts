//! A form with the attributes that decide most often. It changes the text of the request, and nothing else.

import { h } from "../../../dom.ts";
import { choice, field, type Option, offer } from "../../../parts/blocks.ts";
import { plain } from "../../../parts/text.ts";
import { type Span, spans, valueAt, withValue } from "./json.ts";

interface Field {
  label: string;
  /**
   * The possible paths of the attribute, with `#` for the number of the impression. The first one is used if the
   * request has none of them.
   */
  paths: string[];
  /** `number` keeps digits as they were typed. A list offers its values, each with a text. */
  kind: "number" | "text" | readonly Option[];
}

/** The values of a list of OpenRTB, from a number on. */
const numbered = (from: number, ...texts: string[]): Option[] => [
  ["", "absent"],
  ...texts.map((text, n) => [`${from + n}`, `${from + n} ${text}`] as const),
];
const DEVICES = numbered(
  1,
  ...["mobile or tablet", "computer", "connected TV", "phone", "tablet", "connected device", "set-top box", "outdoors"],
);
const AUCTIONS = numbered(1, "first price", "second price", "fixed price");
const FLAG = numbered(0, "no", "yes");

const FIELDS: Field[] = [
  { label: "Floor (bidfloor)", paths: ["imp[#].bidfloor"], kind: "number" },
  { label: "Its currency", paths: ["imp[#].bidfloorcur"], kind: "text" },
  { label: "Width", paths: ["imp[#].banner.w", "imp[#].video.w"], kind: "number" },
  { label: "Height", paths: ["imp[#].banner.h", "imp[#].video.h"], kind: "number" },
  { label: "Country", paths: ["device.geo.country", "user.geo.country"], kind: "text" },
  { label: "Site's domain", paths: ["site.domain"], kind: "text" },
  { label: "App's bundle", paths: ["app.bundle"], kind: "text" },
  { label: "Device", paths: ["device.devicetype"], kind: DEVICES },
  { label: "Deal", paths: ["imp[#].pmp.deals[0].id"], kind: "text" },
  { label: "Auction (at)", paths: ["at"], kind: AUCTIONS },
  { label: "tmax, ms", paths: ["tmax"], kind: "number" },
  { label: "Consent (TCF)", paths: ["user.consent", "user.ext.consent"], kind: "text" },
  { label: "GDPR applies", paths: ["regs.gdpr", "regs.ext.gdpr"], kind: FLAG },
  { label: "A child (coppa)", paths: ["regs.coppa"], kind: FLAG },
  { label: "Test", paths: ["test"], kind: FLAG },
];

/** The form, and the function that fills it from the text of a request. `change` gets the text after each edit. */
export function fieldsForm(text: () => string, change: (text: string) => void): { element: HTMLElement; fill(): void } {
  const imp = choice("field-imp", [], fill);
  const impField = field("Impression", imp);
  const inputs = FIELDS.map((own, n) => {
    const edit = () => {
      const path = pathOf(own, spans(text()), imp.value || "0");
      change(withValue(text(), path, jsonOf(own, input.value.trim())));
    };
    const input = inputOf(own, `field-${n}`, edit);
    return { own, input };
  });

  function fill(): void {
    const all = spans(text());
    const imps = valueAt(text(), all, "imp");
    const count = Array.isArray(imps) ? imps.length : 0;
    const chosen = Number(imp.value) < count ? imp.value || "0" : "0";
    impField.hidden = count < 2;
    const numbers = Array.from({ length: count }, (_, n) => [`${n}`, `${n + 1}`] as const);
    offer(imp, numbers, count > 0 ? chosen : "");
    for (const { own, input } of inputs) {
      // The field in which a person types keeps its text.
      if (document.activeElement === input && input instanceof HTMLInputElement) continue;
      const value = valueAt(text(), all, pathOf(own, all, chosen));
      const shown = typeof value === "object" && value !== null ? JSON.stringify(value) : plain(value);
      if (input instanceof HTMLSelectElement && typeof own.kind !== "string") offer(input, own.kind, shown);
      input.value = shown;
    }
  }

  const fields = inputs.map(({ own: { label }, input }) => field(label, input));
  return { element: h("div.grid", impField, fields), fill };
}

function inputOf({ kind }: Field, id: string, edit: () => void): HTMLInputElement | HTMLSelectElement {
  if (typeof kind !== "string") return choice(id, kind, edit);
  const inputmode = kind === "number" ? "decimal" : "text";
  return h("input", { id, type: "text", inputmode, placeholder: "absent", spellcheck: "false", oninput: edit });
}

/** The path of the attribute in the request, or the path where it would be. */
function pathOf({ paths }: Field, all: Map<string, Span>, imp: string): string {
  const own = paths.map((path) => path.replace("#", imp));
  const parentOf = (path: string) => path.slice(0, path.lastIndexOf("."));
  return own.find((path) => all.has(path)) ?? own.find((path) => all.has(parentOf(path))) ?? own[0] ?? "";
}

/** The value as JSON; null for none. A value that is not a number is sent as a text, as some exchanges do. */
function jsonOf({ kind }: Field, value: string): string | null {
  if (value === "") return null;
  const isNumber = kind !== "text" && /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(value);
  return isNumber ? value : JSON.stringify(value);
}
