//! Runs before each test file of the Worker: each test begins at the same time, whatever the machine's clock says, and
//! ends with all assertions of the product true.

import { afterEach, beforeEach, expect } from "vitest";
import { takeBroken } from "../../../shared/telemetry/assertions.ts";
import { at } from "./clock.ts";

const begin = () => at("2094-03-14T10:00");
// For what runs before the first test.
begin();
beforeEach(() => void begin());
afterEach(() => expect(takeBroken()).toEqual([]));
