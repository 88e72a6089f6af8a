//! The Worker of the suite `cold`: one step of a cold start a request, each for the first time in its
//! isolate. The clock inside is too coarse for a single step, so whoever asks takes the time.
//!
//!     POST /nothing       reads the body and answers: what a request takes by itself
//!     POST /instantiate   makes an instance
//!     POST /load          loads the posted snapshot
//!     POST /decide        decides on the posted request
//!     POST /memory        bytes of the instance's memory

import module from "../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import { instantiate, isTrue, output, outputJson, put, type Serving } from "../../worker/src/module.ts";

let kept: Serving | undefined;

export default {
  async fetch(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    const body = new Uint8Array(await request.arrayBuffer());
    if (path === "/nothing") return new Response(null, { status: 204 });
    if (path === "/instantiate") {
      kept = instantiate<Serving>(module);
      return new Response(null, { status: 204 });
    }
    const instance = kept;
    if (!instance) return new Response("no instance", { status: 409 });
    if (path === "/load") {
      if (isTrue(instance.load(put(instance, body)))) return new Response(null, { status: 204 });
      throw new Error(outputJson<{ error: string }>(instance).error);
    }
    if (path === "/decide") {
      const status = instance.decide(put(instance, body), 0, Date.now(), 0, 0) & 0x7fff;
      return new Response(status === 200 ? output(instance) : null, { status });
    }
    return Response.json(instance.memory.buffer.byteLength);
  },
} satisfies ExportedHandler;
