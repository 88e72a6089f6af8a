//! The decision on a request, card by card. A person's choices stay when a new decision is shown.

import { type Child, h, put } from "../../dom.ts";
import { card, choice, field, opening, scrolling } from "../../parts/blocks.ts";
import { answerCard } from "./answer/index.ts";
import { type Imp, type Report, withAbsent } from "./report.ts";
import { type CampaignsCard, campaignsCard } from "./why/campaigns.ts";
import { compareCard } from "./why/compare.ts";
import { priceCard, privacyCard, workPart } from "./why/facts.ts";
import { countsOf, funnelCard } from "./why/funnel.ts";
import { meaning, outcomeCard } from "./why/outcome.ts";

export class Decision {
  readonly element: HTMLElement;
  /** The impression whose campaigns are shown, from 0. */
  imp = 0;
  /** The meanings of no-bid reasons. */
  reasons: Record<string, string> = {};
  readonly #mark: (paths: string[]) => void;
  readonly #result = h("div.stack.result", { "aria-busy": "true" });
  /** Tells screen readers what has changed. */
  readonly #news = h("p.unseen", { role: "status" });
  readonly #rows: CampaignsCard;
  readonly #open = new Set(["Response"]);
  /** The ad that is shown. While it stays the same, its frame is not loaded again. */
  #ad: { response: string; card: HTMLElement | null } = { response: "", card: null };

  /** `mark` shows paths in the request. */
  constructor(mark: (paths: string[]) => void) {
    this.#mark = mark;
    this.#rows = campaignsCard(mark, this.#say);
    this.element = h("div", this.#result, this.#news);
  }

  /** Shows that the page waits for a decision. */
  wait(): void {
    this.#result.ariaBusy = "true";
  }

  /** Shows why there is no decision. */
  refuse(title: string, why: HTMLElement): void {
    this.#put(card(title, [why]));
  }

  /** Shows a report of the request `text`, and how another version's report differs. */
  show(answered: Report, beside: Report | null, text: string): void {
    const report = withAbsent(answered, text);
    const { imps = [], outcome, work, response, cur } = report;
    const isBid = outcome === "bid";
    const why = outcomeCard(report, this.#say, this.#mark);
    const privacy = privacyCard(report, this.#mark);
    const content = JSON.stringify(response ?? null) + cur;
    if (content !== this.#ad.response) this.#ad = { response: content, card: answerCard(report) };
    put(this.#news, why.querySelector(".sentence")?.textContent);
    this.#put(
      why,
      beside && compareCard(report, withAbsent(beside, text)),
      isBid && h("div.grid", this.#ad.card, h("div.stack", priceCard(report), privacy)),
      this.#campaigns(report, imps),
      !isBid && h("div.grid", this.#ad.card, privacy),
      work !== undefined && this.#folded("Work", () => workPart(work)),
      response !== undefined && this.#folded("Response", () => json("Response", response)),
      this.#folded("Report", () => json("Report", { ...answered, response: undefined })),
    );
  }

  #put(...cards: Child[]): void {
    put(this.#result, cards);
    this.#result.ariaBusy = "false";
  }

  readonly #say = (reason: string) => meaning(reason, this.reasons);

  /** The funnel and the campaigns of one impression, with a choice among several. */
  #campaigns(report: Report, imps: Imp[]): Child {
    const area = h("div.stack");
    const draw = (n: number) => {
      this.imp = n;
      const { element, show, pick } = this.#rows;
      show(report, imps[n]);
      put(area, funnelCard(countsOf(report, imps[n]), pick, this.#say), element);
    };
    const options = imps.map(({ id }, n) => [`${n}`, `${n + 1}: id ${id}`] as const);
    const select = choice("shown-imp", options, (n) => draw(Number(n)));
    draw(this.imp < imps.length ? this.imp : 0);
    select.value = `${this.imp}`;
    return [imps.length > 1 && field("Campaigns on impression", select), area];
  }

  /** A box that opens, and stays open with the next decision. */
  #folded(title: string, inside: () => Child): HTMLElement {
    const box = opening("card.raw", title, inside, this.#open.has(title));
    box.addEventListener("toggle", () => {
      if (box.open) this.#open.add(title);
      else this.#open.delete(title);
    });
    return box;
  }
}

/** JSON in lines for people. */
function json(title: string, value: unknown): HTMLElement {
  return h("pre", scrolling(title), JSON.stringify(value, null, 2));
}
