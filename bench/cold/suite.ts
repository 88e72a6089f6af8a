import type { Suite } from "../suite.ts";
export const cold: Suite = { name: "cold", summary: "x", async run() { throw new Error("no"); } };
