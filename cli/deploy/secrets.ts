//! Checks the values of secrets, without showing any of them.

import { createPrivateKey } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { isObject, parsedJson } from "../input.ts";
import { type Finding, fault, note, ok } from "./finding.ts";

/** The names of all secrets: see `worker/src/secrets.d.ts`. */
export const SECRETS = ["OPERATOR_TOKEN", "NOTICE_KEYS", "PRICE_KEYS", "SKADN_KEY", "COLLECTOR_TOKEN"];

const MIN_KEY = 32;
const MIN_TOKEN = 16;

/** The findings on the secrets in a file of `wrangler dev`; none if there is no such file. */
export function devVarsFindings(file: string): Finding[] {
  if (!existsSync(file)) return [];
  const values = parseEnv(readFileSync(file, "utf8"));
  return Object.entries(values).flatMap(([name, value = ""]) => secretFinding(name, value) ?? []);
}

/** The finding on a value of a secret; null for other names. */
export function secretFinding(name: string, value: string): Finding | null {
  const what = `.dev.vars ${name}`;
  const problem = PROBLEMS[name]?.(value);
  if (problem === undefined) return null;
  return problem === null ? ok(what, "can be used") : fault(what, ...problem);
}

/** What is wrong with a value, and what to write; null if nothing is. */
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
