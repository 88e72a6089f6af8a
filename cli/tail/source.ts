//! The sources of a tail: one isolate through `GET /tail`, or a deployed bidder through `wrangler tail`, which reports
//! each call of all isolates with its log.
//!
//! A call of a deployed bidder shows whether there was a bid. The no-bid reason is known only for captured requests:
//! the variable CAPTURE_ONE_IN. If there are many calls, the platform reports only a sample of them.

import { spawn } from "node:child_process";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { EXIT, Failure } from "../../build/failure.mjs";
import { configuration, TOOL_ENV, toolNode, wranglerProgram } from "../../build/tools.mjs";
import { MAX_TAIL_SECONDS } from "../../shared/limits.ts";
import { linesOf } from "../../shared/tail/lines.ts";
import type { Second } from "../../shared/tail/seconds.ts";
import { wranglerFailure } from "../catalog/wrangler.ts";
import { parsedJson } from "../input.ts";
import { askStream } from "../money/client.ts";

/** A second's figures, or a redacted request: `{"ssp","at","outcome","one_in","request"}` as a line of JSON. */
export type News = { second: Second } | { captured: string };

/** Yields news of a bidder until the signal ends it. Throws `Failure` if the bidder cannot be watched. */
export type Source = (signal: AbortSignal) => AsyncIterable<News>;

/** The isolate that answers at `url`. With `oneIn` above 0, it also yields one request in this many. */
export function localSource(url: string, oneIn: number): Source {
  return async function* (signal) {
    // When the longest allowed tail ends, the next one starts.
    const query = { seconds: `${MAX_TAIL_SECONDS}`, one_in: `${oneIn}` };
    while (!signal.aborted) {
      const body = await askStream(url, "tail", { query, accept: "application/x-ndjson", signal });
      if (body === null) throw new Failure(`${url} answers with nothing; is it edgebid?`, EXIT.unreachable);
      try {
        for await (const line of linesOf(body)) {
          const told = JSON.parse(line);
          yield "request" in told ? { captured: line } : { second: told };
        }
      } catch (error) {
        if (signal.aborted) return;
        throw error instanceof Failure ? error : new Failure(`${url} has stopped`, EXIT.unreachable);
      }
    }
  };
}

/** A call as `wrangler tail --format json` prints it. */
export interface Call {
  logs?: { message: unknown[] }[];
  event?: { request?: { url: string }; response?: { status: number }; message?: string; type?: string } | null;
}

/** The bidder of the environment `env` of wrangler.toml, or the one without an environment. */
export function remoteSource(env: string | undefined): Source {
  const options = ["tail", "--format", "json", ...(env === undefined ? [] : ["--env", env])];
  return commandSource([toolNode(), wranglerProgram(), ...options]);
}

/** A command that prints calls. */
export function commandSource([program = "", ...args]: string[]): Source {
  return async function* (signal) {
    const cwd = dirname(configuration());
    const child = spawn(program, args, { cwd, env: TOOL_ENV, stdio: ["ignore", "pipe", "pipe"] });
    const end = () => child.kill("SIGINT");
    signal.addEventListener("abort", end);
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said = `${said}${chunk.toString("utf8")}`.slice(-2000);
    });
    const ended = new Promise<number | null>((done) => child.on("error", () => done(null)).on("close", done));
    try {
      yield* newsIn(callsIn(createInterface(child.stdout)), Date.now);
      const code = await ended;
      if (signal.aborted) return;
      throw wranglerFailure(`tail has ended${code === 0 ? "" : ` with ${code}`}`, said, "the bidder is deployed");
    } finally {
      signal.removeEventListener("abort", end);
      end();
    }
  };
}

/** The calls in the lines that wrangler prints: each is an object over several lines, which ends with `}` alone. */
export async function* callsIn(lines: AsyncIterable<string>): AsyncIterable<Call> {
  let text = "";
  for await (const line of lines) {
    if (text === "" && !line.startsWith("{")) continue;
    text += `${line}\n`;
    if (line !== "}" && !(text === `${line}\n` && line.endsWith("}"))) continue;
    const call = parsedJson<Call>(text);
    text = "";
    if (call !== undefined) yield call;
  }
}

/** The figures of each second with a call, and the captured requests. */
export async function* newsIn(calls: AsyncIterable<Call>, now: () => number): AsyncIterable<News> {
  let began = now();
  let second = emptySecond();
  for await (const { event, logs = [] } of calls) {
    const captured = logs.flatMap(({ message }) => message.map(capturedIn)).filter((one) => one !== null);
    for (const { line } of captured) yield { captured: line };
    const path = event?.request ? new URL(event.request.url).pathname : "";
    if (path.startsWith("/bid/")) {
      second.requests++;
      const status = event?.response?.status;
      const why = captured[0]?.outcome ?? (status === 204 ? "no bid" : `status ${status}`);
      if (status === 200) second.bids++;
      else second.none[why] = (second.none[why] ?? 0) + 1;
    }
    if (now() - began < 1000) continue;
    yield { second: { ...second, at: now(), ms: now() - began } };
    [began, second] = [now(), emptySecond()];
  }
  if (second.requests > 0) yield { second: { ...second, at: now(), ms: now() - began } };
}

function emptySecond(): Second {
  return { at: 0, ms: 0, requests: 0, bids: 0, none: {}, other: {}, lost: 0 };
}

/** The request in a message of the log; null if it has none. */
function capturedIn(message: unknown): { line: string; outcome: string } | null {
  if (typeof message !== "string" || !message.startsWith('{"captured":')) return null;
  const found = parsedJson<{ captured?: { outcome?: string } }>(message)?.captured;
  return found ? { line: JSON.stringify(found), outcome: found.outcome ?? "no bid" } : null;
}
