//! Checks the account that wrangler is logged in to: the login, the names of the secrets, and the catalog in KV.

import { page } from "../../build/tools.mjs";
import { readCurrent, readServed } from "../catalog/versions.ts";
import { runWrangler, wranglerStore } from "../catalog/wrangler.ts";
import { type Finding, fault, note, ok } from "./finding.ts";
import { setSecretsFindings } from "./secrets.ts";

/**
 * The findings on the account, or on an environment of it. Stops after a fault that makes the other checks impossible.
 */
export async function accountFindings(env: string | undefined): Promise<Finding[]> {
  const where = env === undefined ? [] : ["--env", env];
  try {
    // Without `--json`, `whoami` succeeds even without a login.
    await runWrangler(["whoami", "--json"]);
  } catch (error) {
    const isUnknown = (error as Error).message.includes('"loggedIn":false');
    const text = isUnknown ? "wrangler is not logged in" : `wrangler whoami fails: ${reasonIn(error)}`;
    return [fault("login", text, "npx wrangler login, or set CLOUDFLARE_API_TOKEN")];
  }
  return [ok("login", "wrangler is logged in"), ...(await secrets(where)), ...(await catalog(where))];
}

async function secrets(where: string[]): Promise<Finding[]> {
  try {
    const listed = JSON.parse((await runWrangler(["secret", "list", "--format", "json", ...where])).toString("utf8"));
    const names = (listed as { name: string }[]).map(({ name }) => name);
    return setSecretsFindings(names, ["npx wrangler secret put", ...where].join(" "));
  } catch (error) {
    const reason = reasonIn(error);
    if (!reason.endsWith("not found."))
      return [fault("secrets", `wrangler secret list fails: ${reason}`, "run it to see more")];
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
    return [fault("catalog", `KV cannot be read: ${reasonIn(error)}`, "give the token access to Workers KV")];
  }
}

/** What wrangler said about its failure, in a line. */
function reasonIn(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (/\[ERROR\] *(.+)/.exec(message)?.[1] ?? message.split("\n")[0] ?? "").trim();
}

/** The members of a document that are checked. A served document has been compiled, so it has the right types. */
interface Document {
  ssps?: { id: string; credentials?: string[] }[];
  privacy?: { vendor_id?: number; bid_unregistered?: boolean };
  campaigns?: unknown[];
}

/** The findings on the source of a catalog. */
export function catalogFindings(source: Uint8Array): Finding[] {
  const { ssps = [], privacy = {}, campaigns = [] }: Document = JSON.parse(new TextDecoder().decode(source));
  const open = ssps.filter(({ credentials = [] }) => credentials.length === 0).map(({ id }) => id);
  const { vendor_id: vendor, bid_unregistered: unregistered } = privacy;
  const [close, register] = [`add credentials: ${page("ssp.md#credentials")}`, `set vendor_id: ${page("people.md")}`];
  return [
    ok("catalog", `${campaigns.length} campaigns, ${ssps.length} SSPs`),
    open.length > 0
      ? note("credentials", `anybody can send requests as ${open.join(", ")}`, close)
      : ok("credentials", "each SSP has credentials"),
    vendor === undefined && unregistered === undefined
      ? note("privacy", "without vendor_id there are no bids where GDPR applies", register)
      : ok("privacy", vendor === undefined ? "as not registered" : `vendor ${vendor}`),
  ];
}
