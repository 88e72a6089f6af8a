//! The types of values that the configuration, and in workerd `fixtures.setup.ts`, provide to tests.

import "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** What generated inputs come from; null: they are new in each run. */
    seed: number | null;
    /** The text of `fixtures/catalog.json`. */
    catalog: string;
    /** The fixture `simple-banner` in protobuf, as base64. */
    message: string;
    /** The cells of the lines of `fixtures/notices.tsv`. */
    notices: string[][];
    /** The cells of the lines of `fixtures/sync.tsv`. */
    syncs: string[][];
    /** Each fixture as in cli/test/fixtures.ts, but its request as base64. */
    fixtures: {
      kind: "bid" | "no-bid" | "malformed";
      name: string;
      catalog: string | null;
      request: string;
      response: string | null;
      reason: string | null;
    }[];
  }
}
