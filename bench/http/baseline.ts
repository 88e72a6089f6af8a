//! The Worker that the bidder is compared with: each route does only a part of the work that any bidder must do.
//!
//!     PUT  /answer   stores the body as the answer of `/echo`
//!     POST /hello    204 at once
//!     POST /read     reads the body, then 204
//!     POST /echo     reads the body, then 200 with the stored answer

const HEADERS = { "x-openrtb-version": "2.6" };
const WITH_BODY = { ...HEADERS, "content-type": "application/json" };

let kept: ArrayBuffer | null = null;

export default {
  async fetch(request: Request): Promise<Response> {
    const path = request.url.slice(request.url.lastIndexOf("/"));
    if (path === "/hello") return new Response(null, { status: 204, headers: HEADERS });
    const body = await request.arrayBuffer();
    if (path === "/echo") return new Response(kept, { status: 200, headers: WITH_BODY });
    if (path === "/answer") kept = body;
    return new Response(null, { status: path === "/read" || path === "/answer" ? 204 : 404, headers: HEADERS });
  },
} satisfies ExportedHandler;
