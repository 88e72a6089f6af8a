//! The view `#request`: why the bidder bids on a request, or not. Each edit asks again.

import { ask, Refused } from "../../ask.ts";
import { h, put } from "../../dom.ts";
import { card, choice, field, scrolling, text } from "../../parts/blocks.ts";
import { afterPause } from "../../parts/loading.ts";
import { answerCard } from "./answer/index.ts";
import { choices } from "./ask/choices.ts";
import { Editor } from "./ask/editor.ts";
import { fieldsForm } from "./ask/fields.ts";
import { EXAMPLE, type Fixture, pathOf, shipped } from "./ask/fixtures.ts";
import { formatted } from "./ask/json.ts";
import { picker } from "./ask/picker.ts";
import type { Imp, Report } from "./report.ts";
import { keep, type State, stateOf } from "./state.ts";
import { withAbsent } from "./why/absent.ts";
import { campaignsCard, type Filter } from "./why/campaigns.ts";
import { compareCard } from "./why/compare.ts";
import { countsOf } from "./why/counts.ts";
import { privacyCard, workPart } from "./why/facts.ts";
import { funnelCard } from "./why/funnel.ts";
import { meaning, outcomeCard } from "./why/outcome.ts";
import { priceCard } from "./why/price.ts";

/** What stays when a new decision is shown: the filters of the campaigns, and the boxes that are open. */
interface Kept extends Filter {
  open: Set<string>;
}

/** Milliseconds after the last key until the bidder is asked. */
const PAUSE_MS = 150;

