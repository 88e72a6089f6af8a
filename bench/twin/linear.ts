//! Video and audio ads: the VAST document, and whether a player can play it.

import { hasRoom, takesType } from "./banner.ts";
import type { CompanionEntry, CreativeEntry, LinearEntry } from "./document.ts";
import type { Player, Size } from "./imp.ts";

/** An ad, ready to serve. */
export interface Linear {
  dur: number;
  protocol: number;
  w: number;
  h: number;
  linearity: number;
  /** Parts of the VAST document: before the files, between files and companions, and after the companions. */
  head: string;
  tail: string;
  end: string;
  files: MediaFile[];
  companions: Companion[];
  /** The parts before and after the companions. They are left out if there are no companions. */
  companionsHead: string;
  companionsTail: string;
  companionRequired: boolean;
}

/** A banner beside the ad. */
interface Companion {
  w: number;
  h: number;
  /** AdCOM companion type: 1 = static, 2 = HTML, 3 = iframe. */
  type: number;
  /** 0 if unknown. */
  btype: number;
  attr: number[];
  api: number[];
  mime: string;
  element: string;
}

/** AdCOM banner type "iframe". */
const IFRAME = 4;

interface MediaFile {
  /** In lower case. */
  mime: string;
  /** 0 if unknown. */
  bitrate: number;
  /** 0 if unknown. */
  delivery: number;
  /** 0 if unknown. */
  w: number;
  /** 0 if unknown. */
  h: number;
  /** Identifies the file. */
  identity: string;
  element: string;
}

/** AdCOM creative attribute "has its own skip button". */
const OWN_SKIP_BUTTON = 16;

const VERSIONS: Record<number, string> = { 2: "2.0", 3: "3.0", 7: "4.0", 11: "4.1", 13: "4.2", 15: "4.3" };

export function compileLinear({ crid }: CreativeEntry, ad: LinearEntry): Linear {
  const { dur, protocol, w = 0, h = 0, linearity = 1, companion_required: companionRequired = false } = ad;
  return {
    dur,
    protocol,
    w,
    h,
    linearity,
    companionRequired,
    ...(ad.adm === undefined ? rendered(crid, ad) : ready(ad, ad.adm)),
  };
}

function ready(ad: LinearEntry, adm: string) {
  const files = (ad.mimes ?? []).map((mime) => ({
    mime: mime.toLowerCase(),
    bitrate: 0,
    delivery: 0,
    w: 0,
    h: 0,
    identity: adm,
    element: "",
  }));
  return { head: adm, tail: "", end: "", files, companions: [], companionsHead: "", companionsTail: "" };
}

function rendered(crid: string, ad: LinearEntry) {
  const version = VERSIONS[ad.protocol] ?? "";
  const id = escaped(crid);
  const impressions = (ad.impression ?? []).map((url) => element("Impression", url)).join("") || "<Impression/>";
  const is4 = version >= "4.0";
  const title = `<AdTitle>${id}</AdTitle>`;
  const servingId = version > "4.0" ? `<AdServingId>${id}</AdServingId>` : "";
  const creative = `<Creative id="${id}">`;
  const value = version === "4.0" ? ` idValue="unknown"` : "";
  const universalId = is4 ? `<UniversalAdId idRegistry="unknown"${value}>unknown</UniversalAdId>` : "";
  const creativeEnd = `${universalId}</Creative>`;
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  const duration = [ad.dur / 3600, (ad.dur / 60) % 60, ad.dur % 60].map(two).join(":");
  const click = ad.clickthrough;
  const clicks = click ? `<VideoClicks>${element("ClickThrough", click)}</VideoClicks>` : "";
  // VAST 4 has another order of elements than the versions before.
  const about = is4 ? impressions + servingId + title : title + impressions;
  const head =
    `<VAST version="${version}"><Ad id="${id}"><InLine><AdSystem>edgebid</AdSystem>${about}<Creatives>${creative}` +
    `<Linear><Duration>${duration}</Duration>${is4 ? "" : clicks}<MediaFiles>`;
  const tail = `</MediaFiles>${is4 ? clicks : ""}</Linear>${creativeEnd}`;
  const end = "</Creatives></InLine></Ad></VAST>";
  const insist = ad.companion_required && version !== "2.0" ? ` required="any"` : "";
  const companionsHead = `${creative}<CompanionAds${insist}>`;
  const companionsTail = `</CompanionAds>${creativeEnd}`;
  const files = (ad.media ?? []).map(({ url, mime, bitrate, delivery = 2, w = ad.w ?? 0, h = ad.h ?? 0 }) => ({
    mime: mime.toLowerCase(),
    bitrate: bitrate ?? 0,
    delivery,
    w,
    h,
    identity: url,
    element:
      `<MediaFile delivery="${delivery === 1 ? "streaming" : "progressive"}" type="${escaped(mime)}" width="${w}" ` +
      `height="${h}"${bitrate === undefined ? "" : ` bitrate="${bitrate}"`}>${cdata(url)}</MediaFile>`,
  }));
  return { head, tail, end, files, companions: (ad.companions ?? []).map(companion), companionsHead, companionsTail };
}

