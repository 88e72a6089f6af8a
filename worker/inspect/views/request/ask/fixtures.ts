//! The fixtures, and the meanings of no-bid reasons, which come with them.

import { ask } from "../../../ask.ts";

/** A request whose decision the project's tests fix. */
export interface Fixture {
  name: string;
  kind: "bid" | "no-bid";
  /** What it offers: `banner`, `video`, `audio`, `native`, `deal`. */
  media: string[];
  ssp: string;
  /** The catalog that its decision is for; null if no file holds it as it is. */
  catalog: string | null;
  /** The rules that it shows. */
  rules: string[];
  body: string;
}

interface Shipped {
  fixtures: Fixture[];
  reasons: Record<string, string>;
}

/** The catalog that `npm start` serves. */
export const EXAMPLE = "fixtures/catalog.json";

let loading: Promise<Shipped> | undefined;

/** Everything that comes with the page. It is asked for once. */
export function shipped(): Promise<Shipped> {
  loading ??= ask<Shipped>("/inspect/fixtures.json").catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

export function pathOf({ kind, name }: Fixture): string {
  return `${kind}/${name}`;
}
