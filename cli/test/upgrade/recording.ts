//! A recording: what a bidder of one version left in its KV and its objects, and what it answered. It is a folder of
//! `fixtures/upgrade` with three files:
//!
//! ```text
//! kv.json        the keys and values of KV
//! objects.sql    the tables of each object, below a line with its name and its alarm
//! expected.json  what the bidder answered, and notices of its bids
//! ```

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../../build/tools.mjs";
import type { Known } from "../../../shared/ledger/rows.ts";
import type { Row } from "../../../shared/report/rows.ts";
import type { ObjectName, Stored, Tables } from "./stored.ts";

const FOLDER = join(ROOT, "fixtures/upgrade");

/** A bid as far as an upgrade must keep it. */
export interface Offer {
  impid: string;
  cid: string;
  crid: string;
  price: number;
}

/** A bid request. */
export interface BidRequest {
  ssp: string;
  body: { id: string; [more: string]: unknown };
}

/** A notice that is still to come, and what it adds to which row of the report. Amounts are decimals. */
export interface Coming {
  path: string;
  of: Required<Pick<Row, "day" | "campaign" | "ssp" | "creative">>;
  spend: string;
  spend_usd: string;
}

/** What a bidder has answered. */
export interface Expected {
  /** The time when the recording ended, ISO 8601. */
  until: string;
  /** The first and the last day of the report. */
  from: string;
  to: string;
  catalog: { version: string; second: string };
  bids: (BidRequest & { offers: Offer[] })[];
  /** Requests for campaigns that have used up their budget, and for one that has not. */
  spent: (BidRequest & { cid: string })[];
  going: BidRequest & { cid: string };
  /** Requests of people who have reached the cap of a campaign. */
  capped: (BidRequest & { cid: string })[];
  /** A person who reaches the cap of a campaign with the notice `path`, which is one of `coming`. */
  reaching: BidRequest & { cid: string; path: string };
  /** Notices that were answered: of bids that are billed, and of bids whose price was too high. */
  billed: string[];
  refused: string[];
  coming: Coming[];
  /** What the ledger knows of each of their tokens. */
  known: Record<string, Known>;
  report: Row[];
  budgets: Record<string, unknown>[];
}

export interface Recording extends Stored {
  expected: Expected;
}

/** The versions that are recorded. */
export function recorded(): string[] {
  return readdirSync(FOLDER).sort();
}

export function readRecording(version: string): Recording {
  const read = (file: string) => readFileSync(join(FOLDER, version, file), "utf8");
  return {
    expected: JSON.parse(read("expected.json")),
    kv: JSON.parse(read("kv.json")),
    objects: objectsIn(read("objects.sql")),
  };
}

/** Writes a recording, and returns its folder. */
export function writeRecording(version: string, { expected, kv, objects }: Recording): string {
  const folder = join(FOLDER, version);
  mkdirSync(folder, { recursive: true });
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  write("expected.json", `${JSON.stringify(expected, null, 1)}\n`);
  write("kv.json", `${JSON.stringify(kv, null, 1)}\n`);
  const head = ({ of, name, alarm }: ObjectName & Tables) =>
    `-- ${of} ${name} ${alarm === null ? "none" : new Date(alarm).toISOString()}\n`;
  write("objects.sql", objects.map((object) => `${head(object)}${object.sql}`).join("\n"));
  return folder;
}

function objectsIn(text: string): Stored["objects"] {
  return text
    .split(/^-- /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf("\n");
      const [of = "", name = "", alarm = ""] = part.slice(0, end).split(" ");
      return { of, name, alarm: alarm === "none" ? null : Date.parse(alarm), sql: part.slice(end + 1) };
    });
}
