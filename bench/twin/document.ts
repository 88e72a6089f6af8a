//! The catalog document, as far as the twin reads it. `crates/compiler-wasm/src/compile/document.rs` documents each
//! attribute. The document is trusted, because a push validates it.

export interface Document {
  prebid_code?: string;
  rates?: { cur: string; usd: string }[];
  ssps: { id: string; latency_ms?: number }[];
  privacy?: PrivacyEntry;
  creatives?: CreativeEntry[];
  campaigns?: CampaignEntry[];
}

export interface PrivacyEntry {
  vendor_id?: number;
  contextual?: PurposeEntry[];
  personal?: PurposeEntry[];
  bid_unregistered?: boolean;
  bid_without_string?: boolean;
  assume_gdpr?: boolean;
}

export interface PurposeEntry {
  purpose: number;
  basis?: string;
}

export interface CampaignEntry {
  cid: string;
  seat: string;
  adomain: string[];
  bundle?: string;
  cat?: string[];
  cattax?: number;
  max_cpm: string | number;
  cur?: string;
  ssps?: string[];
  deals?: string[];
  open?: boolean;
  target?: TargetEntry;
  creatives: string[];
  nurl?: string;
  burl?: string;
  lurl?: string;
  shading?: { typical: string | number; steepness: number };
  exp?: number;
  dsa?: DsaEntry;
}

export interface DsaEntry {
  behalf: string;
  paid: string;
  adrender?: number;
  transparency?: { domain: string; dsaparams: number[] }[];
}

export interface Lists<T> {
  include?: T[];
  exclude?: T[];
}

export interface Circle {
  lat: string;
  lon: string;
  metres: number;
}

export interface Segment {
  provider: string;
  id: string;
}

export interface TargetEntry {
  channel?: string[];
  country?: Lists<string>;
  region?: Lists<string>;
  metro?: Lists<string>;
  city?: Lists<string>;
  zip?: Lists<string>;
  radius?: Lists<Circle>;
  devicetype?: Lists<number>;
  make?: Lists<string>;
  model?: Lists<string>;
  os?: Lists<string>;
  osv?: { min?: string; max?: string };
  browser?: Lists<string>;
  language?: Lists<string>;
  connectiontype?: Lists<number>;
  carrier?: Lists<string>;
  domain?: Lists<string>;
  bundle?: Lists<string>;
  publisher?: Lists<string>;
  id?: Lists<string>;
  tagid?: Lists<string>;
  gpid?: Lists<string>;
  cat?: Lists<string>;
  cattax?: number;
  genre?: Lists<string>;
  contentrating?: Lists<string>;
  livestream?: boolean;
  content_language?: Lists<string>;
  network?: Lists<string>;
  content_channel?: Lists<string>;
  keywords?: Lists<string>;
  pos?: Lists<number>;
  metric?: { type: string; vendor?: string; min: string }[];
  instl?: boolean;
  rwdd?: boolean;
  plcmt?: Lists<number>;
  startdelay?: Lists<number>;
  playbackmethod?: Lists<number>;
  podseq?: Lists<number>;
  slotinpod?: Lists<number>;
  topframe?: boolean;
  segment?: Lists<Segment>;
  eids?: Lists<string>;
  mm?: Lists<number>;
  buyeruid?: boolean;
  yob?: { min?: number; max?: number };
  hours?: { days?: number[]; from: number; to: number }[];
  zone?: string;
  schain?: { complete?: boolean; max_nodes?: number; asi?: Lists<string> };
}

export interface CreativeEntry {
  crid: string;
  adid?: string;
  attr?: number[];
  api?: number[];
  language?: string;
  clientside?: boolean;
  iurl?: string;
  banner?: BannerEntry;
  video?: LinearEntry;
  audio?: LinearEntry;
  native?: NativeEntry;
}

export interface BannerEntry {
  w?: number;
  h?: number;
  wratio?: number;
  hratio?: number;
  wmin?: number;
  expdir?: number[];
  btype?: number;
  mime?: string;
  adm: string;
}

export interface LinearEntry {
  dur: number;
  protocol: number;
  w?: number;
  h?: number;
  linearity?: number;
  media?: MediaEntry[];
  clickthrough?: string;
  impression?: string[];
  companions?: CompanionEntry[];
  companion_required?: boolean;
  adm?: string;
  mimes?: string[];
}

export interface MediaEntry {
  url: string;
  mime: string;
  bitrate?: number;
  delivery?: number;
  w?: number;
  h?: number;
}

export interface CompanionEntry {
  w: number;
  h: number;
  static?: string;
  html?: string;
  iframe?: string;
  btype?: number;
  attr?: number[];
  api?: number[];
  mime?: string;
  clickthrough?: string;
}

export interface NativeEntry {
  title: string;
  img?: { type: number; url: string; w: number; h: number }[];
  data?: { type: number; value: string }[];
  link: string;
  imptrackers?: string[];
  jstracker?: string;
  privacy?: string;
  video?: LinearEntry;
}

/** A time zone: instants in ms since the epoch, each followed by the offset from UTC in minutes from then on. */
export interface Zone {
  name: string;
  changes: number[];
}
