//! Whether a banner slot takes what is to be shown in it.

import type { BannerOffer } from "./imp.ts";

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
  const isSize = (size: { w: number; h: number }) => size.w === w && size.h === h;
  return !offer.isSized || offer.format.some(isSize) || isSize(offer);
}
