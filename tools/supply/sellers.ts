//! Reads sellers.json (IAB Tech Lab, version 1.0): the accounts of an advertising system.

import { isObject, parsedJson } from "../../cli/input.ts";

/** The letters of the types in a catalog's `supply`. An account without a type may be both. */
const TYPES: Record<string, string> = { PUBLISHER: "P", INTERMEDIARY: "I", BOTH: "B" };

/** The accounts, such as `P:pub-1`; or in words why the file is none. */
export function readSellers(bytes: Uint8Array): string[] | string {
  const document = parsedJson(bytes[0] === 0xef ? bytes.subarray(3) : bytes);
  if (!isObject(document)) return "not JSON; expected an object with sellers";
  const { sellers } = document;
  if (!Array.isArray(sellers)) return "no list of sellers";
  const accounts = new Map<string, string>();
  for (const seller of sellers) {
    if (!isObject(seller)) continue;
    const { seller_id: id, seller_type: type } = seller;
    const sid = typeof id === "string" ? id.trim() : Number.isSafeInteger(id) ? String(id) : "";
    if (sid !== "") accounts.set(sid, TYPES[String(type).toUpperCase()] ?? "B");
  }
  return [...accounts].map(([sid, letter]) => `${letter}:${sid}`).sort();
}
