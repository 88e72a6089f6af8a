//! Turns the privacy signals of a request into a verdict: the strictest signal decides.

import type { PrivacyEntry, PurposeEntry } from "../document.ts";
import { integerOrZero, integers, type Json, type Members, object, signal, signalText } from "../json.ts";
import { gppOf } from "./gpp.ts";
import { CONTEXTUAL, FREE, NONE, PERSONAL, stricter, type Verdict } from "./level.ts";
import { covers, grantOf } from "./tcf.ts";
import { usPrivacy } from "./us.ts";

/** AdCOM's device type "OOH device". */
const OUT_OF_HOME = 8;

/** The catalog's privacy settings. */
export class Privacy {
  readonly #vendor: number | undefined;
  readonly #contextual: PurposeEntry[];
  readonly #personal: PurposeEntry[];
  readonly #unregistered: Verdict;
  readonly #withoutString: Verdict;
  readonly #assumeGdpr: boolean;

  constructor(entry: PrivacyEntry = {}) {
    this.#vendor = entry.vendor_id;
    this.#contextual = entry.contextual?.length ? entry.contextual : [{ purpose: 2, basis: "either" }];
    this.#personal = entry.personal?.length ? entry.personal : [{ purpose: 1 }, { purpose: 3 }, { purpose: 4 }];
    this.#unregistered = entry.bid_unregistered ? CONTEXTUAL : NONE;
    this.#withoutString = entry.bid_without_string ? CONTEXTUAL : NONE;
    this.#assumeGdpr = entry.assume_gdpr ?? false;
  }

  verdict(request: Members, device: Members): Verdict {
    const regs = object(request["regs"]) ?? {};
    const ext = object(regs["ext"]) ?? {};
    const gpp = gppOf(signalText(regs["gpp"]) || signalText(ext["gpp"]), sids(regs["gpp_sid"], ext["gpp_sid"]));
    let verdict = stricter(flags(request, regs, ext, device), gpp.verdict);
    const both = [signalText(regs["us_privacy"]), signalText(ext["us_privacy"])];
    for (const us of both) if (us !== "") verdict = stricter(verdict, usPrivacy(us));

    const user = object(request["user"]) ?? {};
    const consent = signalText(user["consent"]) || signalText(object(user["ext"])?.["consent"]);
    const told = [signal(regs["gdpr"]), signal(ext["gdpr"])].filter((one) => one !== undefined);
    const signalled = told.length > 0 ? told.includes(true) : undefined;
    const gdpr = gpp.gdpr || (signalled ?? (consent !== "" || this.#assumeGdpr));
    return gdpr ? stricter(verdict, this.#underGdpr(consent, gpp.tcf)) : verdict;
  }

  #underGdpr(consent: string, section: string | undefined): Verdict {
    if (this.#vendor === undefined) return this.#unregistered;
    const ofSection = section === undefined ? undefined : this.#ofString(section, this.#vendor);
    if (ofSection === undefined) return this.#ofString(consent, this.#vendor);
    return consent === "" ? ofSection : stricter(ofSection, this.#ofString(consent, this.#vendor));
  }

  #ofString(consent: string, vendor: number): Verdict {
    const grant = grantOf(consent, vendor);
    if (grant === undefined) return this.#withoutString;
    if (!covers(grant, this.#contextual)) return NONE;
    if (!covers(grant, this.#personal)) return CONTEXTUAL;
    return grant.preciseGeo ? FREE : PERSONAL;
  }
}

function flags(request: Members, regs: Members, ext: Members, device: Members): Verdict {
  const isScreen = object(request["dooh"]) !== undefined || integerOrZero(device["devicetype"]) === OUT_OF_HOME;
  const isOptedOut = signal(regs["gpc"]) || signal(ext["gpc"]);
  const limited = signal(regs["coppa"]) || isOptedOut || signal(device["lmt"]) || signal(device["dnt"]) || isScreen;
  return limited ? CONTEXTUAL : FREE;
}

function sids(own: Json | undefined, ext: Json | undefined): number[] {
  const ids = integers(own);
  return ids.length > 0 ? ids : integers(ext);
}
