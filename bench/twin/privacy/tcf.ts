//! What a TCF 2.2 string grants to one vendor.

import type { PurposeEntry } from "../document.ts";
import { Bits, Unreadable } from "./bits.ts";

/** From the creation date to the flags after the policy version. */
const METADATA_BITS = 36 + 36 + 12 + 12 + 6 + 12 + 12 + 6 + 1 + 1;
/** Purposes that may use legitimate interest: 2 and 7 to 11. */
const MAY_BE_INTEREST = 0b111_1100_0010;

/** The grants, one bit per purpose. Purpose 1 is bit 0. */
interface Grant {
  preciseGeo: boolean;
  consent: number;
  interest: number;
  /** Purposes that are granted on the basis that the publisher requires. */
  asRequired: number;
}

/** The grants of a string; undefined without a complete core segment of version 2. */
export function grantOf(text: string, vendor: number): Grant | undefined {
  if (text === "") return undefined;
  try {
    return read(new Bits(text.split(".", 1)[0] ?? ""), vendor);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** Whether every purpose is granted on an accepted basis. */
export function covers({ consent, interest, asRequired }: Grant, needed: readonly PurposeEntry[]): boolean {
  return needed.every(({ purpose, basis = "consent" }) => {
    const has = (set: number) => (set & (1 << (purpose - 1))) !== 0;
    switch (basis) {
      case "legitimate-interest":
        return has(interest);
      case "flexible-consent":
        return has(consent) || has(asRequired);
      case "flexible-interest":
        return has(interest) || has(asRequired);
      case "either":
        return has(consent) || has(interest);
      default:
        return has(consent);
    }
  });
}

function read(bits: Bits, vendor: number): Grant {
  if (bits.take(6) !== 2) throw new Unreadable();
  bits.skip(METADATA_BITS);
  const preciseGeo = (bits.set(12) & 1) === 1;
  const consents = bits.set(24);
  const interests = bits.set(24);
  bits.skip(1 + 12);
  const vendorConsent = isListed(bits, vendor);
  const vendorInterest = isListed(bits, vendor);
  let [noConsent, noInterest] = [0, 0];
  for (let left = bits.take(12); left > 0; left--) {
    const purpose = bits.take(6);
    const kind = bits.take(2);
    if (!isInRanges(bits, vendor)) continue;
    const bit = purpose >= 1 && purpose <= 32 ? 1 << (purpose - 1) : 0;
    // 1 = consent is required, 2 = legitimate interest is required, otherwise the purpose is forbidden.
    if (kind !== 2) noInterest |= bit;
    if (kind !== 1) noConsent |= bit;
  }
  const consent = vendorConsent ? consents & ~noConsent : 0;
  const interest = vendorInterest ? interests & MAY_BE_INTEREST & ~noInterest : 0;
  return { preciseGeo, consent, interest, asRequired: (consent & noInterest) | (interest & noConsent) };
}

function isListed(bits: Bits, vendor: number): boolean {
  const length = bits.take(16);
  if (bits.bit()) return isInRanges(bits, vendor);
  if (length < vendor) {
    bits.skip(length);
    return false;
  }
  bits.skip(vendor - 1);
  const listed = bits.bit();
  bits.skip(length - vendor);
  return listed;
}

function isInRanges(bits: Bits, vendor: number): boolean {
  let listed = false;
  for (let left = bits.take(12); left > 0; left--) {
    const isRange = bits.bit();
    const start = bits.take(16);
    const end = isRange ? bits.take(16) : start;
    listed ||= start <= vendor && vendor <= end;
  }
  return listed;
}
