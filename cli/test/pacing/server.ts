//! Starts the Worker of `worker.ts` in many isolates, with a catalog of campaigns with budgets.

import { setTimeout as sleep } from "node:timers/promises";
import { OBJECTS } from "../../deploy/configuration.ts";
import { startScript } from "../../workerd.ts";
import { bytesOf, NOTICE_KEY, OPERATOR, OPERATOR_TOKEN } from "../bidder.ts";

/** How many times faster the clock is. */
const SPEED = 10;
/** The clock runs fast, so a wait of some real milliseconds would use up a usual `tmax`. */
const LONGEST_TMAX = 10_000;

/** A campaign of the catalog. Without a budget, nothing holds it back. */
export interface Budgeted {
  cid: string;
  /** The width of its banner, which no other campaign has. */
  width: number;
  max_cpm?: string;
  /** A day's budget in units of the currency. */
  budget?: string;
  pacing?: string;
}

export interface Settings {
  isolates: number;
  /** The time of the clock at the start, in milliseconds since the epoch. */
  start: number;
  collectorUrl?: string;
  /** Records of SSPs besides `demo`, and variables of the Worker. */
  ssps?: { id: string }[];
  vars?: Record<string, string>;
}

export interface Running extends AsyncDisposable {
  origin: string;
  origins: string[];
  speed: number;
  /** The JSON of a path that is for the operator. */
  json<T>(path: string): Promise<T>;
  /** Calls of the objects' methods, and rows that they have written. */
  usage(): Promise<Record<string, number>>;
  /** Makes these parts fail, and no others. */
  fail(parts: string[]): Promise<void>;
}

/** Starts, and waits until each isolate bids for campaigns with budgets. */
export async function started(
  campaigns: Budgeted[],
  { isolates, start, collectorUrl, ssps = [], vars = {} }: Settings,
): Promise<Running> {
  const script = await startScript(
    new URL("./worker.ts", import.meta.url),
    { CATALOG: { catalog: catalogOf(campaigns, ssps) } },
    {
      isolates,
      define: { CLOCK: JSON.stringify({ realStart: Date.now(), start, speed: SPEED }) },
      vars: {
        ...{ EVENTS_ONE_IN: collectorUrl ? "0" : "off", NOTICE_KEYS: NOTICE_KEY, OPERATOR_TOKEN, ...vars },
        ...(collectorUrl && { COLLECTOR_URL: collectorUrl, COLLECTOR_FORMAT: "ndjson" }),
      },
      ...(collectorUrl && { queues: { EVENTS: { maxBatchSize: 100, maxBatchTimeout: 0, maxRetries: 20 } } }),
      durableObjects: OBJECTS,
    },
  );
  const { origin, origins } = script;
  for (const origin of origins) while (!(await fetch(`${origin}/healthz`)).ok) await sleep(20);
  const json = async <T>(path: string) => (await (await script.fetch(path, { headers: OPERATOR })).json()) as T;
  return {
    ...{ origin, origins, speed: SPEED, json },
    usage: () => json("/usage"),
    async fail(parts) {
      const call = { method: "POST", body: JSON.stringify(parts) };
      await Promise.all(origins.map((origin) => fetch(`${origin}/faults`, call)));
    },
    [Symbol.asyncDispose]: () => script.stop(),
  };
}

function catalogOf(campaigns: Budgeted[], ssps: { id: string }[]): Uint8Array {
  const document = {
    ...{ format: 1, privacy: { bid_unregistered: false }, ssps: [{ id: "demo", tmax: LONGEST_TMAX }, ...ssps] },
    creatives: campaigns.map(({ cid, width }) => ({ crid: cid, banner: { w: width, h: 250, adm: "<p>" } })),
    campaigns: campaigns.map(({ cid, budget, pacing, max_cpm = "2" }) => ({
      ...{ cid, seat: "s", adomain: ["shop.example"], max_cpm, creatives: [cid] },
      ...(budget && { budget: { daily: budget }, pacing }),
    })),
  };
  return bytesOf(JSON.stringify(document));
}
