//! Runs before each test file: if the environment has TEST_SEED, generated inputs come from it and are the same each
//! time. Without it, every run has new inputs, and a failure prints the seed and the path that bring it back.

import fc from "fast-check";
import { inject } from "vitest";

const seed = inject("seed");
if (seed !== null) fc.configureGlobal({ seed });
