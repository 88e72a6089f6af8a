//! Checks a served catalog for what a deployed bidder needs and a valid catalog may lack.

import { page } from "../tools.mjs";
import { type Finding, note, ok } from "./finding.ts";

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
