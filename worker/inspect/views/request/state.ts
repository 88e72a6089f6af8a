//! What the address keeps of the view, so that a link can be shared: the fixture, the SSP, the time and the versions. The
//! request itself is never in it, because a request may name a person.

export interface State {
  /** `KIND/NAME`; empty for a request that was pasted. */
  fixture: string;
  ssp: string;
  /** The time of the decision as the field of a form has it, in UTC; empty: now. */
  now: string;
  /** The version to ask; empty: the one that is served. */
  version: string;
  /** The version to compare with; empty: none. */
  beside: string;
}

const FIRST: State = { fixture: "bid/simple-banner", ssp: "demo", now: "", version: "", beside: "" };
const NAME = "request";

/** The state in the address. A link to another view has none. */
export function stateOf(hash: string): State {
  const [name = "", query = ""] = hash.replace(/^#/, "").split("?");
  if (name !== NAME || query === "") return { ...FIRST };
  const kept = new URLSearchParams(query);
  const of = (key: keyof State) => kept.get(key) ?? "";
  return {
    fixture: of("fixture"),
    ssp: of("ssp") || FIRST.ssp,
    now: of("now"),
    version: of("version"),
    beside: of("beside"),
  };
}

/** Puts the state into the address, without a step in the history. */
export function keep(state: State): void {
  const query = new URLSearchParams(Object.entries(state).filter(([, value]) => value !== ""));
  history.replaceState(null, "", `#${NAME}?${query}`);
}
