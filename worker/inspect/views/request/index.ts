//! The view `#request`: why the bidder bids on a request, or not. Each edit asks again.

import type { First } from "../../../../shared/operator/answers.ts";
import { ask, Refused } from "../../ask.ts";
import { h, put } from "../../dom.ts";
import { keep } from "../../parts/address.ts";
import { afterPause } from "../../parts/loading.ts";
import { choices, FIRST, type State, stateOf } from "./ask/choices.ts";
import { Editor } from "./ask/editor.ts";
import { fieldsForm } from "./ask/fields.ts";
import { formatted } from "./ask/json.ts";
import { EXAMPLE_CATALOG, type Example, ownExample, picker, shipped, titleOf } from "./ask/picker.ts";
import { Decision } from "./decision.ts";
import { own, unpacked } from "./own.ts";
import type { Report } from "./report.ts";

/** Milliseconds after the last key until the bidder is asked. */
const PAUSE_MS = 150;

/** Shows the view. */
export function mount(root: HTMLElement, left: AbortSignal): void {
  const given = stateOf();
  let state = given ?? FIRST;
  let firstSsp = FIRST.ssp;
  let examples: Example[] = [];
  let choosePicked: (path: string) => void = () => {};
  let asking = new AbortController();

  const editor = new Editor(typed, () => change({ example: "" }));
  const form = fieldsForm(
    () => editor.text,
    (text) => {
      editor.text = text;
      edited();
    },
  );
  const chosen = choices(change);
  const decision = new Decision((paths) => editor.mark(paths));
  const picking = h("div");
  const source = h("p.soft", { role: "status" });
  const later = afterPause(left, () => void decide());

  /** A person has edited the text. A captured line becomes its request, at its time and from its SSP. */
  function typed(): void {
    const captured = unpacked(editor.text);
    if (captured === null) {
      edited();
      return;
    }
    editor.text = captured.text;
    change({ ...captured.state, example: "" });
  }

  function change(part: Partial<State>): void {
    state = { ...state, ...part };
    keep("request", state);
    chosen.fill(state);
    choosePicked(state.example);
    edited(0);
  }

  function edited(pause = PAUSE_MS): void {
    asking.abort();
    decision.wait();
    form.fill();
    const example = examples.find((one) => one.path === state.example);
    if (example === undefined) own.text = editor.text;
    put(source, example ? sourceOf(example, editor.text) : "Your own request. It stays in this tab.");
    later(pause);
  }

  function pick(example: Example, ssp = firstSsp): void {
    editor.mark([]);
    editor.text = formatted(example.body);
    decision.imp = 0;
    change({ example: example.path, ssp });
  }

  /** Asks the bidder, and shows its answer. An edit cancels the question. */
  async function decide(): Promise<void> {
    asking = new AbortController();
    const signal = AbortSignal.any([asking.signal, left]);
    if (editor.text.trim() === "") {
      decision.refuse("No request yet", h("p.empty", "Paste a request into the field, or pick an example."));
      return;
    }
    try {
      const [one, other] = await Promise.all([
        explained(state.version, signal),
        state.beside === "" ? null : explained(state.beside === "served" ? "" : state.beside, signal),
      ]);
      if (!signal.aborted) decision.show(one, other, editor.text);
    } catch (error) {
      const why = error instanceof Refused ? error.message : String(error);
      if (!signal.aborted) decision.refuse("There is no decision", h("p.error", why));
    }
  }

  function explained(version: string, signal: AbortSignal): Promise<Report> {
    const query = new URLSearchParams({ bid: "" });
    if (version !== "") query.set("version", version);
    if (state.now !== "") query.set("now", `${state.now}Z`);
    const headers = { "content-type": "application/json" };
    const path = `/explain/${encodeURIComponent(state.ssp)}?${query}`;
    return ask<Report>(path, { method: "POST", headers, body: editor.text, signal });
  }

  async function start(): Promise<void> {
    const [all, { request, ssps }] = await Promise.all([shipped(), ask<First>("/inspect/api/first")]);
    if (left.aborted) return;
    const mine = request === null ? [] : [ownExample(request)];
    examples = [...mine, ...all.examples];
    if (!ssps.includes(firstSsp)) firstSsp = ssps[0] ?? firstSsp;
    chosen.offerSsps(ssps);
    decision.reasons = all.reasons;
    const { element, choose } = picker(examples, (example) => pick(example));
    choosePicked = choose;
    put(picking, element);
    // Without a state in the address, the person's own text comes first, then that of their folder.
    const first = own.text === "" ? (mine[0] ?? examples.find((one) => one.path === FIRST.example)) : undefined;
    const example = given ? examples.find((one) => one.path === given.example) : first;
    if (example === undefined) {
      editor.text = own.text;
      change({ example: "" });
    } else pick(example, given?.ssp);
  }

  // The form is open if there is room for it beside the decision.
  const isWide = matchMedia("(min-width: 1000px)").matches;
  const fields = h("details", { open: isWide }, h("summary", "Change a field"), form.element);
  const asked = h("div.card.asked", picking, source, chosen.element, fields, editor.element);
  put(root, h("h1", "Why do we bid, or not?"), h("div.split", asked, decision.element));
  chosen.fill(state);
  start().catch((error) => put(picking, h("p.error", error instanceof Error ? error.message : String(error))));
}

/** The source of the text. */
function sourceOf(example: Example, text: string) {
  const [rule, ...rules] = example.rules;
  return [
    h("strong", titleOf(example)),
    ".",
    rule !== undefined && ` Rule tested: ${rule}${rules.length ? `, and ${rules.length} more` : ""}.`,
    example.catalog !== EXAMPLE_CATALOG && " It is made for another catalog, so the decision here may differ.",
    text !== formatted(example.body) && " It is edited; a link to this page leads to it unedited.",
  ];
}
