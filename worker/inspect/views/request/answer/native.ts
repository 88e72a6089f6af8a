//! Shows a native ad as a card. How a publisher shows it is the publisher's choice; the card has all its assets.

import { h } from "../../../dom.ts";
import { code, facts, opening, text } from "../../../parts/blocks.ts";
import { plain } from "../../../parts/text.ts";
import { creative } from "./creative.ts";
import { player } from "./player.ts";
import { vastOf } from "./vast.ts";

interface Asset {
  id?: number;
  title?: { text?: string };
  img?: { url?: string; w?: number; h?: number; type?: number };
  data?: { value?: string; type?: number; label?: string };
  video?: { vasttag?: string };
}

interface NativeAd {
  assets?: Asset[];
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
export function nativeOf(adm: string): NativeAd | null {
  try {
    const parsed = JSON.parse(adm);
    const ad = parsed?.native ?? parsed;
    return typeof ad === "object" && Array.isArray(ad?.assets) ? ad : null;
  } catch {
    return null;
  }
}

/** The card, the assets and the trackers. */
export function nativeCard(ad: NativeAd): HTMLElement {
  const assets = (ad.assets ?? []).filter((asset) => typeof asset === "object" && asset !== null);
  const images = assets.flatMap(({ img }) => (img ? [img] : []));
  const isMain = ({ w, type }: { w?: number; type?: number }) => type === 3 || (type === undefined && (w ?? 0) > ICON);
  const main = images.find(isMain);
  const icon = images.find((image) => image !== main);
  const texts = assets.flatMap(({ data }) => (data?.value === undefined ? [] : [plain(data.value)]));
  const title = plain(assets.find(({ title }) => title)?.title?.text);
  const card = h(
    "article",
    { class: "native" },
    main ? picture(main) : null,
    h("header", {}, icon ? picture(icon) : null, h("strong", {}, title || "(no title)")),
    ...texts.map((value) => h("p", {}, value)),
  );
  const vast = assets.flatMap(({ video }) => (video?.vasttag ? [vastOf(plain(video.vasttag))] : []));
  const trackers = [
    ...(ad.imptrackers ?? []).map((url) => ["impression", url]),
    ...(ad.eventtrackers ?? []).map(({ event, method, url }) => [`event ${event}, method ${method}`, url]),
    ...(ad.link?.clicktrackers ?? []).map((url) => ["click", url]),
    ...(ad.jstracker ? [["script", ad.jstracker]] : []),
  ].map(([event, url]) => [`Tracker: ${event}`, plain(url)]);
  return h(
    "div",
    {},
    card,
    images.length > 0 && withImages(images, title, texts),
    ...vast.map((one) => (one ? player(one, false) : text("error", "The video asset is no VAST document."))),
    facts(
      [["Click leads to", plain(ad.link?.url)], ["Privacy page", plain(ad.privacy)], ...trackers]
        .filter(([, url]) => url)
        .map(([name = "", url = ""]) => [name, code(url)]),
    ),
  );
}

/** A place of the picture's shape, with its size and address. */
function picture({ url, w, h: height }: NonNullable<Asset["img"]>): HTMLElement {
  const box = h("div", { class: "picture", title: plain(url) }, `${w ?? "?"}×${height ?? "?"}`);
  if (w && height) box.style.aspectRatio = `${w} / ${height}`;
  return box;
}

/** The same ad with its real pictures, in a creative's frame; closed at first. */
function withImages(images: NonNullable<Asset["img"]>[], title: string, texts: string[]): HTMLElement {
  // The markup is made of text nodes and attributes of a document that is never shown, so texts cannot become markup.
  const page = document.implementation.createHTMLDocument("");
  for (const { url, w } of images) {
    const image = page.createElement("img");
    image.setAttribute("src", plain(url));
    image.setAttribute("width", `${Math.min(w ?? CARD.width, CARD.width - 20)}`);
    image.setAttribute("alt", "");
    page.body.append(image);
  }
  for (const value of [title, ...texts]) {
    const line = page.createElement("p");
    line.textContent = value;
    page.body.append(line);
  }
  return opening("", ["With its real pictures"], () => [
    creative(page.documentElement.outerHTML, CARD.width, CARD.height, "The native ad with its pictures"),
  ]);
}
