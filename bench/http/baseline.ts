//! The Workers that the bidder is compared with. Each route of the first does only a part of the work that any bidder
//! must do; the second is a first day's bidder, with the headers of the bidder.
//!
//!     PUT  /answer    stores the body as the answer of `/echo`
//!     PUT  /catalog   makes a peer of the posted document
//!     POST /hello     204 at once
//!     POST /read      reads the body, then 204
//!     POST /echo      reads the body, then 200 with the stored answer
//!     POST /bid/SSP   the answer of the peer; 204 where it would throw

import { type Peer, peerBidder, safely } from "../decide/peer.ts";

const HEADERS = { "x-openrtb-version": "2.6" };
const WITH_BODY = { ...HEADERS, "content-type": "application/json" };

let kept: ArrayBuffer | null = null;
let peer: Peer = () => null;

export default {
  async fetch(request: Request): Promise<Response> {
    const path = request.url.slice(request.url.indexOf("/", "https://".length));
    const answer = (body: BodyInit | null) =>
      new Response(body, body === null ? { status: 204, headers: HEADERS } : { headers: WITH_BODY });
    if (path === "/hello") return answer(null);
    if (path.startsWith("/bid/")) return answer(peer(await request.text()));
    const body = await request.arrayBuffer();
    if (path === "/echo") return answer(kept);
    if (path === "/answer") kept = body;
    if (path === "/catalog") peer = safely(peerBidder(JSON.parse(new TextDecoder().decode(body))));
    return answer(null);
  },
} satisfies ExportedHandler;
