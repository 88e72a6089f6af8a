//! Runs in the frame around a creative, in an origin of its own. Takes the markup from the page as a message, and shows
//! it in a frame that may do nothing: no script, no form, no navigation. That frame inherits this document's policy.

import { tamed } from "./tame.ts";

addEventListener("message", ({ source, data }: MessageEvent<unknown>) => {
  if (source !== parent || typeof data !== "string") return;
  const { markup, ...leftOut } = tamed(data, location.pathname.endsWith("/outside"));
  const creative = document.createElement("iframe");
  creative.setAttribute("sandbox", "");
  creative.title = "creative";
  creative.srcdoc = markup;
  document.body.replaceChildren(creative);
  parent.postMessage(leftOut, "*");
});
parent.postMessage("ready", "*");
