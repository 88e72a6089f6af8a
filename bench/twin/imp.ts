//! The impressions of a request and the kinds of ads that each accepts.

import {
  flag,
  integer,
  integerOrZero,
  integers,
  isText,
  type Json,
  knownFlag,
  type Members,
  object,
  objects,
  signal,
  text,
  texts,
} from "./json.ts";
import { currency, floorOf, microsUp } from "./money.ts";
import { type NativeOffer, nativeOffer } from "./native.ts";

export interface Imp {
  id: string;
  banner: BannerOffer | undefined;
  video: LinearOffer | undefined;
  audio: LinearOffer | undefined;
  native: NativeOffer | undefined;
  privateAuction: boolean;
  deals: Deal[];
  instl: boolean;
  rwdd: boolean;
  tagid: string;
  gpid: string;
  bidfloor: number;
  bidfloorcur: string;
  secure: boolean;
  /** `qty.multiplier`; 0 if absent. */
  multiplier: number;
  ssai: number;
  exp: number;
  /** When the ad will be shown, in ms since the epoch; 0 if unknown. */
  dt: number;
  metrics: Metric[];
}

export interface Metric {
  type: string;
  value: number;
  vendor: string;
}

export interface Size {
  w: number;
  h: number;
}

export interface Format extends Size {
  wratio: number;
  hratio: number;
  wmin: number;
}

export interface BannerOffer extends Size {
  format: Format[];
  btype: number[];
  battr: number[];
  mimes: string[];
  api: number[];
  pos: number | undefined;
  expdir: number[];
  /** Undefined when unknown. */
  topframe: boolean | undefined;
  /** Whether the banner object has any size. If it has none, every fixed size fits. */
  isSized: boolean;
}

export interface DurationFloor {
  mindur: number;
  maxdur: number;
  bidfloor: number;
}

/** Floors that depend on the duration of the ad. */
export interface TimedFloors {
  mincpmpersec: number;
  durfloors: DurationFloor[];
}

/** The attributes of a player that matter to an ad. */
export interface Player extends Size {
  mimes: string[];
  minduration: number;
  maxduration: number;
  rqddurs: number[];
  protocols: number[];
  linearity: number;
  skip: boolean;
  maxextended: number;
  minbitrate: number;
  maxbitrate: number;
  delivery: number[];
  boxingallowed: boolean;
  poddur: number;
  maxseq: number;
  /** Slots for banners beside the ad, and the companion types that they accept. */
  companionad: BannerOffer[];
  companiontype: number[];
}

export interface LinearOffer extends Player, TimedFloors {
  battr: number[];
  api: number[];
  startdelay: number | undefined;
  /** Undefined for audio. */
  plcmt: number | undefined;
  /** Undefined for audio. */
  pos: number | undefined;
  playbackmethod: number[];
  podid: string;
  podseq: number;
  slotinpod: number;
  poddedupe: number[];
}

export interface Deal extends TimedFloors {
  id: string;
  bidfloor: number;
  bidfloorcur: string;
  at: number;
  wseat: string[];
  wadomain: string[];
  guar: boolean;
}

const MAX_IMPS = 64;

/** AdCOM "Slot Position in Pod". */
const [LAST, FIRST, FIRST_OR_LAST] = [-1, 1, 2];

/** The slots in the pod that the exchange may give to the bid. */
export function slotsOf(offer: Pick<LinearOffer, "slotinpod">): number[] {
  return offer.slotinpod === FIRST_OR_LAST ? [FIRST_OR_LAST, FIRST, LAST] : [offer.slotinpod];
}

/** The slot that a bid on a dynamic pod asks for: the first wanted one that the exchange guarantees. */
export function slotFor(offer: LinearOffer | undefined, wanted: readonly number[]): number | undefined {
  if (!offer || offer.poddur <= 0) return undefined;
  return wanted.find((slot) => (slot === FIRST || slot === LAST) && slotsOf(offer).includes(slot));
}

/** The impressions with an id. Undefined without any object, or if a single object in place of the list has no id. */
export function impsOf(value: Json | undefined): Imp[] | undefined {
  const listed = objects(value);
  const named = listed.filter(({ id }) => isText(id));
  if (listed.length === 0 || (named.length === 0 && !Array.isArray(value))) return undefined;
  return named.slice(0, MAX_IMPS).map(imp);
}

