//! A server on loopback that answers `/report` and `/budget` like a bidder, from made-up totals and budgets. It runs the
//! Worker's own code for the query, the rows, JSON and CSV, and the amounts of budgets.

import type { IncomingMessage, ServerResponse } from "node:http";
import { pieces } from "../../shared/formats/format.ts";
import { DIMENSIONS, type Query, type Total } from "../../shared/ledger/rows.ts";
import { type Alarm, alarmOf, type BudgetState, budgetOf } from "../../shared/pacing/budgets.ts";
import { FORMATS, MISSING_HEADER } from "../../shared/report/formats.ts";
import { rowsOf } from "../../shared/report/rows.ts";
import { Random } from "../../tools/traffic/random.ts";
import { queryOf } from "../../worker/src/report/query.ts";
import { now } from "../../worker/test/support/clock.ts";
import { groupsOf } from "../../worker/test/support/groups.ts";
import { type Served, served } from "./free-port.ts";

/** The day on which the server answers. */
export const TODAY = "2026-11-21";

const NAMES = { campaign: "acme-spring", ssp: "demo", creative: "acme-300x250", cur: "USD" };
const VELO = { campaign: "velo-europe", ssp: "east", creative: "velo-video", cur: "EUR" };

/** Two campaigns on three days; on the last day, one of them. Euros count 1.08 dollars. And a split in October. */
export const TOTALS: Total[] = [
  counted(NAMES, "2026-11-18", { bid: 12_000, win: 1_210, loss: 9_000, refused: 3 }, 1_200, 2_160_000_000n),
  counted(NAMES, "2026-11-19", { bid: 11_000, win: 1_000, loss: 8_500 }, 990, 1_782_000_000n),
  counted(NAMES, "2026-11-21", { bid: 10 }, 1, 1_800_000n),
  counted(VELO, "2026-11-18", { bid: 4_000 }, 500, 2_000_000_000n),
  counted(VELO, "2026-11-19", { bid: 5_000, refused: 1 }, 800, 3_200_000_001n),
  Array.from({ length: 7 * 24 }, (_, hour) => splitAt(hour)).flat(),
].flat();

/** What the pacer tells of three campaigns at noon. */
export const BUDGETS: BudgetState[] = [
  {
    ...{ cid: "shoes-autumn", cur: "EUR", day: 20_778, daily: "200000000000", total: "5000000000000", asap: false },
    planned: "100000000000",
    ...{ spent_today: "96400000000", spent: "1296400000000", exposed: "1250000000", left: "102350000000" },
    ...{ share: 128_849_018, requests: 1840, forecast: "199200000000", why: "on-plan" },
  },
  {
    ...{ cid: "acme-spring", cur: "USD", day: 20_778, daily: "50000000000", total: "0", asap: true },
    planned: "0",
    ...{ spent_today: "50001800000", spent: "50001800000", exposed: "0", left: "0" },
    ...{ share: 0, requests: 420, forecast: "50001800000", why: "daily-spent" },
  },
  {
    ...{ cid: "velo-europe", cur: "EUR", day: 20_778, daily: "0", total: "1000000000000", asap: true },
    planned: "0",
    ...{ spent_today: "0", spent: "250000000000", exposed: "5000000000", left: "745000000000" },
    ...{ share: 3, requests: 400_000, forecast: "0", why: "slower" },
  },
];

/** An hour of a split in the week from 2026-10-05: the second version has a tenth of the requests, and wins more. */
function splitAt(hour: number): Total[] {
  const random = new Random(hour);
  const time = new Date(Date.UTC(2026, 9, 5, hour)).toISOString();
  return (["first", "second"] as const).flatMap((version) => {
    const bid = (version === "first" ? 900 : 100) * (5 + (hour % 24));
    const win = Math.round((bid * ((version === "first" ? 100 : 115) + random.below(20))) / 1000);
    const nanos = BigInt(win) * BigInt(1_800_000 + random.below(200_000));
    const totals = counted(NAMES, time.slice(0, 10), { bid, win }, win, nanos);
    return totals.map((total) => ({ ...total, hour: `${time.slice(0, 13)}:00Z`, version }));
  });
}

function counted(
  names: typeof NAMES,
  day: string,
  counts: Partial<Record<"bid" | "win" | "loss" | "refused", number>>,
  billed: number,
  nanos: bigint,
): Total[] {
  const usdNanos = names.cur === "EUR" ? (nanos * 108n) / 100n : nanos;
  const base = { ...names, day, hour: "", version: "", detail: "", nanos: 0n, usdNanos: 0n };
  const details: Record<string, string> = { loss: "102", refused: "price-missing" };
  const counted = Object.entries(counts) as [Total["kind"], number][];
  return [
    ...counted.map(([kind, count]) => ({ ...base, kind, detail: details[kind] ?? "", count })),
    { ...base, kind: "bill", count: billed, nanos, usdNanos },
  ];
}

export interface CannedReport extends Served {
  /** The paths and queries of all requests. */
  asked: string[];
}

/** What is wrong with the bidder. `missing`: objects of the ledger whose totals its reports lack. */
export interface Trouble {
  alarms: Alarm[];
  missing: string[];
}

/** Starts the server. With a token, it refuses all callers without this token. */
export async function cannedReport(
  totals = TOTALS,
  token?: string,
  trouble: Trouble = { alarms: [], missing: [] },
): Promise<CannedReport> {
  const asked: string[] = [];
  const server = await served((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response, totals, token, trouble);
  });
  return { ...server, asked };
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  totals: Total[],
  token: string | undefined,
  { alarms, missing }: Trouble,
): void {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://canned");
  const json = (status: number, body: object) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) response.writeHead(401).end();
  else if (pathname === "/budget") {
    const cid = searchParams.get("cid");
    const campaigns = BUDGETS.filter((one) => cid === null || one.cid === cid).map(budgetOf);
    json(200, { campaigns, alarms: alarms.map(alarmOf) });
  } else if (pathname === "/healthz") {
    const catalog = { version: "v", campaigns: 3, failure: null, warning: null, stopped: null };
    const notices = { on: true, errors: [] };
    response.setHeader("date", new Date(now()).toUTCString());
    json(200, { ok: true, catalog, notices, pacing: null, alarms: alarms.map(alarmOf) });
  } else if (pathname !== "/report") response.writeHead(404).end();
  else {
    let query: Query;
    try {
      query = queryOf(searchParams, Date.parse(`${TODAY}T12:00:00Z`));
    } catch (error) {
      json(400, { error: (error as Error).message });
      return;
    }
    const { accept } = request.headers;
    const format = FORMATS[accept === "*/*" ? "application/json" : (accept ?? "")]?.(query, missing);
    if (format === undefined) throw new Error(`${accept} was asked for`);
    const named = missing.length > 0 && { [MISSING_HEADER]: missing.join(", ") };
    response.writeHead(200, { "content-type": format.type, ...named });
    for (const piece of pieces(rowsOf(groupsOf(selected(totals, query)), query.by), format))
      response.write(piece.slice());
    response.end();
  }
}

/** What the ledger returns for a query. */
function selected(totals: Total[], { from, to, by }: Query): Total[] {
  const left = Object.fromEntries(DIMENSIONS.filter((name) => !by.includes(name)).map((name) => [name, ""]));
  return totals.filter(({ day }) => day >= from && day <= to).map((total) => ({ ...total, ...left }));
}
