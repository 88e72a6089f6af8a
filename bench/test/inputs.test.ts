//! The inputs of the benchmarks stay the same bytes, although other code generates with the same draws: results of
//! different days would not be comparable otherwise. The mix also contains all fixtures, so its bytes change with them.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { consent } from "../../tools/traffic/consent.ts";
import { Random } from "../../tools/traffic/random.ts";
import { variants } from "../bodies/vary.ts";
import { generate } from "../catalogs/generate.ts";

const hash = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);

it("catalogs, bodies and consent strings are those of earlier results", () => {
  const body = readFileSync(new URL("../bodies/3.8k.json", import.meta.url), "utf8");
  const random = new Random(628);
  expect({
    catalog: hash(generate(1000)),
    variants: hash(variants(body, 64)),
    consent: hash(Array.from({ length: 32 }, () => consent(random))),
  }).toEqual({ catalog: "e4f19d59df72b1f9", variants: "bce85c8439052afa", consent: "0e82d13de4de9acd" });
});
