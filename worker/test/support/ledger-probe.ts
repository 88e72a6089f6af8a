//! The ledger's object, whose tables can be seen from outside, and which can be ended. It runs in workerd and in the
//! simulator.

import { Ledger as Real } from "../../src/ledger/ledger.ts";

export { Summary } from "../../src/ledger/summary.ts";
export { default } from "./probe.ts";

export class Ledger extends Real {
  async end(): Promise<void> {
    this.ctx.abort("on purpose");
  }

  /** All rows of all tables, with blobs in hex, and the alarm. */
  async tables(): Promise<object> {
    const { sql } = this.ctx.storage;
    const names = sql.exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' ORDER BY 1");
    const rowsOf = (name: unknown) => sql.exec(`SELECT * FROM ${name}`).toArray().map(plain);
    const tables = Object.fromEntries(names.toArray().map(({ name }) => [name, rowsOf(name)]));
    return { tables, alarm: await this.ctx.storage.getAlarm() };
  }
}

function plain(row: Record<string, unknown>): object {
  const text = (value: unknown) => (typeof value === "object" ? hexOf(new Uint8Array(value as ArrayBuffer)) : value);
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, text(value)]));
}

/** Node 24 has no `toHex`. */
function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
