//! Creatives, and whether an impression accepts them.

import { hasRoom, sizesOf, takesType } from "./banner.ts";
import type { BannerEntry, CreativeEntry } from "./document.ts";
import type { BannerOffer, Imp, LinearOffer } from "./imp.ts";
import { compileLinear, type Linear, playable, plays, vastFor } from "./linear.ts";
import { answersAssets, type Native, nativeMarkup } from "./native.ts";
import { hasPlainHttp } from "./plain-http.ts";
import type { Spot } from "./target.ts";

/** Key prefix of banners with a fixed size; the size follows. Impressions without a size accept all of them. */
export const SIZED = "b ";
export const UNSIZED_KEY = "b";
const RATIO_KEY = "ratio";

/** AdCOM "Insertion on the server": no code of the ad runs on the device. */
const ALL_SERVER_SIDE = 3;
/** Language code of a creative without words. */
const WORDLESS = "xx";

/** The attributes of the markup in the response. */
interface Markup {
  adm: string;
  mtype: number;
  w?: number;
  h?: number;
  wratio?: number;
  hratio?: number;
  dur?: number;
  protocol?: number;
}

/** The keys of the creatives that an impression may accept. */
export function keysOf({ banner, video, audio, native }: Imp): Set<string> {
  const keys = new Set<string>();
  if (banner) {
    if (!banner.isSized) keys.add(UNSIZED_KEY);
    else for (const { w, h } of sizesOf(banner)) keys.add(w > 0 && h > 0 ? `${SIZED}${w}x${h}` : UNSIZED_KEY);
    if (banner.format.some(({ wratio, hratio }) => wratio > 0 && hratio > 0)) keys.add(RATIO_KEY);
  }
  if (video) keys.add("video");
  if (audio) keys.add("audio");
  if (native) keys.add("native");
  return keys;
}

export class Creative {
  readonly crid: string;
  readonly attr: number[];
  readonly api: number[];
  /** In lower case. */
  readonly language: string;
  readonly clientside: boolean;
  readonly isSecure: boolean;
  /** The kind of ad; see {@link keysOf}. */
  readonly key: string;
  readonly banner: BannerEntry | undefined;
  readonly video: Linear | undefined;
  readonly audio: Linear | undefined;
  readonly native: Native | undefined;
  /** The attributes that all bids with this creative share. */
  readonly wire: object;

  readonly #entry: CreativeEntry;

