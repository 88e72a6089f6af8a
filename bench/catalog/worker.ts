//! The Worker of the suite `catalog`: loads a compiled catalog into a new instance, and parses the same catalog's
//! document, again and again.
//!
//!     PUT  /document?catalog=NAME   keeps a document
//!     PUT  /snapshot?catalog=NAME   keeps what it compiles to
//!     POST /warm?catalog=NAME&way=WAY
//!     POST /batch?catalog=NAME&way=WAY   mean microseconds a call

import module from "../../crates/bidder-wasm/pkg/bidder_wasm_bg.wasm";
import { Bidder } from "../../worker/src/bidder.ts";
import { batch, type Plan, warm } from "../measure.ts";

const WARM_MS = 200;

const documents = new Map<string, string>();
const snapshots = new Map<string, Uint8Array<ArrayBuffer>>();
const plans = new Map<string, Plan>();

/** Where results go, so that no call can be left out. */
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
    if (kept === null) throw new Error("nothing came out");
    return Response.json(null);
  },
} satisfies ExportedHandler;

function callOf(catalog: string, way: string): () => void {
  const [document, snapshot] = [documents.get(catalog), snapshots.get(catalog)];
  if (document === undefined || snapshot === undefined) throw new Error(`no catalog ${catalog}`);
  if (way === "load") {
    // As the Worker does: an instance, the snapshot copied in and opened, its facts read.
    return () => {
      kept = new Bidder(snapshot, module);
    };
  }
  return () => {
    kept = JSON.parse(document);
  };
}
