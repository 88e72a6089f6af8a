//! A first day's bidder as a Worker, with the headers of the bidder. Where it would throw, it answers 204.
//!
//!     PUT  /catalog   makes a peer of the posted document
//!     POST /bid/SSP   decides on the posted request

import { type Peer, peerBidder } from "../decide/peer.ts";

const HEADERS = { "x-openrtb-version": "2.6" };
const WITH_BODY = { ...HEADERS, "content-type": "application/json" };

let peer: Peer | undefined;

export default {
  async fetch(request: Request): Promise<Response> {
    if (request.method === "PUT") {
      peer = peerBidder(await request.json());
      return new Response(null, { status: 204 });
    }
    const body = answerOf(await request.text());
    return new Response(body, { status: body === null ? 204 : 200, headers: body === null ? HEADERS : WITH_BODY });
  },
} satisfies ExportedHandler;

function answerOf(text: string): string | null {
  try {
    return peer?.(text) ?? null;
  } catch {
    return null;
  }
}
