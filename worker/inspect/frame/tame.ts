//! Changes the markup of a creative so that a person can see it without the network: boxes of the same size replace its
//! pictures. This only concerns the look. The frame of the creative and its policy limit what it may do.

/** Elements that only work with the network or a script. */
const LEFT_OUT = "script, link, base, meta, object, embed, applet";
const LOADING = ["src", "srcset", "poster", "background", "data"];

/**
 * The creative with boxes in place of its pictures or, with `images`, with the pictures themselves, always without
 * scripts. Also the addresses of the scripts and frames that were removed.
 */
export function tamed(markup: string, images: boolean) {
  // A parsed document that is not shown runs nothing and loads nothing.
  const page = new DOMParser().parseFromString(markup, "text/html");
  const addresses = (tags: string, without: string) =>
    [...page.querySelectorAll(tags)].map((one) => one.getAttribute("src") ?? without);
  const scripts = addresses("script", "a script in the markup");
  const frames = addresses("iframe, frame", "a frame in the markup");
  for (const one of page.querySelectorAll(LEFT_OUT)) one.remove();
  for (const one of page.querySelectorAll("iframe, frame")) one.replaceWith(box(page, one, "a frame"));
  for (const one of page.querySelectorAll("*")) {
    for (const { name } of [...one.attributes]) if (name.startsWith("on")) one.removeAttribute(name);
    if (images) continue;
    const isPicture = one.tagName === "IMG" && !one.getAttribute("src")?.startsWith("data:");
    if (isPicture) one.replaceWith(box(page, one, one.getAttribute("alt") ?? ""));
    else for (const name of LOADING) if (!one.getAttribute(name)?.startsWith("data:")) one.removeAttribute(name);
  }
  // Publishers' frames have no margin.
  if (page.body.style.margin === "") page.body.style.margin = "0";
  return { markup: page.documentElement.outerHTML, scripts, frames };
}

/** A grey box of the element's size with a text. A pixel stays as small as it is. */
function box(page: Document, element: Element, text: string): HTMLElement {
  const [width, height] = ["width", "height"].map((name) => Number(element.getAttribute(name)) || 0);
  const box = page.createElement("span");
  const isPixel = width !== undefined && height !== undefined && width <= 2 && height <= 2 && width + height > 0;
  const size = width && height ? `width:${width}px;height:${height}px;` : "padding:8px;";
  box.setAttribute(
    "style",
    `display:inline-flex;align-items:center;justify-content:center;box-sizing:border-box;${size}` +
      `overflow:hidden;vertical-align:top;background:#dfe4ec;color:#3c4654;font:14px/1.3 sans-serif;text-align:center;${isPixel ? "" : "border:1px dashed #6b7686;"}`,
  );
  box.textContent = isPixel ? "" : [text, width && height ? `${width}×${height}` : ""].filter(Boolean).join(" ");
  return box;
}
