//! The Worker of the suite `cold`. Each request runs one step of a cold start for the first time in its isolate. The
//! caller takes the time, because the clock in workerd is too coarse for a single step.
//!
//!     nothing       reads the body and answers: the cost of the request itself
//!     instantiate   makes an instance
//!     load          loads the posted snapshot
//!     decide        decides on the posted request
//!     swap          loads the posted snapshot beside the one that serves, then serves it; returns the bytes of both
//!                   memories and of the posted snapshot

import module from "../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import { Instance, isTrue, type Serving } from "../../shared/wasm/instance.ts";
import { routed } from "../isolate.ts";

let kept: Instance<Serving> | undefined;

export default routed({
  nothing: () => undefined,
  instantiate: () => void instantiated(),
  load: (snapshot) => load(serving(), snapshot),
  decide: (request) => {
    const { exports } = serving();
    exports.decide(serving().put(request), 0, Date.now(), 0, 0, 0, 0, 0, 0);
    return new Response(serving().output());
  },
  swap: (snapshot) => {
    const before = serving();
    load(instantiated(), snapshot);
    return before.size + serving().size + snapshot.byteLength;
  },
});

function instantiated(): Instance<Serving> {
  kept = new Instance(module);
  return kept;
}

function serving(): Instance<Serving> {
  if (kept === undefined) throw new Error("no instance");
  return kept;
}

function load(instance: Instance<Serving>, snapshot: Uint8Array): void {
  if (!isTrue(instance.exports.load(instance.put(snapshot), 0, 0))) throw new Error("the snapshot is refused");
}
