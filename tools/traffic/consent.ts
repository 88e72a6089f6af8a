//! Makes valid consent strings of TCF 2.3, because a decision reads them.

import { Weighted } from "./draw.ts";
import type { Random } from "./random.ts";

/** Our id on the Global Vendor List in generated catalogs. */
export const VENDOR_ID = 755;

const LAST_VENDOR = 1200;

/** The days on which strings were created: 128 days from 2026-03-01, since when a string says who was disclosed. */
const FIRST_DAY_MS = Date.UTC(2026, 2, 1);
const DAY_BITS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;

/** What a user allows: everything; only basic ads; everything, but not to our vendor id; nothing. */
const CHOICES = new Weighted([
  [{ purposes: 0b1111_1111_111, special: 1, vendors: true }, 65],
  [{ purposes: 0b0100_0000_000, special: 0, vendors: true }, 15],
  [{ purposes: 0b1111_1111_111, special: 1, vendors: false }, 5],
  [{ purposes: 0, special: 0, vendors: false }, 15],
]);

/**
 * A string with one user's choice about `vendor`. The bits of other vendors are random. It discloses `vendor`, and six of
 * seven others: some ids have left the list.
 */
export function consent(random: Random, vendor = VENDOR_ID): string {
  const { purposes, special, vendors } = CHOICES.draw(random);
  const others = () => String(random.below(2));
  const list = (bit: (id: number) => string) => Array.from({ length: LAST_VENDOR }, (_, at) => bit(at + 1)).join("");
  const granted = list((id) => (id === vendor ? String(Number(vendors)) : others()));
  const disclosed = list((id) => String(Number(id === vendor || id % 7 !== 0)));
  const day = Number.parseInt(random.text(36 + 36, "01").slice(0, DAY_BITS), 2);
  const tenths = (FIRST_DAY_MS + day * DAY_MS) / 100;
  const bits = [
    number(2, 6), // version
    number(tenths, 36) + number(tenths, 36), // created, updated
    number(10, 12) + number(1, 12) + number(1, 6), // of the consent platform
    number(121, 12) + number(90, 12) + number(5, 6) + number(0b10, 2), // language, lists, specific to the service
    number(special, 1) + number(0, 11), // special feature 1
    number(purposes, 11) + number(0, 13), // consent to purposes 1 to 24
    number(purposes & 0b0100_0011_111, 11) + number(0, 13), // legitimate interest, where the policy allows it
    number(0, 1) + number(121, 12),
    number(LAST_VENDOR, 16) + number(0, 1) + granted,
    number(LAST_VENDOR, 16) + number(0, 1) + granted,
    number(0, 12), // no publisher restrictions
  ].join("");
  return `${characters(bits)}.${characters(number(1, 3) + number(LAST_VENDOR, 16) + number(0, 1) + disclosed)}`;
}

/** A number as bits. */
export function number(value: number, bits: number): string {
  return value.toString(2).padStart(bits, "0");
}

/** Bits as URL-safe base64, padded with zeros to whole characters. */
export function characters(bits: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const sextets = bits.match(/.{1,6}/g) ?? [];
  return sextets.map((sextet) => alphabet[Number.parseInt(sextet.padEnd(6, "0"), 2)]).join("");
}