function imp(members: Members): Imp {
  const [pmp, ext] = [object(members["pmp"]), object(members["ext"]) ?? {}];
  const dt = Math.trunc(Number(text(members["dt"])));
  return {
    id: text(members["id"]),
    banner: read(members["banner"], banner),
    video: read(members["video"], (video) => linear(video, true)),
    audio: read(members["audio"], (audio) => linear(audio, false)),
    native: nativeOffer(object(members["native"])),
    privateAuction: signal(pmp?.["private_auction"]) ?? false,
    deals: pmp ? deals(pmp["deals"]) : [],
    instl: flag(members["instl"]),
    rwdd: knownFlag(members["rwdd"]) ?? knownFlag(object(ext["prebid"])?.["is_rewarded_inventory"]) ?? false,
    tagid: text(members["tagid"]),
    gpid: text(ext["gpid"]) || text(object(ext["data"])?.["pbadslot"]),
    bidfloor: floorOf(members["bidfloor"]),
    bidfloorcur: currencyOf(members["bidfloorcur"]),
    secure: signal(members["secure"]) ?? false,
    multiplier: Number(text(object(members["qty"])?.["multiplier"]) || 0),
    ssai: integerOrZero(members["ssai"]),
    exp: integerOrZero(members["exp"]),
    dt: Number.isSafeInteger(dt) ? dt : 0,
    metrics: objects(members["metric"]).flatMap(metric),
  };
}

function read<T>(value: Json | undefined, as: (members: Members) => T): T | undefined {
  const members = object(value);
  return members && as(members);
}

/** The currency code; dollars if absent, empty for an invalid code. */
function currencyOf(value: Json | undefined): string {
  return value === undefined || value === null || value === "" ? "USD" : currency(text(value));
}

function metric({ type, value, vendor }: Members): Metric[] {
  const measured = microsUp(value);
  return isText(type) && measured !== undefined ? [{ type: text(type), value: measured, vendor: text(vendor) }] : [];
}

function banner(members: Members): BannerOffer {
  const format = objects(members["format"]).map((entry) => ({
    ...size(entry),
    wratio: integerOrZero(entry["wratio"]),
    hratio: integerOrZero(entry["hratio"]),
    wmin: integerOrZero(entry["wmin"]),
  }));
  const { w, h } = size(members);
  return {
    w,
    h,
    format,
    isSized: format.length > 0 || w > 0 || h > 0,
    btype: integers(members["btype"]),
    battr: integers(members["battr"]),
    mimes: texts(members["mimes"]),
    api: integers(members["api"]),
    pos: integer(members["pos"]),
    expdir: integers(members["expdir"]),
    topframe: knownFlag(members["topframe"]),
  };
}

function size(members: Members): Size {
  return { w: integerOrZero(members["w"]), h: integerOrZero(members["h"]) };
}

/** Audio lacks some attributes of video: its position and placement are unknown. */
function linear(members: Members, isVideo: boolean): LinearOffer {
  const video: Members = isVideo ? members : {};
  return {
    ...size(video),
    ...timedFloors(members),
    mimes: texts(members["mimes"]),
    minduration: integerOrZero(members["minduration"]),
    maxduration: integerOrZero(members["maxduration"]),
    rqddurs: integers(members["rqddurs"]),
    protocols: protocolsOf(members["protocols"], video["protocol"]),
    linearity: integerOrZero(video["linearity"]),
    skip: knownFlag(video["skip"]) ?? false,
    maxextended: integerOrZero(members["maxextended"]),
    minbitrate: integerOrZero(members["minbitrate"]),
    maxbitrate: integerOrZero(members["maxbitrate"]),
    delivery: integers(members["delivery"]),
    boxingallowed: knownFlag(video["boxingallowed"]) ?? true,
    poddur: integerOrZero(members["poddur"]),
    maxseq: integerOrZero(members["maxseq"]),
    battr: integers(members["battr"]),
    api: integers(members["api"]),
    startdelay: integer(members["startdelay"]),
    plcmt: isVideo ? integer(video["plcmt"]) : undefined,
    pos: isVideo ? integer(video["pos"]) : undefined,
    companionad: objects(members["companionad"]).map(banner),
    companiontype: integers(members["companiontype"]),
    playbackmethod: integers(video["playbackmethod"]),
    podid: text(members["podid"]),
    podseq: integerOrZero(members["podseq"]),
    slotinpod: integerOrZero(members["slotinpod"]),
    poddedupe: integers(video["poddedupe"]),
  };
}

/** The list, or the single `protocol` that OpenRTB 2.6 removed. */
function protocolsOf(listed: Json | undefined, only: Json | undefined): number[] {
  const protocols = integers(listed);
  const protocol = integer(only);
  return protocols.length > 0 || protocol === undefined ? protocols : [protocol];
}

function timedFloors(members: Members): TimedFloors {
  return {
    mincpmpersec: floorOf(members["mincpmpersec"]),
    durfloors: objects(members["durfloors"]).map((entry) => ({
      mindur: integerOrZero(entry["mindur"]),
      maxdur: integerOrZero(entry["maxdur"]),
      bidfloor: floorOf(entry["bidfloor"]),
    })),
  };
}

function deals(value: Json | undefined): Deal[] {
  return objects(value)
    .filter(({ id }) => isText(id))
    .map((members) => ({
      ...timedFloors(members),
      id: text(members["id"]),
      bidfloor: floorOf(members["bidfloor"]),
      bidfloorcur: currencyOf(members["bidfloorcur"]),
      at: integerOrZero(members["at"]),
      wseat: texts(members["wseat"]),
      wadomain: texts(members["wadomain"]),
      guar: flag(members["guar"]),
    }));
}
