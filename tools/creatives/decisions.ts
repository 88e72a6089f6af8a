//! Reads what an exchange has decided about creatives: Google's JSON, or CSV.

import { parse } from "csv-parse/sync";
import { Failure } from "../../build/failure.mjs";
import { isObject, parsedJson } from "../../cli/input.ts";

export const STATES = ["approved", "pending", "disapproved"] as const;

export interface Decision {
  crid: string;
  state: (typeof STATES)[number];
  reason?: string;
  /** Such as `2026-11-20`. */
  date?: string;
}

/**
 * `networkPolicyCompliance.status` of a creative, in the Real-time Bidding API of Google as of 2026-11:
 * https://developers.google.com/authorized-buyers/apis/realtimebidding/reference/rest/v1/buyers.creatives
 */
const GOOGLE_STATES: Record<string, Decision["state"]> = {
  APPROVED: "approved",
  PENDING_REVIEW: "pending",
  STATUS_UNSPECIFIED: "pending",
  DISAPPROVED: "disapproved",
  CERTIFICATE_REQUIRED: "disapproved",
};

/** The decisions of a file. Throws {@link Failure} with the position of what cannot be read, or is not complete. */
export function decisionsIn(bytes: Uint8Array): Decision[] {
  const value = parsedJson(bytes);
  const decisions = value === undefined ? ofCsv(bytes) : ofGoogle(value);
  if (decisions.length === 0) throw new Failure("the file has no decisions");
  return decisions;
}

interface GoogleCreative {
  creativeId?: unknown;
  creativeServingDecision?: {
    lastStatusUpdate?: string;
    networkPolicyCompliance?: { status?: string; topics?: { policyTopic?: string }[] };
  };
}

function ofGoogle(value: unknown): Decision[] {
  if (isObject(value) && value["nextPageToken"]) {
    throw new Failure("the file is one page of several (nextPageToken); expected all pages in one list");
  }
  const creatives = isObject(value) ? value["creatives"] : value;
  if (!Array.isArray(creatives))
    throw new Failure("the file has no list of creatives; expected creatives, or an array");
  return creatives.map((creative: GoogleCreative | null, position) => {
    const { creativeId, creativeServingDecision: decided } = creative ?? {};
    const at = `creatives[${position}]`;
    if (typeof creativeId !== "string") throw new Failure(`${at} has no creativeId`);
    const { status = "", topics = [] } = decided?.networkPolicyCompliance ?? {};
    const state = GOOGLE_STATES[status];
    if (state === undefined) {
      const expected = Object.keys(GOOGLE_STATES).join(", ");
      throw new Failure(`${at} (${creativeId}): the status is ${JSON.stringify(status)}; expected one of ${expected}`);
    }
    const why = topics.flatMap(({ policyTopic }) => policyTopic ?? []).join(", ");
    const reason = why || (status === "CERTIFICATE_REQUIRED" ? "a certificate is required" : "");
    return decision(creativeId, state, reason, decided?.lastStatusUpdate?.slice(0, "2026-11-20".length) ?? "");
  });
}

function ofCsv(bytes: Uint8Array): Decision[] {
  let rows: { record: Record<string, string>; info: { lines: number } }[];
  try {
    // The types of csv-parse do not know that `info` changes the rows.
    rows = parse(bytes, {
      ...{ bom: true, info: true, trim: true, skip_empty_lines: true, delimiter: [",", ";", "\t"] },
      columns: (head: string[]) => head.map((title) => title.toLowerCase()),
    }) as unknown as typeof rows;
  } catch (error) {
    throw new Failure(`the file is neither JSON nor CSV: ${error instanceof Error ? error.message : error}`);
  }
  return rows.map(({ record: { crid, state = "", reason = "", date = "" }, info: { lines } }) => {
    if (!crid)
      throw new Failure(`line ${lines}: no crid; expected a column crid in the first line, and a crid in each`);
    const known = STATES.find((one) => one === state.toLowerCase());
    if (known === undefined) {
      throw new Failure(`line ${lines}: the state is ${JSON.stringify(state)}; expected ${STATES.join(", ")}`);
    }
    return decision(crid, known, reason, date);
  });
}

function decision(crid: string, state: Decision["state"], reason: string, date: string): Decision {
  return { crid, state, ...(reason && { reason }), ...(date && { date }) };
}
