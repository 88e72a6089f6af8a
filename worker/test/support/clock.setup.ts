//! Runs before each test file of the Worker: each test begins at the same time, whatever the machine's clock says.

import { beforeEach } from "vitest";
import { at } from "./clock.ts";

const begin = () => at("2094-03-14T10:00");
// For what runs before the first test.
begin();
beforeEach(() => void begin());