/** Shows the view. */
export function mount(root: HTMLElement, left: AbortSignal): void {
  let state = stateOf(location.hash);
  let reasons: Record<string, string> = {};
  let fixtures: Fixture[] = [];
  let asking = new AbortController();
  let shownImp = 0;
  /** What a person has chosen in the result, which a new decision must not undo. */
  const kept: Kept = { search: "", check: "", open: new Set(["Response"]) };
  /** The ad that is shown. While it stays the same, its frame is not loaded again. */
  let ad: { response: string; card: HTMLElement | null } = { response: "", card: null };

  const editor = new Editor(edited, () => change({ ...state, fixture: "" }));
  const form = fieldsForm(
    () => editor.text,
    (changed) => {
      editor.text = changed;
      edited();
    },
  );
  const chosen = choices((part) => change({ ...state, ...part }));
  const picking = h("div");
  const source = h("p", { class: "soft", role: "status" });
  const result = h("div", { class: "cards result", "aria-busy": "true" });
  /** Tells those who do not see the page what has changed. */
  const told = h("p", { class: "unseen", role: "status" });
  const mark = (paths: string[]) => editor.mark(paths);
  let choosePicked: (path: string) => void = () => {};

  const later = afterPause(left, () => void decide());

  function change(next: State): void {
    state = next;
    keep(state);
    chosen.fill(state);
    choosePicked(state.fixture);
    form.fill();
    tellSource();
    later(0);
  }

  function edited(): void {
    form.fill();
    tellSource();
    later(PAUSE_MS);
  }

  function pick(fixture: Fixture): void {
    editor.mark([]);
    editor.text = formatted(fixture.body);
    shownImp = 0;
    change({ ...state, fixture: pathOf(fixture), ssp: fixture.ssp });
  }

  /** Says where the text is from. */
  function tellSource(): void {
    const fixture = fixtures.find((one) => pathOf(one) === state.fixture);
    if (fixture === undefined) {
      put(source, ["Your own request. It stays in this tab."]);
      return;
    }
    const edits =
      editor.text === formatted(fixture.body) ? "" : " It is edited; a link to this page leads to it unedited.";
    const [rule, ...rules] = fixture.rules;
    const shows = rule === undefined ? "" : ` Rule tested: ${rule}${rules.length ? `, and ${rules.length} more` : ""}.`;
    const catalog =
      fixture.catalog === EXAMPLE ? "" : " It is made for another catalog, so the decision here may differ.";
    put(source, [h("strong", {}, fixture.name.replaceAll("-", " ")), `.${shows}${catalog}${edits}`]);
  }

  /** Asks the bidder, and shows what it says. A later question ends an earlier one. */
  async function decide(): Promise<void> {
    asking.abort();
    asking = new AbortController();
    const signal = AbortSignal.any([asking.signal, left]);
    result.setAttribute("aria-busy", "true");
    if (editor.text.trim() === "") {
      put(result, [card("No request yet", [text("empty", "Paste a request into the field, or pick a fixture.")])]);
      result.setAttribute("aria-busy", "false");
      return;
    }
    try {
      const [one, other] = await Promise.all([
        explained(state.version, signal),
        state.beside === "" ? null : explained(state.beside === "served" ? "" : state.beside, signal),
      ]);
      if (!signal.aborted) draw(one, other);
    } catch (error) {
      if (signal.aborted) return;
      const why = error instanceof Refused ? error.message : String(error);
      put(result, [card("There is no decision", [text("error", why)])]);
    }
    if (!signal.aborted) result.setAttribute("aria-busy", "false");
  }

  function explained(version: string, signal: AbortSignal): Promise<Report> {
    const query = new URLSearchParams({ bid: "" });
    if (version !== "") query.set("version", version);
    if (state.now !== "") query.set("now", `${state.now}Z`);
    const headers = { "content-type": "application/json" };
    const path = `/explain/${encodeURIComponent(state.ssp)}?${query}`;
    return ask<Report>(path, { method: "POST", headers, body: editor.text, signal });
  }

  function draw(answered: Report, beside: Report | null): void {
    const [report, other] = [withAbsent(answered, editor.text), beside && withAbsent(beside, editor.text)];
    const { imps = [] } = report;
    const say = (reason: string) => meaning(reason, reasons);
    if (shownImp >= imps.length) shownImp = 0;
    const perImp = h("div", { class: "cards" });
    const drawImp = (imp: Imp | undefined) => {
      const campaigns = campaignsCard(report, imp, mark, say, kept);
      put(perImp, [funnelCard(countsOf(report, imp), campaigns.pick, say), campaigns.element]);
    };
    drawImp(imps[shownImp]);
    const response = JSON.stringify(report.response ?? null) + report.cur;
    if (response !== ad.response || ad.card === null) ad = { response, card: answerCard(report) };
    const outcome = outcomeCard(report, reasons, mark);
    put(told, [outcome.querySelector(".sentence")?.textContent]);
    const privacy = privacyCard(report, mark);
    const why = [imps.length > 1 ? impChoice(imps, drawImp) : null, perImp];
    const isBid = report.outcome === "bid";
    put(result, [
      outcome,
      other && compareCard(report, other),
      isBid
        ? h("div", { class: "cards pair" }, ad.card, h("div", { class: "cards" }, priceCard(report), privacy))
        : null,
      ...why,
      isBid ? null : h("div", { class: "cards pair" }, ad.card, privacy),
      folded("Work", workPart(report), kept),
      folded("Response", json("Response", answered.response), kept),
      folded("Report", json("Report", { ...answered, response: undefined }), kept),
    ]);
  }

  function impChoice(imps: Imp[], drawImp: (imp: Imp | undefined) => void): HTMLElement {
    const options = imps.map(({ id }, n) => [`${n}`, `${n + 1}: id ${id}`] as const);
    const select = choice("shown-imp", options, (n) => {
      shownImp = Number(n);
      drawImp(imps[shownImp]);
    });
    select.value = `${shownImp}`;
    return field("Campaigns on impression", select);
  }

  put(root, [
    h("h1", {}, "Why do we bid, or not?"),
    h(
      "div",
      { class: "columns" },
      h(
        "div",
        { class: "card asked" },
        picking,
        source,
        chosen.element,
        h("details", { open: isWide() }, h("summary", {}, "Change a field"), form.element),
        editor.element,
      ),
      result,
    ),
    told,
  ]);
  chosen.fill(state);
  keep(state);
  shipped().then(
    (all) => {
      if (left.aborted) return;
      ({ reasons, fixtures } = all);
      const { element, choose } = picker(fixtures, pick);
      choosePicked = choose;
      put(picking, [element]);
      const fixture = fixtures.find((one) => pathOf(one) === state.fixture);
      if (fixture === undefined) {
        change({ ...state, fixture: "" });
        return;
      }
      const { ssp } = state;
      pick(fixture);
      if (ssp !== fixture.ssp) change({ ...state, ssp });
    },
    (error) => put(picking, [text("error", String(error instanceof Error ? error.message : error))]),
  );
}

/** Whether the form and the decision have room beside each other. */
function isWide(): boolean {
  return matchMedia("(min-width: 1000px)").matches;
}

/** A box that opens, and stays open with the next decision. Null without content. */
function folded(title: string, content: HTMLElement | null, { open }: Kept): HTMLElement | null {
  if (content === null) return null;
  const remember = (event: Event) => {
    if ((event.currentTarget as HTMLDetailsElement).open) open.add(title);
    else open.delete(title);
  };
  return h(
    "details",
    { class: "card raw", open: open.has(title), ontoggle: remember },
    h("summary", {}, title),
    content,
  );
}

/** JSON as a person reads it. */
function json(title: string, value: unknown): HTMLElement | null {
  if (value === undefined) return null;
  return h("pre", scrolling(title), JSON.stringify(value, null, 2));
}
