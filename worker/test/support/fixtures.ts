//! The fixtures for the tests inside workerd.

import { inject } from "vitest";
import module from "../../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import compiler from "../../../crates/compiler-wasm/pkg/compiler_wasm_bg.wasm";
import { compile } from "../../../shared/catalog/compile.ts";
import { Bidder } from "../../../shared/wasm/bidder.ts";

/** The kinds of fixture. */
export type Kind = "bid" | "no-bid" | "malformed";

/** One request and the answer that it must get. */
export interface Fixture {
  name: string;
  /** The fixture's own catalog; null if the fixture uses `catalogDocument`. */
  catalog: Uint8Array<ArrayBuffer> | null;
  request: Uint8Array<ArrayBuffer>;
  /** The expected response; null if there is none. */
  response: string | null;
  /** The expected no-bid reason; null for a bid. */
  reason: string | null;
}

/** `fixtures/catalog.json`. */
export const catalogDocument = bytes(inject("catalog"));

/** The catalog version in the native fixture tests. */
const VERSION = "fedcba9876543210";

/** A bidder with this catalog document. */
export function bidderOf(document: Uint8Array): Bidder {
  return new Bidder(compile(document, compiler).snapshot, module, VERSION);
}

/** All fixtures of a kind. */
export function fixtures(kind: Kind): Fixture[] {
  const ofKind = inject("fixtures").filter((fixture) => fixture.kind === kind);
  return ofKind.map(({ name, catalog, request, response, reason }) => ({
    name,
    catalog: catalog === null ? null : bytes(catalog),
    request: Uint8Array.from(atob(request), (char) => char.charCodeAt(0)),
    response,
    reason,
  }));
}

/** A request that the campaign `acme-spring` of {@link catalogDocument} bids on. */
export const simple = fixtures("bid").find(({ name }) => name === "simple-banner")?.request ?? new Uint8Array();

export function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(text));
}
