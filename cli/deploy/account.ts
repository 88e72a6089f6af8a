//! Checks the account that wrangler is logged in to: the login, the names of the secrets, and the catalog in KV.

import { readCurrent, readServed } from "../catalog/versions.ts";
import { runWrangler, wranglerStore } from "../catalog/wrangler.ts";
import { catalogFindings } from "./catalog.ts";
import { type Finding, fault, ok } from "./finding.ts";
import { setSecretsFindings } from "./secrets.ts";

/** The findings on the account, or on an environment of it. Stops at the first thing that all others need. */
export async function accountFindings(env: string | undefined): Promise<Finding[]> {
  const where = env === undefined ? [] : ["--env", env];
  try {
    await runWrangler(["whoami"]);
  } catch {
    return [fault("login", "wrangler is not logged in", "npx wrangler login, or set CLOUDFLARE_API_TOKEN")];
  }
  return [ok("login", "wrangler is logged in"), ...(await secrets(where)), ...(await catalog(where))];
}

async function secrets(where: string[]): Promise<Finding[]> {
  try {
    const listed = JSON.parse((await runWrangler(["secret", "list", "--format", "json", ...where])).toString("utf8"));
    const names = (listed as { name: string }[]).map(({ name }) => name);
    return setSecretsFindings(names, ["npx wrangler secret put", ...where].join(" "));
  } catch {
    const deploy = ["npm run deploy", ...(where.length > 0 ? ["--", ...where] : [])].join(" ");
    return [fault("secrets", "the account has no such Worker", `deploy it first: ${deploy}`)];
  }
}

async function catalog(where: string[]): Promise<Finding[]> {
  const store = wranglerStore(["--remote", ...where]);
  const push = `npx edgebid catalog push FILE ${store.where}`;
  try {
    const current = await readCurrent(store);
    if (current.problem) return [fault("catalog", current.problem, push)];
    if (current.stored === null) return [fault("catalog", "KV holds no catalog: nothing is bid", push)];
    const document = await readServed(store, current);
    if (!document) return [fault("catalog", `KV lacks the version ${current.version} that the pointer names`, push)];
    return catalogFindings(document);
  } catch (error) {
    return [fault("catalog", (error as Error).message.split("\n")[0] ?? "", "give the token access to Workers KV")];
  }
}
