//! The state of a run in a file, so that a run that was interrupted can go on.

import { existsSync, readFileSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import { Failure } from "../../build/failure.mjs";
import { writeWhole } from "../whole-file.ts";
import type { Input, Mark } from "./inputs.ts";
import type { Found, Run, Settings } from "./run.ts";

/** Rises when the contents change their meaning. */
const FORMAT = 3;

export interface State {
  format: number;
  /** The versions of the catalogs. */
  catalogs: string[];
  settings: Settings;
  inputs: Input[];
  /** The inputs that were read so far, the last one perhaps in part. */
  marks: Mark[];
  run: Found;
}

/** Reads the state of this run; null if there is no such file. Throws {@link Failure} if it belongs to another run. */
export function readState(path: string, { catalogs, settings }: Run, inputs: Input[]): State | null {
  if (!existsSync(path)) return null;
  const refuse = (why: string) => new Failure(`${path}: ${why}; delete the file to start again`);
  const state = parsed(path);
  if (state?.format !== FORMAT) throw refuse("not a state of this edgebid");
  if (state.catalogs.length !== catalogs.length) throw refuse("the run had another number of catalogs");
  const other = catalogs.find(({ version }, at) => state.catalogs[at] !== version);
  if (other) throw refuse(`the catalog ${other.name} has changed since the state was saved`);
  for (const option of ["ssp", "now", "examples"] as const) {
    if (state.settings[option] !== settings[option]) throw refuse(`the run had another --${option}`);
  }
  const names = (list: Input[]) => list.map(({ name }) => name).join(", ");
  if (names(state.inputs) !== names(inputs)) throw refuse(`the run has read ${names(state.inputs)}`);
  const changed = inputs.find(({ size }, at) => state.inputs[at]?.size !== size);
  if (changed) throw refuse(`${changed.name} has changed since the state was saved`);
  return state;
}

/** Saves the state. An interruption leaves the old state or the new one. */
export function saveState(path: string, { catalogs, settings, found: run }: Run, inputs: Input[], marks: Mark[]): void {
  const versions = catalogs.map(({ version }) => version);
  const state: State = { format: FORMAT, catalogs: versions, settings, inputs, marks, run };
  writeWhole(path, serialize(state));
}

export function parsed(path: string): State | null {
  try {
    return deserialize(readFileSync(path));
  } catch {
    return null;
  }
}
