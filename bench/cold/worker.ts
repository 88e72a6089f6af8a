//! The Worker of the suite `cold`. Each request runs one step of a cold start for the first time in its isolate. The
//! caller takes the time, because the clock in workerd is too coarse for a single step.
//!
//!     POST /nothing       reads the body and answers: the cost of the request itself
//!     POST /instantiate   makes an instance
//!     POST /load          loads the posted snapshot
//!     POST /decide        decides on the posted request
//!     POST /swap          loads the posted snapshot beside the one that serves, then serves it; returns the bytes of both
//!                         memories and of the posted snapshot

import module from "../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import { Instance, isTrue, type Serving } from "../../worker/src/wasm/instance.ts";

let kept: Instance<Serving> | undefined;

export default {
  async fetch(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    const body = new Uint8Array(await request.arrayBuffer());
    if (path === "/nothing") return new Response(null, { status: 204 });
    if (path === "/instantiate") {
      kept = new Instance(module);
      return new Response(null, { status: 204 });
    }
    const instance = kept;
    if (!instance) return new Response("no instance", { status: 409 });
    if (path === "/load") {
      load(instance, body);
      return new Response(null, { status: 204 });
    }
    if (path === "/swap") {
      const successor = new Instance<Serving>(module);
      load(successor, body);
      kept = successor;
      return Response.json(memoryOf(instance) + memoryOf(successor) + body.byteLength);
    }
    const status = instance.exports.decide(instance.put(body), 0, Date.now(), 0, 0, 0, 0) & 0x1fff;
    return new Response(status === 200 ? instance.output() : null, { status });
  },
} satisfies ExportedHandler;

function load(instance: Instance<Serving>, snapshot: Uint8Array): void {
  if (!isTrue(instance.exports.load(instance.put(snapshot), 0, 0))) {
    throw new Error(instance.outputJson<{ error: string }>().error);
  }
}

function memoryOf({ exports }: Instance<Serving>): number {
  return exports.memory.buffer.byteLength;
}
