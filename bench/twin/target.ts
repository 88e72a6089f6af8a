//! Targeting: while the catalog loads, each rule of a campaign becomes a function.

import type { Circle, Lists, Segment, TargetEntry, Zone } from "./document.ts";
import { type Facts, type Point, segmentKey } from "./facts.ts";
import { hoursRule } from "./hours.ts";
import { type Imp, slotsOf } from "./imp.ts";
import { microsUp } from "./money.ts";
import { domainSet, isWithin, lowerSet } from "./text.ts";

/** Whether the campaign targets this request. */
export type Rule = (facts: Facts) => boolean;
/** Whether the campaign targets this impression. */
export type ImpRule = (imp: Imp, facts: Facts) => boolean;
/** Whether the campaign targets the object that the ad would fill. */
export type SpotRule = (spot: Spot) => boolean;

/** Position attributes of a banner, video or audio object. Not every object has all of them. */
export type Spot = {
  [K in "pos" | "plcmt" | "startdelay" | "podseq" | "slotinpod"]?: number | undefined;
} & { playbackmethod?: number[]; topframe?: boolean | undefined };

export interface Target {
  rules: Rule[];
  impRules: ImpRule[];
  spotRules: SpotRule[];
}

export function compileTarget(entry: TargetEntry, zones: readonly Zone[]): Target {
  return {
    rules: [...placeRules(entry), ...deviceRules(entry), ...contentRules(entry), ...personRules(entry)],
    impRules: impRules(entry, zones),
    spotRules: spotRules(entry),
  };
}

/** A rule over one value: the value must be in `include`, if that list exists, and not in `exclude`. */
function among<T>(
  lists: Lists<T> | undefined,
  setOf: (list: T[] | undefined) => ReadonlySet<T> | null,
  has: (set: ReadonlySet<T>, facts: Facts) => boolean,
): Rule[] {
  const [include, exclude] = [setOf(lists?.include), setOf(lists?.exclude)];
  return [
    ...(include ? [(facts: Facts) => has(include, facts)] : []),
    ...(exclude ? [(facts: Facts) => !has(exclude, facts)] : []),
  ];
}

/** A rule over a text of the request, case-insensitive. */
function word(lists: Lists<string> | undefined, of: (facts: Facts) => string): Rule[] {
  return among(lists, lowerSet, (set, facts) => set.has(of(facts)));
}

/** A rule over an id, case-sensitive. */
function exact<T extends string | number>(lists: Lists<T> | undefined, of: (facts: Facts) => T | undefined): Rule[] {
  return among(lists, exactSet, (set, facts) => {
    const value = of(facts);
    return value !== undefined && set.has(value);
  });
}

function exactSet<T>(list: T[] | undefined): Set<T> | null {
  return list && list.length > 0 ? new Set(list) : null;
}

function hasAny<T>(set: ReadonlySet<T>, values: Iterable<T>): boolean {
  for (const value of values) if (set.has(value)) return true;
  return false;
}

function placeRules(entry: TargetEntry): Rule[] {
  return [
    ...channelRule(entry.channel),
    ...word(entry.country, ({ country }) => country),
    ...word(entry.region, ({ region }) => region),
    ...word(entry.metro, ({ metro }) => metro),
    ...word(entry.city, ({ city }) => city),
    ...word(entry.zip, ({ zip }) => zip),
    ...among(entry.radius, exactSet, (circles, { point }) => point !== undefined && isNearAny(circles, point)),
  ];
}

/** Every channel of the request must be accepted. A request without a channel needs a campaign that accepts all. */
function channelRule(names: string[] = []): Rule[] {
  if (names.length === 0) return [];
  const [site, app, dooh] = ["site", "app", "dooh"].map((name) => names.includes(name)) as [boolean, boolean, boolean];
  return [
    ({ hasSite, hasApp, hasDooh }) =>
      hasSite || hasApp || hasDooh ? (site || !hasSite) && (app || !hasApp) && (dooh || !hasDooh) : site && app && dooh,
  ];
}

