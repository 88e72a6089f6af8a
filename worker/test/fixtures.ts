//! The fixture folders as the tests inside workerd see them, and the judge of every response.

import { expect, inject } from "vitest";
import module from "../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import compiler from "../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import { Bidder } from "../src/bidder.ts";
import { compile } from "../src/compile.ts";
import { judge } from "./judge.ts";

/** The kinds of fixture: the folders below `fixtures/`. */
export type Kind = "bid" | "no-bid" | "malformed";

/** One behaviour: what is sent, and what is expected back. */
export interface Fixture {
  name: string;
  /** The catalog beside it; null for one that is decided on with `catalogDocument`. */
  catalog: Uint8Array<ArrayBuffer> | null;
  request: Uint8Array;
  /** The response; null for none. */
  response: string | null;
  /** The reason reported where there is no bid; null for a bid. */
  reason: string | null;
}

/** `fixtures/catalog.json`. */
export const catalogDocument = file("catalog.json");

/** The version that the native fixture tests give each catalog. */
const VERSION = "fedcba9876543210";

/** A bidder with this catalog document. */
export function bidderOf(document: Uint8Array): Bidder {
  return new Bidder(compile(document, compiler).snapshot, module, VERSION);
}

/** All fixtures of a kind. */
export function fixtures(kind: Kind): Fixture[] {
  const names = new Set(
    Object.keys(inject("fixtures"))
      .filter((path) => path.startsWith(`${kind}/`))
      .map((path) => path.split("/")[1] ?? ""),
  );
  return [...names].map((name) => ({
    name,
    catalog: inject("fixtures")[`${kind}/${name}/catalog.json`] ? file(`${kind}/${name}/catalog.json`) : null,
    request: file(`${kind}/${name}/request.${kind === "malformed" ? "txt" : "json"}`),
    response: firstLine(`${kind}/${name}/response.json`),
    reason: firstLine(`${kind}/${name}/reason.txt`),
  }));
}

/** Fails when rtblint finds an error in the response, alone or as the answer to the request. */
export function expectSound(request: Uint8Array, response: string): void {
  expect(judge(text(request), response)).toEqual([]);
}

export function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function firstLine(path: string): string | null {
  return inject("fixtures")[path] ? (text(file(path)).split("\n")[0] ?? null) : null;
}

function file(path: string): Uint8Array<ArrayBuffer> {
  const base64 = inject("fixtures")[path];
  if (base64 === undefined) throw new Error(`no fixture file ${path}`);
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}
