//! Asks a bidder for a report. Every failure says what to do next.

import type { Dimension } from "../../worker/src/ledger/rows.ts";
import type { Row } from "../../worker/src/report/rows.ts";
import { Failure } from "../failure.ts";

/** The report as JSON. */
export interface Report {
  from: string;
  to: string;
  by: Dimension[];
  rows: Row[];
}

/** The answer of the bidder at `url` to a query, in this format. Throws {@link Failure}. */
export async function askReport(url: string, query: Record<string, string>, accept: string): Promise<Response> {
  if (!URL.canParse(url)) throw new Failure(`--url ${url}: expected one such as https://bidder.example`);
  const address = new URL(`${url.replace(/\/*$/, "")}/report?${new URLSearchParams(query)}`);
  const token = process.env["EDGEBID_OPERATOR_TOKEN"];
  const headers: Record<string, string> = { accept };
  if (token) headers["authorization"] = `Bearer ${token}`;
  let response: Response;
  try {
    response = await fetch(address, { headers, redirect: "manual" });
  } catch (error) {
    throw new Failure(unreachable(url, error));
  }
  if (response.ok) return response;
  throw new Failure(`${url} ${await refusal(response, Boolean(token))}`);
}

/** The report as JSON. Throws {@link Failure}. */
export async function reportOf(url: string, query: Record<string, string>): Promise<Report> {
  const response = await askReport(url, query, "application/json");
  try {
    const report: Report = await response.json();
    if (Array.isArray(report.rows)) return report;
  } catch {
    // The next line says the same of a text that is no JSON.
  }
  throw new Failure(`${url} answers with something else than a report; is it edgebid?`);
}

function unreachable(url: string, error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const { code, message } = cause as { code?: string; message?: string };
  if (code !== "ECONNREFUSED") return `cannot reach ${url}: ${message || code}`;
  return `nothing listens at ${url}; start a bidder with npm start, or name one with --url or EDGEBID_URL`;
}

async function refusal(response: Response, hasToken: boolean): Promise<string> {
  switch (response.status) {
    case 401:
      return hasToken
        ? "refuses the token; set EDGEBID_OPERATOR_TOKEN to the secret OPERATOR_TOKEN of this bidder"
        : "wants a token; set EDGEBID_OPERATOR_TOKEN to the secret OPERATOR_TOKEN of this bidder";
    case 404:
      return "has no report: it has no OPERATOR_TOKEN (npx wrangler secret put OPERATOR_TOKEN), or it is not edgebid";
    case 429:
      return "got too many wrong tokens from here; wait a minute";
  }
  const text = await response.text();
  try {
    return `answers ${response.status}: ${JSON.parse(text).error ?? text}`;
  } catch {
    return `answers ${response.status}`;
  }
}
