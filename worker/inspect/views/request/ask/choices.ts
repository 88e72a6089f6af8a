//! Which SSP sends the request, when, and which version of the catalog decides.

import type { Listed } from "../../../../src/operator/answers.ts";
import { ask } from "../../../ask.ts";
import { h } from "../../../dom.ts";
import { choice, field, type Option, offer } from "../../../parts/blocks.ts";
import { type Versions, versionOptions } from "../../../parts/versions.ts";
import type { State } from "../state.ts";

/** The fields, and what fills them. `change` gets the members of the state that a person has changed. */
export function choices(change: (part: Partial<State>) => void): { element: HTMLElement; fill(state: State): void } {
  const ssp = choice("ssp", [], (value) => change({ ssp: value }));
  const now = h("input", { id: "now", type: "datetime-local", step: 1, onchange: () => change({ now: now.value }) });
  const version = choice("version", [], (value) => change({ version: value }));
  const beside = choice("beside", [], (value) => change({ beside: value }));
  let versions: Option[] = [];
  let ssps: string[] = [];
  let shown: State | undefined;

  function fill(state: State): void {
    shown = state;
    offer(
      ssp,
      ssps.map((id) => [id, id]),
      state.ssp,
    );
    now.value = state.now;
    offer(version, [["", "the served one"], ...versions], state.version);
    offer(beside, [["", "no other version"], ["served", "the served one"], ...versions], state.beside);
  }

  async function learn(): Promise<void> {
    // Without these lists, the page still asks with the SSP and the version of the address.
    const [known, catalog] = await Promise.allSettled([
      ask<Versions>("/inspect/api/versions"),
      ask<Listed>("/inspect/api/catalog"),
    ]);
    if (known.status === "fulfilled") {
      const { second } = known.value;
      versions = [...(second ? [["second", "the second version"] as const] : []), ...versionOptions(known.value)];
    }
    if (catalog.status === "fulfilled") ssps = catalog.value.ssps.map(({ id }) => String(id));
    if (shown !== undefined) fill(shown);
  }
  void learn();

  const element = h(
    "div",
    { class: "choices" },
    field("SSP", ssp),
    field("Time, UTC (empty: now)", now),
    field("Ask version", version),
    field("Compare with", beside),
  );
  return { element, fill };
}