function isNearAny(circles: Iterable<Circle>, point: Point): boolean {
  for (const circle of circles) if (isNear(circle, point)) return true;
  return false;
}

/** Whether a point is in a circle. Calculates on a flat map, which is exact enough for hundreds of kilometres. */
function isNear(circle: Circle, { lat, lon }: Point): boolean {
  const [north, around] = [lat - Number(circle.lat), Math.abs(lon - Number(circle.lon))];
  const half = ((lat + Number(circle.lat)) / 2) * (Math.PI / 180);
  const east = Math.min(around, 360 - around) * Math.cos(half);
  const metresPerDegree = 111_195.08;
  return Math.hypot(north, east) * metresPerDegree <= circle.metres;
}

function deviceRules(entry: TargetEntry): Rule[] {
  const { min, max } = entry.osv ?? {};
  return [
    ...exact(entry.devicetype, ({ devicetype }) => devicetype),
    ...word(entry.make, ({ make }) => make),
    ...word(entry.model, ({ model }) => model),
    ...word(entry.os, ({ os }) => os),
    ...(min ? [({ osv }: Facts) => (compareVersions(osv, min) ?? -1) >= 0] : []),
    ...(max ? [({ osv }: Facts) => (compareVersions(osv, max) ?? 1) <= 0] : []),
    ...among(entry.browser, lowerSet, (set, { browsers }) => hasAny(set, browsers)),
    ...word(entry.language, ({ language }) => language),
    ...exact(entry.connectiontype, ({ connectiontype }) => connectiontype),
    ...word(entry.carrier, ({ carrier }) => carrier),
  ];
}

/** Compares as many version parts as `bound` has. Undefined if a part is not a number or the version is unknown. */
function compareVersions(version: string[], bound: string): number | undefined {
  if (version.length === 0) return undefined;
  const isNumber = (part: string) => /^\+?\d+$/.test(part);
  for (const [at, wanted] of bound.split(".").entries()) {
    const has = version[at] ?? "0";
    if (!isNumber(has) || !isNumber(wanted)) return undefined;
    const difference = Number(has) - Number(wanted);
    if (difference !== 0) return difference;
  }
  return 0;
}

function contentRules(entry: TargetEntry): Rule[] {
  const { livestream, cattax = 1 } = entry;
  return [
    ...among(entry.domain, domainSet, (set, { domain }) => isWithin(domain, set)),
    ...word(entry.bundle, ({ bundle }) => bundle),
    ...exact(entry.publisher, ({ publisher }) => publisher),
    ...exact(entry.id, ({ id }) => id),
    ...among(entry.cat, lowerSet, (set, facts) => hasAny(set, facts.categories(cattax))),
    ...among(entry.genre, lowerSet, (set, { genres }) => hasAny(set, genres)),
    ...word(entry.contentrating, ({ contentrating }) => contentrating),
    ...(livestream === undefined ? [] : [(facts: Facts) => facts.livestream === livestream]),
    ...word(entry.content_language, ({ contentLanguage }) => contentLanguage),
    ...word(entry.network, ({ network }) => network),
    ...word(entry.content_channel, ({ contentChannel }) => contentChannel),
    ...among(entry.keywords, lowerSet, (set, { keywords }) => hasAny(set, keywords)),
  ];
}

function personRules(entry: TargetEntry): Rule[] {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = entry.yob ?? {};
  const [usable, unusable] = [exactSet(entry.mm?.include), exactSet(entry.mm?.exclude)];
  const isUsable = (mm: number) => (usable?.has(mm) ?? true) && !unusable?.has(mm);
  const hasRange = entry.yob?.min !== undefined || entry.yob?.max !== undefined;
  return [
    ...among<string>(keysOf(entry.segment), exactSet, (set, { segments }) => hasAny(segments, set)),
    ...among(entry.eids, lowerSet, (set, { eids }) => eids.some(({ source, mm }) => isUsable(mm) && set.has(source))),
    ...(entry.buyeruid ? [({ buyeruid }: Facts) => buyeruid !== ""] : []),
    ...(hasRange ? [({ yob }: Facts) => yob > 0 && min <= yob && yob <= max] : []),
    ...chainRules(entry.schain),
  ];
}

