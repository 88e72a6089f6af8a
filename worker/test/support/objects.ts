//! Looks into the database of an object.

import { runInDurableObject } from "cloudflare:test";

type Cell = string | number | null;

/** The rows that a statement returns. */
export function sql(stub: DurableObjectStub<Rpc.DurableObjectBranded>, statement: string): Promise<Cell[][]> {
  return runInDurableObject(stub, (_, { storage }) => [...storage.sql.exec(statement).raw<Cell[]>()]);
}

export function tablesOf(stub: DurableObjectStub<Rpc.DurableObjectBranded>): Promise<Cell[][]> {
  return sql(stub, "SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'");
}
