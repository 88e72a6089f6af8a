//! Whether a banner slot takes what is to be shown in it.

import type { BannerOffer, Size } from "./imp.ts";

/** A size, or a ratio with the least width at which it looks right. */
interface Shape {
  w?: number;
  h?: number;
  wratio?: number;
  hratio?: number;
  wmin?: number;
}

/** Whether content of this type may be shown. */
export function takesType({ mimes }: BannerOffer, mime: string): boolean {
  return mimes.length === 0 || mimes.some((accepted) => accepted.toLowerCase() === mime.toLowerCase());
}

/** The sizes on offer; 0 is a side that is not told. The banner's own is whole where it stands beside a list. */
export function sizesOf({ format, w, h }: BannerOffer): Size[] {
  const own = format.length === 0 || (w > 0 && h > 0) ? [{ w, h }] : [];
  return [...format, ...own].filter((size) => size.w > 0 || size.h > 0);
}

function isSide(told: number, own: number | undefined): boolean {
  return told <= 0 || told === own;
}

/** Whether the shape is one of those on offer. */
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
