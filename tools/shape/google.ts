//! Bodies for `bidders.pretargetingConfigs.create` of Google's Real-time Bidding API, to send with a client of your own.
//! The types are those of the discovery document of 2026-11: an unset member takes everything, and a bid request that
//! matches one configuration is sent.
//!
//! Leaves apps and sites open: Google compares them in its own spelling, and the bidder without case and with subdomains.

import { COUNTRIES } from "./countries.ts";
import type { Dimension } from "./features.ts";
import type { Row } from "./models.ts";

export interface Pretargeting {
  displayName: string;
  includedFormats: [Format];
  includedEnvironments?: ["WEB" | "APP"];
  geoTargeting?: { includedIds: string[] };
  includedPlatforms?: string[];
  includedCreativeDimensions?: { width: string; height: string }[];
  publisherTargeting?: { targetingMode: "INCLUSIVE"; values: string[] };
}

type Format = "HTML" | "VAST" | "NATIVE";

const FORMATS: Record<string, Format> = { banner: "HTML", video: "VAST", audio: "VAST", native: "NATIVE" };

/** Google's platforms of AdCOM's device types. The others have none. */
const PLATFORMS: Record<string, string[]> = {
  "1": ["PHONE", "TABLET"],
  "2": ["PERSONAL_COMPUTER"],
  "3": ["CONNECTED_TV"],
  "4": ["PHONE"],
  "5": ["TABLET"],
  "7": ["CONNECTED_TV"],
};

const MAX_PUBLISHERS = 10_000;

/** At most nine configurations, one for each environment and format. A bidder may have ten. */
export function pretargetings(rows: Row[]): Pretargeting[] {
  const environment = ({ channel }: Row): "WEB" | "APP" | "ANY" =>
    channel === "site" ? "WEB" : channel === "app" ? "APP" : "ANY";
  const bought = rows.filter(({ slot }) => FORMATS[slot] !== undefined);
  const groups = Map.groupBy(bought, (row) => `${environment(row)} ${FORMATS[row.slot]}`);
  return [...groups.values()].map((rows): Pretargeting => {
    const [first] = rows as [Row];
    const [where, format] = [environment(first), FORMATS[first.slot] as Format];
    const countries = listed(rows, "country");
    const platforms = listed(rows, "devicetype")?.map((type) => PLATFORMS[type]);
    const sizes = format === "HTML" ? listed(rows, "size") : null;
    const publishers = listed(rows, "publisher");
    return {
      displayName: `edgebid ${where === "ANY" ? "" : `${where} `}${format}`,
      includedFormats: [format],
      ...(where !== "ANY" && { includedEnvironments: [where] }),
      ...(countries && { geoTargeting: { includedIds: countries.map((code) => `${COUNTRIES.get(code)?.google}`) } }),
      ...(platforms?.every((some) => some !== undefined) && { includedPlatforms: [...new Set(platforms.flat())] }),
      ...(sizes && { includedCreativeDimensions: sizes.map(dimensions) }),
      ...(publishers &&
        publishers.length <= MAX_PUBLISHERS && {
          publisherTargeting: { targetingMode: "INCLUSIVE", values: publishers },
        }),
    };
  });
}

/** The values of all rows; null if one of them takes any. */
function listed(rows: Row[], dimension: Dimension): string[] | null {
  const all = rows.map(({ values }) => values[dimension]);
  const values = [...new Set(all.flatMap((values) => values ?? []))];
  return all.every((values) => values !== undefined) && values.length > 0 ? values : null;
}

function dimensions(size: string): { width: string; height: string } {
  const [width = "", height = ""] = size.split("x");
  return { width, height };
}
