//! Asks a bidder for a report or for its budgets. Every failure says what to do next.

import type { Dimension } from "../../worker/src/ledger/rows.ts";
import type { Budget, ShownAlarm } from "../../worker/src/pacing/budgets.ts";
import type { Row } from "../../worker/src/report/rows.ts";
import { causeOf, EXIT, Failure } from "../failure.mjs";
import { parsedJson } from "../input.ts";

/** The report as JSON. */
export interface Report {
  from: string;
  to: string;
  by: Dimension[];
  /** The objects of the ledger that did not answer. */
  missing?: string[];
  rows: Row[];
}

/** The routes of the operator. */
type What = "deals" | "report" | "budget" | "shading" | "forget" | "tail" | "healthz" | "inspect/api/versions";

/**
 * The answer of the bidder at `url` to a query, in this format. A call with a body is a POST, and the body is sent as
 * JSON. `signal` ends the call and its answer. Throws {@link Failure}.
 */
export async function ask(
  url: string,
  what: What,
  query: Record<string, string>,
  accept: string,
  body?: object,
  signal?: AbortSignal,
): Promise<Response> {
  if (!URL.canParse(url)) throw new Failure(`--url ${url}: expected one such as https://bidder.example`);
  const address = new URL(`${url.replace(/\/*$/, "")}/${what}?${new URLSearchParams(query)}`);
  const headers = { accept, ...bearer() };
  let response: Response;
  try {
    const post = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    response = await fetch(address, { headers, redirect: "manual", ...post, ...(signal && { signal }) });
  } catch (error) {
    throw new Failure(unreachable(url, error), EXIT.unreachable);
  }
  if (response.ok) return response;
  throw new Failure(`${url} ${await refusal(response, what, "authorization" in headers)}`, EXIT.unreachable);
}

/** The bidder that commands ask if none is named. */
export const DEFAULT_URL = "http://127.0.0.1:8787";

/** The header with the operator's token, if the environment has one. */
export function bearer(): Record<string, string> {
  const token = process.env["EDGEBID_OPERATOR_TOKEN"];
  return token ? { authorization: `Bearer ${token}` } : {};
}

/** The report as JSON. Throws {@link Failure}. */
export async function reportOf(url: string, query: Record<string, string>): Promise<Report> {
  return expected(url, "a report", await askJson<Report>(url, "report", query), "rows");
}

/** The bidder's answer about budgets. */
export interface Budgets {
  campaigns: Budget[];
  /** Absent in the answer of an older bidder. */
  alarms?: ShownAlarm[];
}

/** All budgets, or that of a campaign or an order. Throws {@link Failure}. */
export async function budgetsOf(url: string, id: string | undefined): Promise<Budgets> {
  return expected(
    url,
    "budgets",
    await askJson<Budgets>(url, "budget", id === undefined ? {} : { cid: id }),
    "campaigns",
  );
}

/** The answer as JSON; undefined if it is not JSON. */
export async function askJson<T>(
  url: string,
  what: What,
  query: Record<string, string> = {},
  body?: object,
): Promise<T | undefined> {
  return parsedJson(await (await ask(url, what, query, "application/json", body)).text());
}

/** The answer, which has this member if it comes from edgebid. Throws {@link Failure} for any other. */
export function expected<T>(url: string, name: string, answer: T | undefined, member: keyof T): T {
  if (answer?.[member] !== undefined) return answer;
  throw new Failure(`${url} answers with something else than ${name}; is it edgebid?`, EXIT.unreachable);
}

/** Why a call to the bidder at `url` got no answer. */
export function unreachable(url: string, error: unknown): string {
  const { code, message } = causeOf(error) as { code?: string; message?: string };
  if (code !== "ECONNREFUSED") return `cannot reach ${url}: ${message || code}`;
  return `nothing listens at ${url}; start a bidder with npm start, or name one with --url or EDGEBID_URL`;
}

async function refusal(response: Response, what: What, hasToken: boolean): Promise<string> {
  switch (response.status) {
    case 401: {
      const does = hasToken ? "refuses the token" : "wants a token";
      return `${does}; set EDGEBID_OPERATOR_TOKEN to the secret OPERATOR_TOKEN of this bidder`;
    }
    case 404:
      return `has no ${what}: it has no OPERATOR_TOKEN (npx wrangler secret put OPERATOR_TOKEN), or it is not edgebid`;
    case 429:
      return "got too many wrong tokens from here; wait a minute";
  }
  const text = await response.text();
  const json = parsedJson<{ error?: string }>(text);
  return `answers ${response.status}${json === undefined ? "" : `: ${json?.error ?? text}`}`;
}
