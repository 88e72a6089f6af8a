//! The deals that a bidder keeps, as sellers have sent them, and the state of each.

import { EXIT, Failure } from "../../build/failure.mjs";
import { type AllDeals, type Deal, type Decision, type KeptDeal, STATES } from "../../shared/deals/deal.ts";
import { timeIn } from "../../shared/time/days.ts";
import { askJson } from "../money/client.ts";

/** Which bidder is asked, and for which of several deals with one id. */
export interface Asked {
  url: string;
  origin?: string;
  ssp?: string;
  json?: boolean;
}

/** A deal that is kept. `states`: what was decided, then what the seller and its dates say. */
export interface Known extends Omit<KeptDeal, "deal" | "decisions"> {
  ssp: string;
  deal: Deal;
  states: string[];
  /** `deal`: what was decided on, if the terms have changed since. */
  decisions: (Decision & { deal?: Deal })[];
}

/** A deal ends soon, within so many milliseconds. */
const ENDING_MS = 7 * 86_400_000;

/** All deals of the bidder's SSPs. Throws {@link Failure}. */
export async function dealsOf({ url }: Asked): Promise<Known[]> {
  const answer = await askJson<AllDeals>(url, "deals");
  if (Array.isArray(answer?.deals)) {
    if (answer.silent.length > 0)
      process.stderr.write(`edgebid: the deals of ${answer.silent.join(", ")} cannot be read now\n`);
    return answer.deals.map((kept) => knownOf(kept, Date.now()));
  }
  throw new Failure(`${url} answers with something else than deals; is it edgebid?`, EXIT.unreachable);
}

/** The deal with this id. Throws {@link Failure} if there is none, or more than one. */
export async function dealWith(id: string, asked: Asked): Promise<Known> {
  const isMeant = (deal: Known) =>
    deal.id === id && (asked.origin ?? deal.origin) === deal.origin && (asked.ssp ?? deal.ssp) === deal.ssp;
  const own = (await dealsOf(asked)).filter(isMeant);
  const [found, other] = own;
  if (found === undefined) throw new Failure(`no seller has sent the deal ${id}; see npx edgebid deals list --all`);
  if (other === undefined) return found;
  const origins = own.map(({ origin, ssp }) => `${origin} at ${ssp}`).join(", ");
  throw new Failure(`several deals have the id ${id}: ${origins}; name one with --origin or --ssp`);
}

function knownOf({ deal: text, decisions, ...kept }: AllDeals["deals"][number], now: number): Known {
  const deal: Deal = JSON.parse(text);
  const { sellerstatus = 0, terms } = deal;
  const left = (timeIn(terms.enddate) ?? Number.POSITIVE_INFINITY) - now;
  const [first] = decisions;
  const isChanged = decisions.some(({ deal }) => deal !== undefined);
  const decided = isChanged ? "changed" : first === undefined ? "new" : first.status === 1 ? "accepted" : "rejected";
  return {
    ...{ ...kept, deal },
    decisions: decisions.map(({ deal, ...one }) => ({ ...one, ...(deal !== undefined && { deal: JSON.parse(deal) }) })),
    states: [
      ...[decided, ...(sellerstatus > 0 ? [STATES[sellerstatus] ?? ""] : [])],
      ...(left <= 0 ? ["ended"] : left <= ENDING_MS ? ["ending"] : []),
    ],
  };
}

/** Whether the deal cannot be bought any more. */
export function isOver({ states }: Known): boolean {
  return states.some((state) => ["complete", "archived", "ended"].includes(state));
}