function keysOf(lists: Lists<Segment> | undefined): Lists<string> {
  const keys = (list: Segment[] = []) => list.map(({ provider, id }) => segmentKey(provider, id));
  return { include: keys(lists?.include), exclude: keys(lists?.exclude) };
}

/** Rules over the supply chain. An unknown chain counts as incomplete and without systems, but passes `max_nodes`. */
function chainRules(wanted: TargetEntry["schain"]): Rule[] {
  if (!wanted) return [];
  const { complete = false, max_nodes = Number.POSITIVE_INFINITY } = wanted;
  const [include, exclude] = [domainSet(wanted.asi?.include), domainSet(wanted.asi?.exclude)];
  return [
    ({ chain }) => {
      if (complete && !chain?.complete) return false;
      if (!chain) return !include;
      const isKnown = (asi: string) => (!include || isWithin(asi, include)) && !(exclude && isWithin(asi, exclude));
      return chain.asis.length <= max_nodes && chain.asis.every(isKnown);
    },
  ];
}

function impRules(entry: TargetEntry, zones: readonly Zone[]): ImpRule[] {
  const { instl, rwdd } = entry;
  return [
    ...hoursRule(entry, zones),
    ...amongAny(entry.tagid, ({ tagid }: Imp) => [tagid]),
    ...amongAny(entry.gpid, ({ gpid }: Imp) => [gpid]),
    ...(instl === undefined ? [] : [(imp: Imp) => imp.instl === instl]),
    ...(rwdd === undefined ? [] : [(imp: Imp) => imp.rwdd === rwdd]),
    ...(entry.metric ?? []).map(({ type, vendor = "", min }) => {
      const [kind, who, least] = [type.toLowerCase(), vendor.toLowerCase(), microsUp(min) ?? 0];
      return ({ metrics }: Imp) =>
        metrics.some(
          (metric) =>
            metric.type.toLowerCase() === kind &&
            (who === "" || metric.vendor.toLowerCase() === who) &&
            metric.value >= least,
        );
    }),
  ];
}

function spotRules(entry: TargetEntry): SpotRule[] {
  const { topframe } = entry;
  return [
    ...amongAny(entry.pos, ({ pos }: Spot) => [pos]),
    ...amongAny(entry.plcmt, ({ plcmt }: Spot) => [plcmt]),
    ...amongAny(entry.startdelay, ({ startdelay }: Spot) => [startdelay]),
    ...amongAny(entry.playbackmethod, ({ playbackmethod }: Spot) => playbackmethod ?? []),
    ...amongAny(entry.podseq, ({ podseq }: Spot) => [podseq]),
    ...amongAny(entry.slotinpod, ({ slotinpod }: Spot) => (slotinpod === undefined ? [] : slotsOf({ slotinpod }))),
    ...(topframe === undefined ? [] : [(spot: Spot) => spot.topframe === topframe]),
  ];
}

/** A rule over several values: one must be in `include`, if that list exists, and none in `exclude`. */
function amongAny<T, O>(lists: Lists<T> | undefined, of: (from: O) => (T | undefined)[]): ((from: O) => boolean)[] {
  const [include, exclude] = [exactSet(lists?.include), exactSet(lists?.exclude)];
  const has = (set: ReadonlySet<T>, from: O) => of(from).some((value) => value !== undefined && set.has(value));
  return [
    ...(include ? [(from: O) => has(include, from)] : []),
    ...(exclude ? [(from: O) => !has(exclude, from)] : []),
  ];
}
