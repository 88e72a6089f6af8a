import { Operator } from "./catalog.ts";
import { Fleet } from "./fleet.ts";
import { Market } from "./market.ts";
import { Dice } from "./platform/dice.ts";
import { Platform } from "./platform/platform.ts";
import { programs } from "./platform/program.ts";
import { healed } from "./platform/rates.ts";
import { World } from "./platform/world.ts";

const t0 = performance.now();
const p = await programs();
console.log("bundled", performance.now() - t0);
const world = new World(1, Date.parse("2026-11-24T12:00:00Z"));
const vars = {
  OPERATOR: "anybody",
  NOTICE_KEYS: "a-key-of-the-tests-a-key-of-the-tests",
  CATALOG_REFRESH_SECONDS: "30",
  EVENTS_ONE_IN: "off",
  NOTICE_ORIGIN: "https://bidder.example",
  CATALOG_KEYS: "",
  COLLECTOR_URL: "",
};
const platform = new Platform(world, p, healed(), vars);
const fleet = new Fleet(platform);
const op = new Operator(platform.kv);
op.push("budgets", world.now);
const market = new Market(platform, fleet, Dice.of(1, "market"), () => {});
market.trade();
const t1 = performance.now();
const minutes = Number(process.argv[2] ?? 5);
await world.until(world.now + minutes * 60_000);
console.log(
  "ran",
  performance.now() - t1,
  "ms",
  world.trace.length,
  "lines",
  platform.actors.size,
  market.bids.size,
  market.open,
);
console.log(
  world.trace
    .filter((l) => !l.includes("spent("))
    .slice(0, 60)
    .join("\n"),
);
const counts = new Map();
for (const b of market.bids.values()) counts.set(b.campaign.cid, (counts.get(b.campaign.cid) ?? 0) + 1);
console.log(counts);
platform.fetch(fleet.all[0], "/healthz", {}, (r) => console.log(r?.text));
await world.until(world.now + 1000);
