//! Which SSP sends the request, when, and which version of the catalog decides.

import { ask } from "../../../ask.ts";
import { h, put } from "../../../dom.ts";
import type { State } from "../state.ts";

/** A version in the list. Only its name is sure. */
interface Version {
  version: string;
  /** When it was last pushed, ISO 8601. */
  pushed?: string;
  note?: string;
}

/** The members of `GET /inspect/api/versions` that matter here. */
interface Versions {
  versions?: Version[];
  current?: string | null;
  previous?: string | null;
  second?: { version: string } | null;
}

/** The fields, and what fills them. `change` gets the members of the state that a person has changed. */
export function choices(change: (part: Partial<State>) => void): { element: HTMLElement; fill(state: State): void } {
  const ssp = h("select", { id: "ssp", onchange: () => change({ ssp: ssp.value }) });
  const now = h("input", { id: "now", type: "datetime-local", step: 1, onchange: () => change({ now: now.value }) });
  const version = h("select", { id: "version", onchange: () => change({ version: version.value }) });
  const beside = h("select", { id: "beside", onchange: () => change({ beside: beside.value }) });
  let known: Versions = {};
  let ssps: string[] = [];
  let shown: State | undefined;

  function fill(state: State): void {
    shown = state;
    options(
      ssp,
      state.ssp,
      [...new Set([...ssps, state.ssp])].map((id) => [id, id]),
    );
    now.value = state.now;
    const versions = versionOptions(known);
    options(version, state.version, [["", "the served one"], ...versions]);
    options(beside, state.beside, [["", "no other version"], ["served", "the served one"], ...versions]);
  }

  async function learn(): Promise<void> {
    // Without these lists, the page still asks with the SSP and the version of the address.
    const [versions, catalog] = await Promise.allSettled([
      ask<Versions>("/inspect/api/versions"),
      ask<{ ssps?: (string | { id: string })[] }>("/inspect/api/catalog"),
    ]);
    if (versions.status === "fulfilled") known = versions.value;
    if (catalog.status === "fulfilled") {
      ssps = (catalog.value.ssps ?? []).map((one) => (typeof one === "string" ? one : one.id));
    }
    if (shown !== undefined) fill(shown);
  }
  void learn();

  const field = (label: string, input: HTMLElement) =>
    h("div", { class: "field" }, h("label", { for: input.id }, label), input);
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

function options(select: HTMLSelectElement, value: string, all: (readonly [value: string, text: string])[]): void {
  const known = all.some(([one]) => one === value) ? all : [...all, [value, value] as const];
  put(
    select,
    known.map(([one, text]) => h("option", { value: one }, text)),
  );
  select.value = value;
}

function versionOptions({ versions = [], current, previous, second }: Versions): [string, string][] {
  const roles = [
    [current, "served"],
    [second?.version, "second"],
    [previous, "previous"],
  ];
  const listed = versions.map(({ version, note, pushed }): [string, string] => {
    const role = roles.filter(([name]) => name === version).map(([, text]) => text);
    const day = pushed?.slice(0, 16).replace("T", " ");
    return [version, [version.slice(0, 8), ...role, day, note].filter(Boolean).join(" · ")];
  });
  return second ? [["second", "the second version"], ...listed] : listed;
}
