//! Requests and bids of the last minute as two curves, the newest second at the right.

import { CURVE, type Figures } from "../../../src/tail/figures.ts";
import { s } from "../../dom.ts";

const WIDTH = 640;
const HEIGHT = 120;
const TOP = 4;

export class Curve {
  readonly #requests = s("path", { class: "requests" });
  readonly #bids = s("path", { class: "bids" });
  readonly element = s(
    "svg",
    { class: "curve", role: "img", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" },
    this.#requests,
    this.#bids,
  );

  /** Shows the curves. Returns the height of the picture as a text. */
  show({ curve }: Pick<Figures, "curve">): string {
    const most = Math.max(1, ...curve.map(({ requests }) => requests));
    this.#requests.setAttribute("d", area(curve.map(({ requests }) => requests / most)));
    this.#bids.setAttribute("d", area(curve.map(({ bids }) => bids / most)));
    const text = `${Math.round(most).toLocaleString("en-US")}/s`;
    const last = curve.at(-1) ?? { requests: 0, bids: 0 };
    const now = `now ${Math.round(last.requests)} with ${Math.round(last.bids)} bids`;
    this.element.setAttribute("aria-label", `Requests and bids a second in the last minute: peak ${text}, ${now}.`);
    return text;
  }
}

/** The area under shares of the height. */
function area(shares: number[]): string {
  const step = WIDTH / (CURVE - 1);
  const first = WIDTH - (shares.length - 1) * step;
  const points = shares.map((share, place) => {
    const y = HEIGHT - share * (HEIGHT - TOP);
    return `${(first + place * step).toFixed(1)} ${y.toFixed(1)}`;
  });
  return points.length < 2 ? "" : `M${first.toFixed(1)} ${HEIGHT}L${points.join("L")}L${WIDTH} ${HEIGHT}Z`;
}