function companion({
  w,
  h,
  static: image,
  html,
  iframe = "",
  btype,
  attr = [],
  api = [],
  mime = "image/png",
  clickthrough,
}: CompanionEntry): Companion {
  const [type, resource] =
    image !== undefined
      ? [1, `<StaticResource creativeType="${escaped(mime)}">${cdata(image)}</StaticResource>`]
      : html !== undefined
        ? [2, element("HTMLResource", html)]
        : [3, element("IFrameResource", iframe)];
  const click = clickthrough === undefined ? "" : element("CompanionClickThrough", clickthrough);
  const markup = `<Companion width="${w}" height="${h}">${resource}${click}</Companion>`;
  return {
    w,
    h,
    type: type as number,
    btype: btype ?? (type === 3 ? IFRAME : 0),
    attr,
    api,
    mime: type === 1 ? mime : "text/html",
    element: markup,
  };
}

/** Whether the player may play an ad whose creative has these attributes. */
export function plays(player: Player, ad: Linear, attr: readonly number[]): boolean {
  return (
    ad.files.some((file) => isPlayable(player, file)) &&
    (player.protocols.length === 0 || player.protocols.includes(ad.protocol)) &&
    (player.linearity === 0 || player.linearity === ad.linearity) &&
    isLongEnough(player, ad.dur) &&
    !(player.skip && attr.includes(OWN_SKIP_BUTTON)) &&
    (player.boxingallowed || fills(player, ad)) &&
    (!ad.companionRequired || ad.companions.some((companion) => isShown(player, companion)))
  );
}

/** The document with the files and companions that the player accepts. */
export function vastFor(player: Player, ad: Linear): string {
  const elements = (list: { element: string }[]) => list.map(({ element }) => element).join("");
  const shown = ad.companions.filter((companion) => isShown(player, companion));
  const beside = shown.length > 0 ? ad.companionsHead + elements(shown) + ad.companionsTail : "";
  return ad.head + elements(playable(player, ad)) + ad.tail + beside + ad.end;
}

/** The files that the player accepts. */
export function playable(player: Player, { files }: Linear): MediaFile[] {
  return files.filter((file) => isPlayable(player, file));
}

/** Whether a companion slot accepts the companion. */
function isShown({ companionad, companiontype }: Player, companion: Companion): boolean {
  return (
    (companiontype.length === 0 || companiontype.includes(companion.type)) &&
    companionad.some(
      (slot) =>
        hasRoom(slot, companion) &&
        takesType(slot, companion.mime) &&
        !slot.btype.includes(companion.btype) &&
        !companion.attr.some((attr) => slot.battr.includes(attr)) &&
        companion.api.every((needed) => slot.api.includes(needed)),
    )
  );
}

function isPlayable(player: Player, { mime, bitrate, delivery, w, h }: MediaFile): boolean {
  return (
    (player.boxingallowed || fills(player, { w, h })) &&
    (player.mimes.length === 0 || player.mimes.some((accepted) => accepted.toLowerCase() === mime)) &&
    (bitrate === 0 || (player.minbitrate <= bitrate && (player.maxbitrate <= 0 || bitrate <= player.maxbitrate))) &&
    (player.delivery.length === 0 || delivery === 0 || player.delivery.includes(delivery))
  );
}

function isLongEnough(player: Player, dur: number): boolean {
  if (player.poddur > 0 && dur > player.poddur) return false;
  if (player.rqddurs.length > 0) return player.rqddurs.includes(dur);
  const { minduration, maxduration, maxextended } = player;
  return minduration <= dur && (maxduration <= 0 || maxextended < 0 || dur <= maxduration + maxextended);
}

/** Whether an ad or a file has the player's proportions; unknown sizes pass. */
function fills(player: Player, ad: Size): boolean {
  const areKnown = [player.w, player.h, ad.w, ad.h].every((side) => side > 0);
  return !areKnown || player.w * ad.h === player.h * ad.w;
}

function element(name: string, text: string): string {
  return `<${name}>${cdata(text)}</${name}>`;
}

function cdata(text: string): string {
  return `<![CDATA[${text.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
