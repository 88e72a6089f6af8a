//! What fixtures.setup.ts, in Node, provides to the tests inside workerd.

import "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Every file below fixtures/: its path there, and its bytes as base64. */
    fixtures: Record<string, string>;
  }
}
