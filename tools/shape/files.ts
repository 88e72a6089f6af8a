//! Writes and reads the folder of an SSP for DTE. The whole folder is replaced, or nothing.
//!
//! The evaluator in Go reads the signal file of the hour, holds it for 70 minutes, and takes a model without a file for
//! one without tuples. So there is a file for each of many hours, and the plain model ends two hours before the others:
//! when nobody publishes any more, it is the first to be gone, and without it nothing is filtered.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { EXIT, Failure } from "../../build/failure.mjs";
import { parsedJson } from "../../cli/input.ts";
import { HOUR_MS } from "../../shared/time/days.ts";
import { experimentConfig, type Feature, type Model, modelConfig } from "./dte.ts";
import { PLAIN_MODEL } from "./models.ts";

/** Hours that other models last longer than the plain one: an evaluator may hold its tuples for so long. */
const LONGER = 2;

const MODELS = "configuration/model/config.json";

/** Writes the folder of an SSP, with signal files for `hours` from `now` on. Returns the number of its bytes. */
export function writeDte(
  folder: string,
  ssp: string,
  { models, control, hours, now }: { models: Model[]; control: number; hours: number; now: number },
): { bytes: number; files: number } {
  const shape = join(folder, ssp);
  if (existsSync(shape) && !existsSync(join(shape, MODELS)))
    throw new Failure(`${shape} exists and is no folder of shapes: name another folder`);
  const fresh = `${shape}.new`;
  rmSync(fresh, { recursive: true, force: true });
  const written = { bytes: 0, files: 0 };
  const write = (path: string, text: string) => {
    mkdirSync(join(fresh, path, ".."), { recursive: true });
    writeFileSync(join(fresh, path), text);
    // An evaluator that reads local files tells them apart by these times.
    utimesSync(join(fresh, path), now / 1000, now / 1000 + written.files);
    written.bytes += text.length;
    written.files++;
  };
  try {
    write(MODELS, JSON.stringify(modelConfig(models)));
    write("configuration/experiment/config.json", JSON.stringify(experimentConfig(models, control)));
    for (const model of models) {
      const body = model.tuples.map((tuple) => `${tuple}\n`).join("");
      for (let hour = 0; hour < hours + (model.identifier === PLAIN_MODEL ? 0 : LONGER); hour++) {
        const of = hourOf(now + hour * HOUR_MS);
        // Evaluators skip a file that equals the last one that they read, so no two are equal.
        write(`${of}/${model.identifier}.csv`, `#${model.identifier} ${of}\n${body}`);
      }
    }
    rmSync(`${shape}.old`, { recursive: true, force: true });
    if (existsSync(shape)) renameSync(shape, `${shape}.old`);
    renameSync(fresh, shape);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(shape) && existsSync(`${shape}.old`)) renameSync(`${shape}.old`, shape);
    throw error;
  }
  rmSync(`${shape}.old`, { recursive: true, force: true });
  return written;
}

/** `2026-11-28/06`: the folder of an hour. */
function hourOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 13).replace("T", "/");
}

/** The SSPs that have a folder here. */
export function sspsIn(folder: string): string[] {
  return readdirSync(folder).filter((ssp) => existsSync(join(folder, ssp, MODELS)));
}

/** The models of an SSP's folder, with the tuples of the hour. Throws {@link Failure} if a file is missing or broken. */
export function readDte(folder: string, ssp: string, now: number): Model[] {
  const shape = join(folder, ssp);
  type Config = { modelDefinitionByIdentifier?: Record<string, Omit<Model, "tuples">> };
  const models = join(shape, MODELS);
  if (!existsSync(models)) throw new Failure(`${models} does not exist: publish a shape first`);
  const config = parsedJson<Config>(readFileSync(models))?.modelDefinitionByIdentifier;
  if (config === undefined) throw new Failure(`${models}: expected a ModelConfiguration`);
  return Object.values(config).map(({ identifier, modelType, features }): Model => {
    const signals = join(shape, hourOf(now), `${identifier}.csv`);
    if (!existsSync(signals))
      throw new Failure(`${signals} does not exist: the shape has run out; publish it again`, EXIT.found);
    const [, ...tuples] = readFileSync(signals, "utf8").trimEnd().split("\n");
    return { identifier, modelType, features: features as Feature[], tuples };
  });
}
