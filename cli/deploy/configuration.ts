//! Checks `wrangler.toml`: bindings, migrations and variables. Wrangler itself reads the file.

import { existsSync } from "node:fs";
import type { Unstable_Config } from "wrangler";
import { page } from "../../build/tools.mjs";
import { keysOf } from "../../shared/catalog/signature.ts";
import { FORMATS } from "../../shared/events/schema.ts";
import { type Finding, fault, note, ok } from "./finding.ts";
import { SECRETS } from "./secrets.ts";

/** The classes of Durable Objects, by binding. */
export const OBJECTS = {
  ...{ LEDGER: "Ledger", SUMMARY: "Summary", PACER: "Pacer", RELAY: "Relay", FREQUENCY: "Frequency" },
  DEALS: "Deals",
};

/** The namespace's id in the repository, which is only for the local KV. */
const NO_ID = /^0*$/;

/** The findings on a configuration, of the environment `env` if there is one. `isLocal`: only npm start uses it. */
export async function configurationFindings(
  config: Unstable_Config,
  env: string | undefined,
  isLocal: boolean,
): Promise<Finding[]> {
  const section = env === undefined ? "" : ` of [env.${env}]`;
  return [
    main(config),
    date(config),
    kv(config, env, isLocal),
    ...objects(config, section),
    ...variables(config),
    await signing(config),
    ...events(config),
    limits(config),
    attempts(config),
    metrics(config),
  ];
}

function main({ main }: Unstable_Config): Finding {
  const found = main !== undefined && existsSync(main);
  return found ? ok("main", main) : fault("main", `${main ?? "nothing"} does not exist`, "name the Worker's entry");
}

function date({ compatibility_date: date = "" }: Unstable_Config): Finding {
  const what = "compatibility_date";
  const time = Date.parse(date);
  if (Number.isNaN(time)) return fault(what, `"${date}" is no day`, 'write a day, such as "2026-10-20"');
  if (time > Date.now()) return fault(what, `${date} is in the future`, "name a day that has passed");
  return ok(what, date);
}

function kv({ kv_namespaces }: Unstable_Config, env: string | undefined, isLocal: boolean): Finding {
  const id = kv_namespaces.find(({ binding }) => binding === "CATALOG")?.id;
  const create = `npx wrangler kv namespace create CATALOG${env ? ` --env ${env}` : ""}`;
  if (id === undefined) return fault("CATALOG", "there is no KV namespace for catalogs", `${create}, and add its id`);
  if (NO_ID.test(id)) {
    const state = isLocal ? note : fault;
    return state("CATALOG", "the id is a placeholder, which only npm start can use", `${create}, and put its id there`);
  }
  return ok("CATALOG", `KV namespace ${id}`);
}

function objects({ durable_objects, migrations }: Unstable_Config, section: string): Finding[] {
  const created = new Set(migrations.flatMap(({ new_sqlite_classes = [] }) => new_sqlite_classes));
  const deleted = new Set(migrations.flatMap(({ deleted_classes = [] }) => deleted_classes));
  return Object.entries(OBJECTS).map(([binding, name]) => {
    const bound = durable_objects.bindings.find((entry) => entry.name === binding);
    const wrong = (text: string, mend: string) => fault(binding, text, mend);
    if (bound === undefined)
      return wrong(
        "the binding is missing",
        `copy [[durable_objects.bindings]] ${binding} into the bindings${section}`,
      );
    if (bound.class_name !== name) return wrong(`the class is ${bound.class_name}`, `write class_name = "${name}"`);
    if (deleted.has(name))
      return wrong("a migration deletes its class, and all its data", "remove it, if it was not deployed yet");
    if (!created.has(name) && !bound.script_name)
      return wrong("no migration creates its class", `add "${name}" to new_sqlite_classes of a new [[migrations]]`);
    return ok(binding, `objects of ${name}`);
  });
}