  constructor(entry: CreativeEntry, isInsecurelyNoticed = false) {
    this.#entry = entry;
    const { crid, adid, attr = [], api = [], iurl, banner, video, audio, native } = entry;
    this.crid = crid;
    this.attr = attr;
    this.api = api;
    this.language = (entry.language ?? "").toLowerCase();
    this.clientside = entry.clientside ?? false;
    this.banner = banner;
    this.video = video && compileLinear(entry, video);
    this.audio = audio && compileLinear(entry, audio);
    this.native = native && { ...native, linear: native.video && compileLinear(entry, native.video) };
    this.key = keyOf(entry);
    const texts = [iurl ?? "", ...this.#texts()];
    this.isSecure = !isInsecurelyNoticed && !texts.some(hasPlainHttp);
    this.wire = {
      adid,
      iurl,
      crid,
      attr: attr.length > 0 ? attr : undefined,
      apis: api.length > 0 ? api : undefined,
      language: this.language || undefined,
    };
  }

  /** The creative as a campaign uses it. A notice URL of the campaign that is not HTTPS makes it insecure. */
  servedBy(isInsecure: boolean): Creative {
    return isInsecure && this.isSecure ? new Creative(this.#entry, true) : this;
  }

  /** Duration in seconds; undefined for an ad without one. */
  get dur(): number | undefined {
    return (this.video ?? this.audio)?.dur;
  }

  /** The player that the ad uses in an impression; undefined for an ad without a player. */
  playerOf({ video, audio }: Imp): LinearOffer | undefined {
    if (this.video) return video;
    return this.audio && audio;
  }

  /** The position attributes of the object that the ad fills; empty for native. */
  spotIn({ banner, video, audio }: Imp): Spot {
    if (this.banner) return banner ?? {};
    return (this.video ? video : this.audio && audio) ?? {};
  }

  /** Identities of the media files that the player can play. A ready VAST document counts as one file. */
  filesIn(imp: Imp): string[] {
    const [ad, player] = [this.video ?? this.audio, this.playerOf(imp)];
    return ad && player ? playable(player, ad).map(({ identity }) => identity) : [];
  }

  /** Whether the creative may be shown in the impression. */
  fits(imp: Imp, languages: ReadonlySet<string> | null): boolean {
    const offer = this.#offer(imp);
    return (
      offer !== undefined &&
      this.api.every((needed) => offer.api.includes(needed)) &&
      !this.attr.some((attr) => offer.battr.includes(attr)) &&
      (this.isSecure || !imp.secure) &&
      !(this.clientside && imp.ssai === ALL_SERVER_SIDE) &&
      (languages === null || this.language === WORDLESS || languages.has(this.language))
    );
  }

  /** The markup for an impression in which the creative may be shown. */
  markup({ banner, video, audio, native }: Imp): Markup {
    if (this.banner) {
      const { adm, w, h, wratio, hratio } = this.banner;
      const isRatio = wratio !== undefined && hratio !== undefined;
      if (isRatio) return { adm, mtype: 1, wratio, hratio };
      return banner?.isSized && w !== undefined && h !== undefined ? { adm, mtype: 1, w, h } : { adm, mtype: 1 };
    }
    if (this.native) return { adm: native ? nativeMarkup(native, this.native) : "", mtype: 4 };
    const [ad, offer, mtype] = this.video ? [this.video, video, 2] : [this.audio, audio, 3];
    if (!ad || !offer) throw new Error("a creative without an ad");
    const { dur, protocol, w, h } = ad;
    return { adm: vastFor(offer, ad), mtype, ...(w > 0 && h > 0 && { w, h }), dur, protocol };
  }

  /** The object of the impression that accepts the ad; undefined if no object does. */
  #offer({ banner, video, audio, native }: Imp): { battr: number[]; api: number[] } | undefined {
    if (this.banner) return banner && fitsBanner(banner, this.banner) ? banner : undefined;
    if (this.video) return video && plays(video, this.video, this.attr) ? video : undefined;
    if (this.audio) return audio && plays(audio, this.audio, this.attr) ? audio : undefined;
    return native && this.native && answersAssets(native, this.native) ? native : undefined;
  }

  /** All text of the ad that a browser or player will load. */
  #texts(): string[] {
    const { banner, native } = this;
    const linear = this.video ?? this.audio ?? native?.linear;
    return [
      ...(banner ? [banner.adm] : []),
      ...(linear
        ? [linear.head, linear.tail, ...[...linear.files, ...linear.companions].map(({ element }) => element)]
        : []),
      ...(native ? [native.link, ...(native.img ?? []).map(({ url }) => url), ...(native.imptrackers ?? [])] : []),
      native?.jstracker ?? "",
      native?.privacy ?? "",
    ];
  }
}

function keyOf({ banner, video, audio }: CreativeEntry): string {
  if (banner) return banner.wratio === undefined ? `${SIZED}${banner.w}x${banner.h}` : RATIO_KEY;
  if (video) return "video";
  return audio ? "audio" : "native";
}

function fitsBanner(offer: BannerOffer, ad: BannerEntry): boolean {
  const { btype = 0, mime = "text/html", expdir = [] } = ad;
  return (
    hasRoom(offer, ad) &&
    !offer.btype.includes(btype) &&
    takesType(offer, mime) &&
    expdir.every((direction) => offer.expdir.includes(direction))
  );
}
