//! Which SSP sends the request, when, and which version of the catalog decides. The address keeps these choices and the
//! example, so that a link can be shared. It never contains the request itself, which may name a person.

import { ask } from "../../../ask.ts";
import { h } from "../../../dom.ts";
import { kept } from "../../../parts/address.ts";
import { choice, field, named, type Option, offer } from "../../../parts/blocks.ts";
import { type Versions, versionOptions } from "../../../parts/versions.ts";

export interface State {
  /** `KIND/NAME`; empty for a request that was pasted. */
  example: string;
  ssp: string;
  /** The time of the decision in the form of an input field, in UTC; empty: now. */
  now: string;
  /** The version to ask; empty: the one that is served. */
  version: string;
  /** The version to compare with; empty: none. */
  beside: string;
}

/** The state of a bidder that serves the example. */
export const FIRST: State = { example: "bid/simple-banner", ssp: "demo", now: "", version: "", beside: "" };

/** The state in the address; null without one, as in a link to another view. */
export function stateOf(): State | null {
  const state = kept("request");
  if (state.size === 0) return null;
  const of = (key: keyof State) => state.get(key) ?? "";
  const [example, ssp, now] = [of("example"), of("ssp") || FIRST.ssp, of("now")];
  return { example, ssp, now, version: of("version"), beside: of("beside") };
}

/** The fields, and the functions that fill them and offer SSPs. */
interface Choices {
  element: HTMLElement;
  fill(state: State): void;
  offerSsps(ids: string[]): void;
}

/** The fields. `change` gets the members of the state that a person has changed. */
export function choices(change: (part: Partial<State>) => void): Choices {
  const ssp = choice("ssp", [], (value) => change({ ssp: value }));
  const now = h("input", { id: "now", type: "datetime-local", step: 1, onchange: () => change({ now: now.value }) });
  const version = choice("version", [], (value) => change({ version: value }));
  const beside = choice("beside", [], (value) => change({ beside: value }));
  let versions: Option[] = [];
  let ssps: Option[] = [];
  let shown = FIRST;

  function fill(state: State): void {
    shown = state;
    offer(ssp, ssps, state.ssp);
    now.value = state.now;
    offer(version, [["", "the served one"], ...versions], state.version);
    offer(beside, [["", "no other version"], ["served", "the served one"], ...versions], state.beside);
  }

  // Without the versions, the page still asks with the version of the address.
  void ask<Versions>("/inspect/api/versions").then(
    (known) => {
      const second: Option[] = known.second ? [["second", "the second version"]] : [];
      versions = [...second, ...versionOptions(known)];
      fill(shown);
    },
    () => null,
  );

  const fields = [field("SSP", ssp), field("Time, UTC (empty: now)", now)];
  const element = h("div.grid", fields, field("Ask version", version), field("Compare with", beside));
  return {
    element,
    fill,
    offerSsps(ids) {
      ssps = named(ids);
      fill(shown);
    },
  };
}
