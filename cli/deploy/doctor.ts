//! `edgebid doctor`: looks for faults in the configuration, on the account and in a running bidder, and says what to do
//! about each. Changes nothing.

import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Unstable_Config } from "wrangler";
import { Failure } from "../../build/failure.mjs";
import { configuration, isNewEnough, loadWrangler, NODE_FOR_TOOLS, page } from "../../build/tools.mjs";
import { step } from "../catalog/progress.ts";
import { accountFindings } from "./account.ts";
import { bidderFindings } from "./bidder.ts";
import { configurationFindings } from "./configuration.ts";
import { type Finding, fault, ok, printed } from "./finding.ts";
import { devVarsFindings, priceKeysFindings } from "./secrets.ts";

/** Options of the command. */
export interface DoctorOptions {
  config?: string;
  env?: string;
  remote?: boolean;
  url?: string;
  json?: boolean;
}

/** The name of the finding on the file itself. If wrangler cannot read it, nothing else can be checked. */
const CONFIGURATION = "wrangler.toml";

/** Prints the findings. Returns the exit status: 1 if there is a fault. Throws {@link Failure} if there is no file. */
export async function doctor({ config, env, remote, url, json }: DoctorOptions): Promise<0 | 1> {
  const path = config === undefined ? configuration() : resolve(config);
  if (!existsSync(path)) throw new Failure(`there is no ${path}; name the file with --config`);
  const asked = url === undefined ? undefined : await step(`asking ${url}`, () => bidderFindings(url, env));
  const isLocal = asked?.health?.kv != null && env === undefined && !remote;
  const findings = [node(), ...(await ofFile(path, env, isLocal))];
  const isReadable = findings.some(({ what, state }) => what === CONFIGURATION && state === "ok");
  const devVars = join(dirname(path), ".dev.vars");
  const compared = isReadable ? await priceKeysFindings(devVars, path) : [];
  const alone = devVarsFindings(devVars).filter(({ what }) => compared.every((other) => other.what !== what));
  findings.push(...alone, ...compared);
  if (isReadable && (remote || env !== undefined))
    findings.push(...(await step("asking the account", () => accountFindings(env))));
  return printed([...findings, ...(asked?.findings ?? [])], json);
}

function node(): Finding {
  const text = `version ${process.versions.node}`;
  const wanted = NODE_FOR_TOOLS.join(".");
  return isNewEnough() ? ok("Node", text) : fault("Node", text, `install ${wanted} or newer from https://nodejs.org`);
}

/** The findings on a configuration file. */
async function ofFile(path: string, env: string | undefined, isLocal: boolean): Promise<Finding[]> {
  // Loading wrangler takes a second.
  const { unstable_readConfig: readConfig } = loadWrangler();
  let config: Unstable_Config;
  try {
    config = readConfig({ config: path, ...(env !== undefined && { env }) }, { hideWarnings: true });
  } catch (error) {
    return [fault(CONFIGURATION, lineOf(error), `mend ${path}`)];
  }
  const { definedEnvironments = [] } = config;
  if (env !== undefined && !definedEnvironments.includes(env))
    return [fault(CONFIGURATION, `there is no environment ${env}`, `add [env.${env}]: ${page("staging.md")}`)];
  return [ok(CONFIGURATION, path), ...(await configurationFindings(config, env, isLocal))];
}

/** An error's message in one line. */
function lineOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ").trim();
}
