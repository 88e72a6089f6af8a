//! Reads and writes what the objects and the KV of a bidder hold, as text, while the bidder itself does not run.
//!
//! `GET /` tells everything, and `PUT /` takes it. The objects have no methods but these, so nothing changes meanwhile.

import { DurableObject } from "cloudflare:workers";
import { FREQUENCY_OBJECTS, RELAYS } from "../../../shared/limits.ts";
import { dayAt } from "../../../shared/time/days.ts";
import { shardsOf } from "../../../worker/src/ledger/shards.ts";
import { REGIONS } from "../../../worker/src/regions.ts";
import { now } from "../../../worker/test/support/clock.ts";
import { timed } from "./clock.ts";
import type { Column, Entry, ObjectName, Stored, Tables } from "./stored.ts";

/** An alarm that is due rings so much later, in milliseconds, so that it finds the bidder and not this script. */
const LATER_MS = 60_000;

class Store extends DurableObject<Env> {
  /** Null without tables. */
  async read(): Promise<Tables | null> {
    const { sql } = this.ctx.storage;
    const master = `SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT GLOB '_cf_*'
      ORDER BY type DESC, name`;
    const made = sql.exec<{ type: string; name: string; sql: string }>(master).toArray();
    if (made.length === 0) return null;
    const lines: string[] = [];
    const columns: Record<string, Column[]> = {};
    for (const { type, name, sql: create } of made) {
      lines.push(`${create};`);
      if (type !== "table") continue;
      const info = sql.exec<Column>('SELECT name, type, "notnull" AS required, pk FROM pragma_table_info(?)', name);
      columns[name] = info.toArray();
      const values = columns[name].map(({ name }) => `quote("${name}")`).join(" || ', ' || ");
      const rows = sql.exec<{ line: string }>(`SELECT ${values} AS line FROM ${name} ORDER BY line`).toArray();
      lines.push(...rows.map(({ line }) => `INSERT INTO ${name} VALUES (${line});`));
    }
    return { alarm: await this.ctx.storage.getAlarm(), sql: `${lines.join("\n")}\n`, columns };
  }

  async write({ alarm, sql }: Tables): Promise<void> {
    this.ctx.storage.transactionSync(() => this.ctx.storage.sql.exec(sql));
    if (alarm !== null) await this.ctx.storage.setAlarm(Math.max(alarm, now() + LATER_MS));
  }

  /** Fails, so that the platform rings again. */
  override alarm(): void {
    throw new Error("the bidder does not run");
  }
}

export class Ledger extends timed(Store) {}
export class Summary extends timed(Store) {}
export class Pacer extends timed(Store) {}
export class Relay extends timed(Store) {}
export class Frequency extends timed(Store) {}
export class Deals extends timed(Store) {}

type StoreEnv = Pick<Env, "CATALOG"> & Record<string, DurableObjectNamespace<Store>>;

export default {
  async fetch(request, env): Promise<Response> {
    const at = ({ of, name }: ObjectName) => (env[of] as DurableObjectNamespace<Store>).getByName(name);
    if (request.method === "PUT") {
      const { objects, kv }: Stored = await request.json();
      for (const object of objects) await at(object).write(object);
      for (const { key, text, base64 = "", metadata } of kv)
        await env.CATALOG.put(key, text ?? Uint8Array.fromBase64(base64), { metadata });
      return new Response(null, { status: 204 });
    }
    const objects: Stored["objects"] = [];
    for (const name of namesAt(now())) {
      const tables = await at(name).read();
      if (tables !== null) objects.push({ ...name, ...tables });
    }
    return Response.json({ objects, kv: await entries(env.CATALOG) } satisfies Stored);
  },
} satisfies ExportedHandler<StoreEnv>;

/**
 * The objects that a recording has: earlier days have handed over their totals, and requests from nowhere belong to the
 * first region.
 */
function namesAt(now: number): ObjectName[] {
  const { hint } = REGIONS[0];
  const numbers = Array.from({ length: FREQUENCY_OBJECTS }, (_, n) => String(n).padStart(2, "0"));
  return [
    ...shardsOf(dayAt(now)).map((name) => ({ of: "LEDGER", name })),
    { of: "SUMMARY", name: "summary" },
    { of: "PACER", name: "pacer" },
    ...Array.from({ length: RELAYS }, (_, n) => ({ of: "RELAY", name: `${hint}/${n}` })),
    ...numbers.map((number) => ({ of: "FREQUENCY", name: `${hint}/${number}` })),
  ];
}

async function entries(kv: KVNamespace): Promise<Entry[]> {
  const { keys } = await kv.list();
  return Promise.all(
    keys.map(async ({ name: key, metadata }) => {
      const value = new Uint8Array((await kv.get(key, "arrayBuffer")) ?? []);
      return { key, ...(metadata !== undefined && { metadata }), ...textOf(value) };
    }),
  );
}

/** The text of bytes, or if they are no text, the bytes in base64. */
function textOf(value: Uint8Array): Pick<Entry, "text" | "base64"> {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(value) };
  } catch {
    return { base64: value.toBase64() };
  }
}
