//! `GET /inspect` and the files below it: the inspector's page, from the assets binding. The files hold no data: the
//! page gets all data from routes that only the operator may call. So everybody may load the files, if an operator is
//! configured.

import type { Call } from "../isolate.ts";

/** Where the page is. */
const INSPECT = "/inspect";

/** The page runs its own script and asks its own origin, and nothing else. */
const PAGE_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * The frame that shows a creative. `sandbox` puts it into an origin of its own. The creative itself is in a frame
 * within this frame, inherits this policy, and may not run scripts. `media` is where its pictures and sounds may come
 * from.
 */
const frameCsp = (media: string) =>
  `sandbox allow-scripts; default-src 'none'; script-src 'self'; style-src 'unsafe-inline'${media && ` ${media}`}; ` +
  `img-src data:${media && ` ${media}`}; media-src data:${media && ` ${media}`}; font-src data:${media && ` ${media}`}; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** Each file by its path, with its policy. The path is both the page's address and the file's path in the assets. */
const FILES: Record<string, { file: string; csp: string }> = {
  [INSPECT]: { file: "/inspect/index.html", csp: PAGE_CSP },
  "/inspect/": { file: "/inspect/index.html", csp: PAGE_CSP },
  "/inspect/frame": { file: "/inspect/frame.html", csp: frameCsp("") },
  "/inspect/frame/outside": { file: "/inspect/frame.html", csp: frameCsp("https: http:") },
  "/inspect/main.js": { file: "/inspect/main.js", csp: PAGE_CSP },
  "/inspect/frame.js": { file: "/inspect/frame.js", csp: PAGE_CSP },
  "/inspect/style.css": { file: "/inspect/style.css", csp: PAGE_CSP },
  "/inspect/fixtures.json": { file: "/inspect/fixtures.json", csp: PAGE_CSP },
};

/** A file of the page. 404 if there is no such file, no operator is configured, or the Worker has no assets. */
export async function page({ request, env }: Pick<Call, "request" | "env">): Promise<Response> {
  const found = FILES[new URL(request.url).pathname];
  const { ASSETS, OPERATOR, OPERATOR_TOKEN } = env;
  if (!ASSETS || !found || !(OPERATOR || OPERATOR_TOKEN)) return new Response(null, { status: 404 });
  if (request.method !== "GET" && request.method !== "HEAD") {
    return new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });
  }
  const { status, body, headers } = await ASSETS.fetch(new URL(found.file, request.url));
  return new Response(request.method === "HEAD" ? null : body, {
    status,
    headers: {
      "content-type": headers.get("content-type") ?? "application/octet-stream",
      "content-security-policy": found.csp,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    },
  });
}

/** `/` leads to the page where no token is needed, as with `npm start`, and nowhere else. */
export function root({ env }: Pick<Call, "env">): Response {
  if (!env.OPERATOR || !env.ASSETS) return new Response(null, { status: 404 });
  return new Response(null, { status: 302, headers: { location: INSPECT, "cache-control": "no-store" } });
}
