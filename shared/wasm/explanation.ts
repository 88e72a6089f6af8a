//! Explains a decision: which check each campaign failed on.
//!
//! The compiling module makes the explanation from a copy of the snapshot, so that the serving module stays small and
//! fast. Both modules are built from the same crate, so the checks are the same code.

import { concat } from "../bytes.ts";
import { fail } from "../telemetry/failures.ts";
import { FORMAT, type Format } from "./abi.ts";
import type { Bidder } from "./bidder.ts";
import { type Compiling, Instance, isTrue } from "./instance.ts";

export interface Explanation {
  /** The report as JSON, or `{"error"}`. */
  json: Uint8Array<ArrayBuffer>;
  /**
   * Null with a report. Without a report, the status that the SSP gets: 400 if the body is not a bid request or the
   * question cannot be answered, 204 after a trap.
   */
  status: 400 | 204 | null;
}

/** The only impression (by its id) or campaign to explain. */
export interface Only {
  imp?: string;
  campaign?: string;
}

/** Explains the decision on a bid request. */
export function explanation(
  bidder: Bidder,
  body: Uint8Array,
  ssp: number,
  now: number,
  compiler: WebAssembly.Module,
  format: Format = FORMAT.JSON,
  { imp, campaign }: Only = {},
): Explanation {
  const instance = new Instance<Compiling>(compiler);
  const snapshot = bidder.snapshot();
  try {
    const shares = new TextDecoder().decode(bidder.shares ?? new Uint8Array());
    const { version, stops, signs } = bidder;
    const question = new TextEncoder().encode(
      JSON.stringify({
        ssp,
        now,
        version,
        format: format === FORMAT.PROTOBUF ? "protobuf" : "json",
        ...stops,
        shares,
        signs,
        imp,
        campaign,
      }),
    );
    instance.put(snapshot, concat([body.slice(), question.slice()]));
    const isReport = isTrue(instance.exports.explain(snapshot.byteLength, body.byteLength, question.byteLength));
    return { json: instance.output(), status: isReport ? null : 400 };
  } catch (error) {
    fail("trap", error);
    return { json: new TextEncoder().encode('{"error":"the explanation trapped"}').slice(), status: 204 };
  }
}
