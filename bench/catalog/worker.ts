//! The Worker of the suite `catalog`: loads a snapshot into a new instance, or parses the document of this catalog.
//!
//!     PUT  /document?catalog=NAME        stores a document
//!     PUT  /snapshot?catalog=NAME        stores its snapshot
//!     POST /warm?catalog=NAME&way=WAY    runs until the engine has compiled the code
//!     POST /batch?catalog=NAME&way=WAY   runs a batch; returns the mean microseconds per call

import module from "../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import { Bidder } from "../../worker/src/wasm/bidder.ts";
import { batch, type Plan, warm } from "../measure.ts";

const WARM_MS = 200;

const documents = new Map<string, string>();
const snapshots = new Map<string, Uint8Array<ArrayBuffer>>();
const plans = new Map<string, Plan>();

/** Stores every result, so that the engine cannot skip a call. */
let kept: unknown;

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const [catalog, way] = [searchParams.get("catalog") ?? "", searchParams.get("way") ?? ""];
    if (pathname === "/document") documents.set(catalog, await request.text());
    else if (pathname === "/snapshot") snapshots.set(catalog, new Uint8Array(await request.arrayBuffer()));
    else {
      const call = callOf(catalog, way);
      const key = `${catalog} ${way}`;
      if (pathname === "/warm") plans.set(key, warm(call, WARM_MS));
      const plan = plans.get(key);
      if (plan === undefined) throw new Error(`${key} is not warm`);
      if (pathname === "/batch") return Response.json(batch(call, plan));
    }
    if (kept === null) throw new Error("a call returned null");
    return Response.json(null);
  },
} satisfies ExportedHandler;

function callOf(catalog: string, way: string): () => void {
  const [document, snapshot] = [documents.get(catalog), snapshots.get(catalog)];
  if (document === undefined || snapshot === undefined) throw new Error(`no catalog ${catalog}`);
  if (way === "load") {
    // These are the steps of the deployed Worker.
    return () => {
      kept = new Bidder(snapshot, module);
    };
  }
  return () => {
    kept = JSON.parse(document);
  };
}
