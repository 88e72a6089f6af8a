//! Shows a native ad as a card with all its assets. A publisher may show it in another way.

import { type Child, h } from "../../../dom.ts";
import { facts, opening } from "../../../parts/blocks.ts";
import { plain } from "../../../parts/text.ts";
import { creative } from "./creative.ts";
import { playerOf } from "./player.ts";

interface Image {
  url?: string;
  w?: number;
  h?: number;
  type?: number;
}

export interface NativeAd {
  assets?: {
    title?: { text?: string };
    img?: Image;
    data?: { value?: string };
    video?: { vasttag?: string };
  }[];
  link?: { url?: string; clicktrackers?: string[] };
  imptrackers?: string[];
  eventtrackers?: { event?: number; method?: number; url?: string }[];
  privacy?: string;
  jstracker?: string;
}

/** An image wider than this, in pixels, is the main picture; others are icons. */
const ICON = 200;
const CARD = { width: 360, height: 420 };

/** The ad of the markup; null if it is not JSON of a native ad. */
export function nativeOf(adm: string): Child | null {
  try {
    const parsed = JSON.parse(adm);
    const ad = parsed?.native ?? parsed;
    return Array.isArray(ad?.assets) ? nativeCard(ad) : null;
  } catch {
    return null;
  }
}

/** The card, the assets and the trackers. */
export function nativeCard({ assets = [], link, imptrackers, eventtrackers, privacy, jstracker }: NativeAd): Child {
  const images = assets.flatMap((asset) => asset?.img ?? []);
  const main = images.find(({ w, type }) => type === 3 || (type === undefined && (w ?? 0) > ICON));
  const icon = images.find((image) => image !== main);
  const texts = assets.flatMap((asset) => asset?.data?.value ?? []).map(plain);
  const title = plain(assets.find((asset) => asset?.title)?.title?.text);
  const address = (name: string, url: unknown): [string, Child] => [name, plain(url) && h("code", plain(url))];
  const addresses = [
    address("Click leads to", link?.url),
    address("Privacy page", privacy),
    ...(imptrackers ?? []).map((url) => address("Tracker: impression", url)),
    ...(eventtrackers ?? []).map((one) => address(`Tracker: event ${one.event}, method ${one.method}`, one.url)),
    ...(link?.clicktrackers ?? []).map((url) => address("Tracker: click", url)),
    address("Tracker: script", jstracker),
  ];
  return [
    h(
      "article.native",
      main && picture(main),
      h("header.row", icon && picture(icon), h("strong", title || "(no title)")),
      texts.map((value) => h("p", value)),
    ),
    images.length > 0 && opening("", "With its real pictures", () => withImages(images, [title, ...texts])),
    assets.map((asset) => asset?.video?.vasttag && playerOf(plain(asset.video.vasttag), false)),
    facts(addresses),
  ];
}

/** A box in the shape of the picture, with its size and address. */
function picture({ url, w, h: height }: Image): HTMLElement {
  const box = h("div.picture", { title: plain(url) }, `${w ?? "?"}×${height ?? "?"}`);
  if (w && height) box.style.aspectRatio = `${w} / ${height}`;
  return box;
}

/** The same ad with its real pictures, in a creative's frame. */
function withImages(images: Image[], texts: string[]): Child {
  // The markup is made of text nodes and attributes of a document that is never shown, so texts cannot become markup.
  const page = document.implementation.createHTMLDocument("");
  for (const { url, w } of images) {
    const image = page.createElement("img");
    image.src = plain(url);
    image.width = Math.min(w ?? CARD.width, CARD.width - 20);
    image.alt = "";
    page.body.append(image);
  }
  for (const value of texts) {
    const line = page.createElement("p");
    line.textContent = value;
    page.body.append(line);
  }
  return creative(page.documentElement.outerHTML, CARD.width, CARD.height, "The native ad with its pictures");
}
