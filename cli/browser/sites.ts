//! Runs in workerd: the sites that a person visits, and an exchange that receives the person's ids.
//!
//!     GET /page?load=URL    a page that loads this image
//!     GET /match?id=ID      the exchange, which answers with an image

const PIXEL = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/page") {
      const image = (searchParams.get("load") ?? "").replaceAll("&", "&amp;").replaceAll('"', "&quot;");
      return new Response(`<!doctype html><title>a site</title><img src="${image}">`, {
        headers: { "content-type": "text/html" },
      });
    }
    if (pathname === "/match") {
      return new Response(
        Uint8Array.from(atob(PIXEL), (byte) => byte.charCodeAt(0)),
        { headers: { "content-type": "image/gif" } },
      );
    }
    return new Response(null, { status: 404 });
  },
};
