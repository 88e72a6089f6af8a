//! The TypeScript twin as a Worker, with the headers of the bidder.
//!
//!     PUT  /catalog   makes a twin of the posted document
//!     POST /bid/SSP   decides on the posted request

import { changesOf } from "../../worker/src/catalog/zones.ts";
import { ZONES } from "../catalogs/zones.ts";
import { createTwin, type Twin } from "../twin/twin.ts";

const HEADERS = { "x-openrtb-version": "2.6" };
const WITH_BODY = { ...HEADERS, "content-type": "application/json" };

let twin: Twin | undefined;

export default {
  async fetch(request: Request): Promise<Response> {
    if (request.method === "PUT") {
      twin = createTwin(
        await request.json(),
        ZONES.zones.flatMap(({ name }) => changesOf(name)),
      );
      return new Response(null, { status: 204 });
    }
    if (twin === undefined) return new Response(null, { status: 503 });
    const ssp = request.url.slice(request.url.lastIndexOf("/") + 1);
    const { status, body } = twin(ssp, await request.text(), Date.now());
    return new Response(body ?? null, { status, headers: body === undefined ? HEADERS : WITH_BODY });
  },
} satisfies ExportedHandler;
