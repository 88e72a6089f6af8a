//! What learned shading knows about each place, as the pacer returns it and as people read it.

/** What learned shading knows: see `crates/pacer-wasm`. */
export interface Learned {
  /** Whether it stays as it is. */
  frozen: boolean;
  /** The busiest places first. */
  places: Place[];
}

/** A place at an SSP. Money is micros of a dollar per thousand impressions. */
export interface Place {
  ssp: string;
  /** 8 hex digits: `crates/shading/src/place.rs`. */
  place: string;
  /** Notices that are held; old ones count less. */
  notices: number;
  /** The bids for ten values; absent before there are enough notices. */
  bids?: { value: number; bid: number }[];
}

const KINDS = ["all media", "banner", "video", "audio", "native"];

/** The types of devices, as the AdCOM list "Device Types" numbers them. */
const DEVICES = ["mobile", "PC", "TV", "phone", "tablet", "connected device", "set-top box", "OOH device"];

/** A place in words. Its placement is only a number, because a hash of `tagid` names it. */
export function placeText(place: string): string {
  const spot = Number.parseInt(place, 16);
  const [kind, device, placement] = [spot & 7, (spot >> 3) & 15, spot >> 7];
  const parts = [
    placement > 0 && `placement ${placement.toString(16)}`,
    KINDS[kind] ?? `media ${kind}`,
    device > 0 && (DEVICES[device - 1] ?? `device ${device}`),
  ];
  return parts.filter(Boolean).join(", ");
}
