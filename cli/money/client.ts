//! Asks a bidder as its operator. Every failure says what to do next.

import { causeOf, EXIT, Failure, reasonOf } from "../../build/failure.mjs";
import type { Dimension } from "../../shared/ledger/rows.ts";
import type { Budget, ShownAlarm } from "../../shared/pacing/budgets.ts";
import type { Row } from "../../shared/report/rows.ts";
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
type What =
  | `explain/${string}`
  | "deals"
  | "report"
  | "budget"
  | "shading"
  | "forget"
  | "tail"
  | "healthz"
  | "inspect/api/versions";

/** What a call sends. */
export interface Call {
  query?: Record<string, string>;
  accept?: string;
  /** Makes the call a POST: JSON as bytes, or what is sent as JSON. */
  body?: Uint8Array<ArrayBuffer> | object;
  /** Ends the call and its answer. */
  signal?: AbortSignal;
}

/** An answer that was read to its end. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** How long the bidder may take for the head of an answer. A report may be long: Node ends one that pauses for 5 minutes. */
const HEAD_MS = 60_000;

/** The answer of the bidder at `url`, whatever its status is. Throws {@link Failure} if there is none. */
export async function answerOf(url: string, what: What, call: Call = {}): Promise<Answer> {
  return read(url, await called(url, what, call));
}

/** The answer of the bidder at `url`. Throws {@link Failure} if there is none, or if the bidder refuses. */
export async function ask(url: string, what: What, call: Call = {}): Promise<Answer> {
  return accepted(url, what, await answerOf(url, what, call));
}

/** The answer of the bidder at `url`, as it arrives. Throws {@link Failure} as {@link ask} does. */
export async function askStream(url: string, what: What, call: Call): Promise<Response["body"]> {
  const response = await called(url, what, call);
  if (!response.ok) accepted(url, what, await read(url, response));
  return response.body;
}

async function called(url: string, what: What, { query, accept = "application/json", body, signal }: Call) {
  if (!URL.canParse(url)) throw new Failure(`--url ${url}: expected one such as https://bidder.example`);
  const address = new URL(`${url.replace(/\/*$/, "")}/${what}?${new URLSearchParams(query)}`);
  if (token() && address.protocol === "http:" && !isLoopback(url))
    throw new Failure(`--url ${url} would send EDGEBID_OPERATOR_TOKEN unencrypted; expected https, or no token`);
  const head = new AbortController();
  const timer = setTimeout(() => head.abort(new Error(`no answer within ${HEAD_MS / 1000} s`)), HEAD_MS);
  const init = {
    ...(body !== undefined && { method: "POST", body: body instanceof Uint8Array ? body : JSON.stringify(body) }),
    ...{ redirect: "manual" as const, signal: AbortSignal.any([head.signal, ...(signal ? [signal] : [])]) },
    headers: { accept, ...(token() && { authorization: `Bearer ${token()}` }) },
  };
  const answer = fetch(address, init).catch((error) => {
    throw new Failure(unreachable(url, error), EXIT.unreachable);
  });
  return answer.finally(() => clearTimeout(timer));
}

/** Whether a bidder at this URL is on this machine. */
export function isLoopback(url: string): boolean {
  return /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname);
}

function token(): string | undefined {
  return process.env["EDGEBID_OPERATOR_TOKEN"];
}

async function read(url: string, response: Response): Promise<Answer> {
  const { status, headers } = response;
  const text = await response.text().catch((error) => {
    const why = `the answer broke off (${reasonOf(error)}); ask again or for less, its log says why`;
    throw new Failure(`cannot reach ${url}: ${why}`, EXIT.unreachable);
  });
  return { status, headers, text };
}

/** The exit statuses for refusals that the caller can avoid. All others are those of a bidder that does not answer. */
const STATUSES: Record<number, number> = { 400: EXIT.misused, 409: EXIT.found, 413: EXIT.misused };

/** The answer, if the bidder does what was asked. */
export function accepted(url: string, what: What, answer: Answer): Answer {
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw new Failure(`${url} ${refusal(answer, what, url)}`, STATUSES[answer.status] ?? EXIT.unreachable);
}

/** The bidder that commands ask if none is named. */
export const DEFAULT_URL = "http://127.0.0.1:8787";

/** The report as JSON. Throws {@link Failure}. */
export async function reportOf(url: string, query: Record<string, string>): Promise<Report> {
  return expected(url, "a report", await askJson<Report>(url, "report", { query }), "rows");
}

/** The bidder's answer about budgets. */
export interface Budgets {
  campaigns: Budget[];
  /** Absent in the answer of an older bidder. */
  alarms?: ShownAlarm[];
}

/** All budgets, or that of a campaign or an order. Throws {@link Failure}. */
export async function budgetsOf(url: string, id: string | undefined): Promise<Budgets> {
  const query: Record<string, string> = id === undefined ? {} : { cid: id };
  return expected(url, "budgets", await askJson<Budgets>(url, "budget", { query }), "campaigns");
}

/** The answer as JSON; undefined if it is not JSON. Throws {@link Failure}. */
export async function askJson<T>(url: string, what: What, call: Call = {}): Promise<T | undefined> {
  return parsedJson((await ask(url, what, call)).text);
}

/** The answer, which has this member if it comes from edgebid. Throws {@link Failure} for any other. */
export function expected<T>(url: string, name: string, answer: T | undefined, member: keyof T): T {
  if (answer?.[member] !== undefined) return answer;
  throw new Failure(`${url} answers with something else than ${name}; is it edgebid?`, EXIT.unreachable);
}

/** Why a call to the bidder at `url` got no answer. */
function unreachable(url: string, error: unknown): string {
  const { code } = causeOf(error) as { code?: string };
  if (code !== "ECONNREFUSED") return `cannot reach ${url}: ${reasonOf(error)}`;
  return `nothing listens at ${url}; start a bidder with npm start, or name one with --url or EDGEBID_URL`;
}

function refusal({ status, text }: Answer, what: What, url: string): string {
  const where = isLoopback(url) ? "write it into .dev.vars" : "npx wrangler secret put OPERATOR_TOKEN";
  const json = parsedJson<{ error?: string }>(text);
  const reason = json?.error;
  switch (status) {
    case 401: {
      const does = token() ? "refuses the token" : "wants a token";
      return `${does}; set EDGEBID_OPERATOR_TOKEN to the secret OPERATOR_TOKEN of this bidder`;
    }
    case 404:
      if (reason !== undefined) return `answers 404: ${reason}`;
      return `has no ${what}: it has no OPERATOR_TOKEN (${where}), or it is not edgebid`;
    case 429:
      return "got too many wrong tokens from here; wait a minute";
  }
  return `answers ${status}${json === undefined ? "" : `: ${json?.error ?? text}`}`;
}
