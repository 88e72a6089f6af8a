//! The Worker of the suite `catalog`: loads a snapshot into a new instance, or parses the document of this catalog. Its
//! own routes:
//!
//!     document?input=NAME   stores a document
//!     snapshot?input=NAME   stores its snapshot

import module from "../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import { Bidder } from "../../shared/wasm/bidder.ts";
import { isolate } from "../isolate.ts";

const calls = new Map<string, () => unknown>();

export default isolate((way, input) => ({ call: calls.get(`${way} ${input}`) ?? missing, count: 1 }), {
  document: (body, query) => {
    const document = new TextDecoder().decode(body);
    calls.set(`JSON.parse ${query("input")}`, () => JSON.parse(document));
  },
  // As the deployed Worker does.
  snapshot: (body, query) => void calls.set(`load ${query("input")}`, () => new Bidder(body, module)),
});

function missing(): never {
  throw new Error("no such catalog");
}
