//! `edgebid smoke`: sends requests to a bidder as an exchange does, and checks the answers. One bid is counted as won,
//! one notice is counted as malformed, nothing is billed.

import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { EXIT, Failure, reasonOf } from "../../build/failure.mjs";
import { page } from "../../build/tools.mjs";
import { step } from "../catalog/progress.ts";
import { isObject, parsedJson, readInput } from "../input.ts";
import { reachOf } from "./bidder.ts";
import { type Finding, fault, note, ok, printed } from "./finding.ts";

/** Options of the command. */
export interface SmokeOptions {
  ssp: string;
  request: string;
  token?: string;
  json?: boolean;
}

const TIMEOUT_MS = 5000;
/** The same for the first request: a bidder that has just been started builds its modules and objects with it. */
const FIRST_TIMEOUT_MS = 30_000;
/** The status of `/healthz` of a bidder without a catalog. */
const NO_CATALOG = 503;
const ASK_AGAIN_MS = 250;
const PRICE_MACRO = /\$\{AUCTION_PRICE\}/;
/** The URL of a notice in markup: `crates/notices`. */
const IN_MARKUP = /https?:\/\/[^"'<>\s\]]*?\/n\/imp\/[^"'<>\s\]]+/;
/** Requests whose time is measured, one after another. */
const MEASURED = 20;

/** Prints the findings. Returns the exit status: 1 if an answer is wrong. */
export async function smoke(url: string, { ssp, request, token, json }: SmokeOptions): Promise<0 | 1> {
  if (!URL.canParse(url)) throw new Failure(`${url} is no URL; expected one such as https://bidder.example`);
  const bidder = exchange(new URL(`${url.replace(/\/*$/, "")}/bid/${encodeURIComponent(ssp)}`), token);
  const body = readInput(request);
  const explain = `npx edgebid explain ${request} --ssp ${ssp} --url ${url}`;
  const findings = await step(`asking ${url}`, () => checked(bidder, body, explain));
  return printed(findings, json);
}

interface Answer {
  status: number;
  body: string;
  ms: number;
}

/** Sends requests to the SSP's address `url`, or to another one, as an exchange does. */
function exchange(url: URL, token: string | undefined) {
  const auth: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const post = (body: Uint8Array | string, headers: Record<string, string> = {}, to = url, ms = TIMEOUT_MS) => {
    const init = {
      method: "POST",
      headers: { "content-type": "application/json", ...auth, ...headers },
      body: typeof body === "string" ? body : new Uint8Array(body),
    };
    return send(to, init, ms);
  };
  return { url, post };
}

type Exchange = ReturnType<typeof exchange>;

/** Throws {@link Failure} if there is no answer. */
async function send(url: URL, init: RequestInit = {}, timeoutMs = TIMEOUT_MS): Promise<Answer> {
  const began = performance.now();
  try {
    const response = await fetch(url, { ...init, redirect: "manual", signal: AbortSignal.timeout(timeoutMs) });
    const body = await response.text();
    return { status: response.status, body, ms: performance.now() - began };
  } catch (error) {
    throw new Failure(`${url}: ${reasonOf(error)}; is the bidder up?`, EXIT.unreachable);
  }
}

async function checked(bidder: Exchange, body: Uint8Array, explain: string): Promise<Finding[]> {
  const first = await bidder.post(body, {}, bidder.url, FIRST_TIMEOUT_MS);
  if (first.status === 401) return [fault("token", "the SSP has credentials", "give one of its tokens: --token TOKEN")];
  if (first.status === 404)
    return [fault("SSP", `${bidder.url.pathname} is unknown`, "name an SSP of the catalog: --ssp ID")];
  if (first.status === 204 && !(await hasCatalog(bidder))) {
    const push = `npx edgebid catalog push FILE ${reachOf(bidder.url.href, undefined).kv}`;
    return [fault("catalog", "the bidder has none, so every answer is a 204", push)];
  }
  return [
    bid(first, bidder, explain),
    is("no bid", 204, await bidder.post(withTmax(body)), "a request whose tmax is over gets no bid"),
    is("not JSON", 400, await bidder.post("{"), "a body that is not JSON is refused"),
    is("wrong type", 415, await bidder.post(body, { "content-type": "text/plain" }), "only JSON and protobuf are read"),
    is("wrong method", 405, await send(bidder.url), "GET is refused"),
    is("unknown SSP", 404, await bidder.post(body, {}, new URL("-nobody-", bidder.url)), "it is refused"),
    await gzip(bidder, body, first),
    ...(await notices(bidder, first)),
    await latency(bidder, body),
  ];
}

/** Whether `/healthz` does not deny it. A bidder that has just been started may still read its catalog. */
async function hasCatalog({ url }: Exchange): Promise<boolean> {
  const until = performance.now() + TIMEOUT_MS;
  for (;;) {
    const { status } = await send(new URL("../healthz", url));
    if (status !== NO_CATALOG) return true;
    if (performance.now() > until) return false;
    await sleep(ASK_AGAIN_MS);
  }
}

function bid({ status, body }: Answer, { url }: Exchange, explain: string): Finding {
  if (status === 204) return note("bid", "no bid on this request", `see why: ${explain}; or name another --request`);
  const found = status === 200 ? bidOf(body) : undefined;
  return found?.price === undefined
    ? fault("bid", `the answer is ${status}`, `npx edgebid doctor --url ${url.origin}`)
    : ok("bid", `200, a bid at ${found.price} ${found.cur}`);
}

function is(what: string, wanted: number, { status, body }: Answer, why: string): Finding {
  if (status === wanted && body === "") return ok(what, `${status}, ${why}`);
  const found = status === wanted ? `${status} with a body` : `${status}`;
  return fault(what, `${found}; expected ${wanted} without a body`, "is it edgebid, and nothing between it and you?");
}

async function gzip(bidder: Exchange, body: Uint8Array, plain: Answer): Promise<Finding> {
  const { status } = await bidder.post(gzipSync(body), { "content-encoding": "gzip" });
  if (status === plain.status) return ok("gzip", `${status}, as without gzip`);
  return fault("gzip", `${status}; without gzip ${plain.status}`, "does a proxy change the body or its headers?");
}

/** Calls the win notice of the bid, which books nothing, and a notice that nobody signed. */
async function notices(bidder: Exchange, { body }: Answer): Promise<Finding[]> {
  const { nurl, burl, lurl, adm } = bidOf(body) ?? {};
  if (body === "") return [];
  const odd = (text: string, mend: string) => [note("notice", text, mend)];
  // Where impressions bill, the notice is in the markup.
  const bills = burl ?? IN_MARKUP.exec(adm ?? "")?.[0];
  const known = nurl ?? bills ?? lurl;
  if (known === undefined)
    return odd("bids have no notices, so nothing is billed", `NOTICE_KEYS: ${page("money.md#switch-notices-on")}`);
  if (!URL.canParse(known) || new URL(known).host !== bidder.url.host)
    return odd(`the notices go to ${known.split("/n/")[0]}`, "check that this is the bidder: NOTICE_ORIGIN");
  const forged = await send(new URL("../n/bill/forged?p=1", bidder.url));
  // Where nothing else bills, the win does, so it is not called.
  const won = nurl === undefined || bills === undefined ? [] : [await send(new URL(nurl.replace(PRICE_MACRO, "0.01")))];
  return [
    ...won.map((answer) => is("notice", 204, answer, "a win is counted")),
    is("forged bill", forged.status === 204 ? 204 : 404, forged, "it books nothing"),
  ];
}

async function latency(bidder: Exchange, body: Uint8Array): Promise<Finding> {
  const times: number[] = [];
  for (let sent = 0; sent < MEASURED; sent += 1) times.push((await bidder.post(body)).ms);
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(1);
  return ok("latency", `${at(0.5)} ms in the middle, ${at(0.95)} ms at most for 19 of 20, from here`);
}

/** The parts of an answer that are checked. */
interface Response {
  cur?: string;
  seatbid?: { bid?: { price?: number; nurl?: string; burl?: string; lurl?: string; adm?: string }[] }[];
}

/** The first bid of an answer, with the answer's currency; undefined if there is none. */
function bidOf(body: string) {
  const { cur = "USD", seatbid } = parsedJson<Response>(body) ?? {};
  const bid = seatbid?.[0]?.bid?.[0];
  return bid && { ...bid, cur };
}

/** The request with a `tmax` of 1 ms, which is over before an answer can arrive. */
function withTmax(body: Uint8Array): string {
  const request = parsedJson(body);
  if (!isObject(request)) throw new Failure("the request is not JSON; name another one with --request");
  return JSON.stringify({ ...request, tmax: 1 });
}
