//! The Worker of the suite `catalog`: loads a snapshot into a new instance, or parses the document of this catalog. Its
//! own routes:
//!
//!     document?input=NAME   stores a document
//!     snapshot?input=NAME   stores its snapshot

import module from "../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import { Bidder } from "../../worker/src/wasm/bidder.ts";
import { isolate } from "../isolate.ts";

const documents = new Map<string, string>();
const snapshots = new Map<string, Uint8Array<ArrayBuffer>>();

export default isolate(
  (way, input) => {
    const [document, snapshot] = [documents.get(input), snapshots.get(input)];
    if (document === undefined || snapshot === undefined) throw new Error(`no catalog ${input}`);
    // To load is what the deployed Worker does.
    return { call: () => (way === "load" ? new Bidder(snapshot, module) : JSON.parse(document)), count: 1 };
  },
  {
    document: (body, query) => void documents.set(query("input"), new TextDecoder().decode(body)),
    snapshot: (body, query) => void snapshots.set(query("input"), body),
  },
);
