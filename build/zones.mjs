//! Writes `shared/time/newer-zones.ts`: the time zones of moment-timezone's data, which follow IANA's within days, that
//! differ from those of this Node. Run it with the oldest Node that edgebid supports: see CONTRIBUTING.md.

import { readFileSync, writeFileSync } from "node:fs";

const YEARS = 8;
const DAY_MS = 86_400_000;
const [folder = "node_modules/moment-timezone"] = process.argv.slice(2);
const { version, zones, links } = JSON.parse(readFileSync(`${folder}/data/packed/latest.json`, "utf8"));
const released = new Date().toISOString().slice(0, 10);
const year = new Date().getUTCFullYear();
const [start, until] = [Date.UTC(year - 1, 0, 1), Date.UTC(year + YEARS, 0, 1)];

/** The number in base 60 of moment-timezone's packed format. @param {string} text */
function base60(text) {
  const digit = (/** @type {string} */ c) => "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX".indexOf(c);
  const [whole = "", part = ""] = text.replace("-", "").split(".");
  const value = [...whole].reduce((sum, c) => sum * 60 + digit(c), 0);
  const rest = [...part].reduceRight((sum, c) => (sum + digit(c)) / 60, 0);
  return (text.startsWith("-") ? -1 : 1) * (value + rest);
}

/** The changes from `start` to `until`: a time and the offset in minutes from then on. @param {string} packed */
function changesOf(packed) {
  const [, , offsets = "", order = "", untils = ""] = packed.split("|");
  const minutes = offsets.split(" ").map((offset) => Math.round(-base60(offset)));
  /** @type {number[]} */
  const changes = [];
  let [from, end] = [0, 0];
  for (const [place, at] of [...order].entries()) {
    const offset = minutes[base60(at)] ?? 0;
    // The first offset that holds after the start began before it.
    end += base60(untils.split(" ")[place] ?? "");
    const isLast = place === order.length - 1;
    if ((isLast || end * 60_000 > start) && from < until && offset !== changes.at(-1))
      changes.push(Math.max(from, start), offset);
    from = Math.round(end * 60_000);
  }
  return changes;
}

/** @param {Intl.DateTimeFormat} format @param {number} at */
function offsetAt(format, at) {
  const text = format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours = 0, minutes = 0] = /GMT([+-])(\d+)(?::(\d+))?/.exec(text) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Whether this Node has other offsets. @param {string} name @param {number[]} changes */
function isNewer(name, changes) {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  let place = 0;
  for (let day = start; day < until; day += DAY_MS) {
    while ((changes[place + 2] ?? until) <= day) place += 2;
    if (changes[place + 1] !== offsetAt(format, day)) return true;
  }
  return false;
}

const packed = new Map(zones.map((/** @type {string} */ zone) => [zone.split("|", 1)[0], zone]));
for (const link of links) packed.set(link.split("|")[1], packed.get(link.split("|")[0]));
const newer = [...packed].map(([name, zone]) => [name, changesOf(zone)]).filter(([name, own]) => isNewer(name, own));
const lines = newer.sort().map(([name, own]) => `    ${JSON.stringify(name)}: ${JSON.stringify(own)},\n`);
writeFileSync(
  "shared/time/newer-zones.ts",
  `//! The time zones that have changed since the data of the oldest runtimes. \`node build/zones.mjs\` writes this file.

/** A version of IANA's data, the day on which it was taken, and until when the changes are here. */
export const NEWER = {
  version: "${version}",
  released: "${released}",
  until: Date.UTC(${year + YEARS}, 0, 1),
  /** Times in milliseconds since the epoch, each followed by the offset from UTC in minutes from then on. */
  zones: {
${lines.join("")}  } as Record<string, number[]>,
};
`,
);