function variables({ vars }: Unstable_Config): Finding[] {
  const secrets = SECRETS.filter((name) => name in vars).map((name) =>
    fault(name, "a secret stands in [vars]", `remove it, and run npx wrangler secret put ${name}`),
  );
  const open = fault("OPERATOR", "every caller would be the operator", "remove it; only npm start sets it");
  const values = Object.entries(VALUES).flatMap(([name, [isFine, problem, mend]]) => {
    const value = String(vars[name] ?? "");
    return value === "" || isFine(value) ? [] : [fault(name, `"${value}" ${problem}`, mend)];
  });
  return [...secrets, ...("OPERATOR" in vars ? [open] : []), ...values];
}

/** For each variable: the check of its values, the problem of a wrong value, and what to write. */
const VALUES: Record<string, [isFine: (value: string) => boolean, problem: string, mend: string]> = {
  CATALOG_REFRESH_SECONDS: [isInterval, "is no number of seconds", 'write 1 to 3600; "30" is usual'],
  NOTICE_ORIGIN: [isOrigin, "cannot begin notice URLs", 'write a scheme and a host, "https://bidder.example"'],
  EVENTS_ONE_IN: [(value) => /^(off|\d+)$/.test(value), "is no number", 'write a whole number, or "off"'],
  COLLECTOR_FORMAT: [(value) => value in FORMATS, "is unknown", `write one of ${Object.keys(FORMATS).join(", ")}`],
  COLLECTOR_URL: [(value) => URL.canParse(value), "is no URL", "write one such as https://collector.example/events"],
};

function isInterval(seconds: string): boolean {
  return Number(seconds) >= 1 && Number(seconds) <= 3600;
}

function isOrigin(value: string): boolean {
  return URL.canParse(value) && new URL(value).origin === value && value.startsWith("https://");
}

async function signing({ vars }: Unstable_Config): Promise<Finding> {
  try {
    const keys = await keysOf(String(vars["CATALOG_KEYS"] ?? ""));
    if (keys) return ok("CATALOG_KEYS", "only signed catalogs are served");
  } catch (error) {
    return fault("CATALOG_KEYS", (error as Error).message, "npx edgebid catalog key FILE prints the key to put there");
  }
  return note(
    "CATALOG_KEYS",
    "who can write KV can change your bids",
    `sign what you push: ${page("push.md#sign-what-you-push")}`,
  );
}

function events({ vars, queues }: Unstable_Config): Finding[] {
  const collector = String(vars["COLLECTOR_URL"] ?? "");
  const produces = queues.producers?.some(({ binding }) => binding === "EVENTS") ?? false;
  const consumes = (queues.consumers?.length ?? 0) > 0;
  const wrong = (text: string, mend: string) => [fault("EVENTS", text, mend)];
  if (produces && !consumes)
    return wrong("events go into a queue that nothing reads", "add [[queues.consumers]] for the same queue");
  if (produces && !collector) return wrong("the queue has no collector to post to", "set COLLECTOR_URL");
  if (produces) return [ok("EVENTS", `posted to ${collector}`)];
  if (collector)
    return wrong("COLLECTOR_URL is set, and there is no queue", "add [[queues.producers]] and [[queues.consumers]]");
  const how = `bind a queue: ${page("events.md#post-events-to-a-collector")}`;
  return [note("EVENTS", "events are only logged, one line in a hundred", how)];
}

function limits({ limits }: Unstable_Config): Finding {
  if (limits?.cpu_ms) return ok("limits", `at most ${limits.cpu_ms} ms for an invocation`);
  return note("limits", "an invocation may compute for 30 s", "add [limits] cpu_ms = 10000, if the plan allows it");
}

function attempts({ ratelimits = [] }: Unstable_Config): Finding {
  if (ratelimits.some(({ name }) => name === "ATTEMPTS")) return ok("ATTEMPTS", "wrong tokens are limited");
  return note("ATTEMPTS", "wrong tokens are not limited", `add [[ratelimits]]: ${page("deploy.md#bindings")}`);
}

function metrics({ analytics_engine_datasets }: Unstable_Config): Finding {
  if (analytics_engine_datasets.some(({ binding }) => binding === "METRICS")) return ok("METRICS", "counters are kept");
  return note(
    "METRICS",
    "counters live and die with each isolate",
    `add [[analytics_engine_datasets]]: ${page("events.md#counters")}`,
  );
}
