import type { Suite } from "../suite.ts";
export const overload = { name: "overload" } as Suite;
