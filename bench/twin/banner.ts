//! Whether a banner slot accepts a banner.

import type { BannerOffer, Size } from "./imp.ts";

/** A size, or a ratio with the minimum width at which it looks right. */
interface Shape {
  w?: number;
  h?: number;
  wratio?: number;
  hratio?: number;
  wmin?: number;
}

/** Whether the slot accepts content of this type. */
export function takesType({ mimes }: BannerOffer, mime: string): boolean {
  return mimes.length === 0 || mimes.some((accepted) => accepted.toLowerCase() === mime.toLowerCase());
}

/**
 * The offered sizes; 0 means that a side is unknown. Beside a list, the banner's own size counts only if it is
 * complete.
 */
export function sizesOf({ format, w, h }: BannerOffer): Size[] {
  const own = format.length === 0 || (w > 0 && h > 0) ? [{ w, h }] : [];
  return [...format, ...own].filter((size) => size.w > 0 || size.h > 0);
}

function isSide(offered: number, own: number | undefined): boolean {
  return offered <= 0 || offered === own;
}

/** Whether the slot offers this shape. */
export function hasRoom(offer: BannerOffer, { w, h, wratio = 0, hratio = 0, wmin = 1 }: Shape): boolean {
  if (wratio > 0) {
    return offer.format.some(
      (format) =>
        format.wratio > 0 &&
        format.hratio > 0 &&
        format.wratio * hratio === format.hratio * wratio &&
        (format.wmin === 0 || format.wmin >= wmin),
    );
  }
  return !offer.isSized || sizesOf(offer).some((size) => isSide(size.w, w) && isSide(size.h, h));
}
