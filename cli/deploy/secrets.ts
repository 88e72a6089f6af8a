//! Checks the values of secrets, without showing any of them. As in the Worker, the serving module decides which SSPs
//! of the local catalog need which keys of encoded prices.

import { createPrivateKey } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { DEFAULT_STATE, page } from "../../build/tools.mjs";
import { compile } from "../../shared/catalog/compile.ts";
import { priceKeysOf } from "../../shared/notices/price-keys.ts";
import { Bidder } from "../../shared/wasm/bidder.ts";
import { withLocalStore } from "../catalog/local.ts";
import { readCurrent, readServed } from "../catalog/versions.ts";
import { isObject, parsedJson } from "../input.ts";
import { compiler, module } from "../module.ts";
import { type Finding, fault, note, ok } from "./finding.ts";

/** The names of all secrets: see `worker/src/secrets.d.ts`. */
export const SECRETS = ["OPERATOR_TOKEN", "NOTICE_KEYS", "PRICE_KEYS", "SKADN_KEY", "COLLECTOR_TOKEN"];

/** The secrets of options, by the option's name in `options` of `GET /healthz`. */
export const OPTION_SECRETS = { skadn: "SKADN_KEY" } as const;

const MIN_KEY = 32;
const MIN_TOKEN = 16;

/** The findings on the secrets in a file of `wrangler dev`; none if there is no such file. */
export function devVarsFindings(file: string): Finding[] {
  if (!existsSync(file)) return [];
  return Object.entries(parseEnv(readFileSync(file, "utf8"))).flatMap(([name, value = ""]) => {
    const what = `.dev.vars ${name}`;
    const problem = PROBLEMS[name]?.(value);
    if (problem === undefined) return [];
    return problem === null ? ok(what, "can be used") : fault(what, ...problem);
  });
}

/** What is wrong with a value, and what to write instead; null if nothing is wrong. */
type Problem = [text: string, mend: string] | null;

const PROBLEMS: Record<string, (value: string) => Problem> = {
  OPERATOR_TOKEN: (value) =>
    value.length >= MIN_TOKEN
      ? null
      : [`it has ${value.length} characters, so it can be guessed`, "take 32 random characters: openssl rand -hex 16"],
  NOTICE_KEYS(value) {
    const short = value.split(",").findIndex((key) => key.trim().length < MIN_KEY);
    return short < 0
      ? null
      : [`key ${short + 1} has less than ${MIN_KEY} characters`, "take 64 random characters: openssl rand -hex 32"];
  },
  PRICE_KEYS(value) {
    const keys = parsedJson(value);
    const expected = 'write {"SSP":{"encryption":"…","integrity":"…"}}';
    return isObject(keys) ? null : [keys === undefined ? "it is not JSON" : "it is no JSON object", expected];
  },
  SKADN_KEY(value) {
    const expected = "write the private key of curve P-256 as PKCS#8 PEM, with \\n for line breaks";
    try {
      const { asymmetricKeyDetails } = createPrivateKey(value.replaceAll("\\n", "\n"));
      return asymmetricKeyDetails?.namedCurve === "prime256v1" ? null : ["it is a key of another kind", expected];
    } catch {
      return ["it is no private key in PEM", expected];
    }
  },
};

/** The findings on the names of the secrets that an account has. */
export function setSecretsFindings(names: string[], put: string): Finding[] {
  const has = (name: string) => names.includes(name);
  return [
    has("OPERATOR_TOKEN")
      ? ok("OPERATOR_TOKEN", "is set")
      : note("OPERATOR_TOKEN", "is not set: explanations, reports and the inspector are off", `${put} OPERATOR_TOKEN`),
    has("NOTICE_KEYS")
      ? ok("NOTICE_KEYS", "is set")
      : fault("NOTICE_KEYS", "is not set: nothing is billed, budgets and caps do not bid", `${put} NOTICE_KEYS`),
  ];
}

/** Settings of notices. No notice is ever read with them, so the key is not a secret. */
const NOTICES = ["https://doctor.invalid", 1, 1, "doctor".repeat(8)];

const PRICE_KEYS = ".dev.vars PRICE_KEYS";

/**
 * The findings on PRICE_KEYS in the file `devVars`, beside the configuration `config`. None if there is nothing to
 * compare: no file, a text that is not JSON, no local catalog.
 */
export async function priceKeysFindings(devVars: string, config: string): Promise<Finding[]> {
  const state = join(dirname(config), DEFAULT_STATE);
  // Opening the local KV would create the folder.
  if (!existsSync(devVars) || !existsSync(state)) return [];
  const text = parseEnv(readFileSync(devVars, "utf8"))["PRICE_KEYS"];
  const { lines, errors } = priceKeysOf(text);
  if (errors.length > 0) return [];
  try {
    const document = await withLocalStore(state, async (store) => readServed(store, await readCurrent(store)), config);
    if (document === null) return [];
    const found = errorsOf(document, lines);
    if (found.length === 0) return text ? [ok(PRICE_KEYS, "has the keys that the local catalog needs")] : [];
    return found.map((error) => fault(PRICE_KEYS, error, `read ${page("money.md#which-exchange-needs-what")}`));
  } catch {
    return [
      note(PRICE_KEYS, "the local catalog cannot be read, so the keys are not compared with it", "push it again"),
    ];
  }
}

/** What is wrong with these keys for this catalog. Throws if the catalog cannot be compiled. */
function errorsOf(document: Uint8Array, lines: string[]): string[] {
  const bidder = new Bidder(compile(document, compiler).snapshot, module);
  return bidder.useNotices(new TextEncoder().encode([...NOTICES, ...lines].join("\n")));
}
