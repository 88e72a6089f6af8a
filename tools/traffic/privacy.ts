//! What a request says about privacy: `regs`, and the consent string of the user.
//!
//! Many exchanges still write the signals where OpenRTB 2.5 has them, inside `ext`. The frequency of each signal was
//! counted in public samples.

import { characters, consent, number, VENDOR_ID } from "./consent.ts";
import type { Country } from "./countries.ts";
import { chance, shares } from "./draw.ts";
import type { Random } from "./random.ts";

/** `regs`, and the members of `user` and of `user.ext` that carry consent. */
export interface Privacy {
  regs?: object;
  consent?: string;
  consentInExt?: boolean;
}

/** Share of the requests that write a signal where OpenRTB 2.5 has it. */
const IN_EXT = { gdpr: 0.81, consent: 0.8, us_privacy: 0.67, gpp: 0.46 } as const;

/** Share of the users under the GDPR whose request has no consent string. */
const NO_STRING = 0.12;

const US_PRIVACY = shares("1YNN 62, 1--- 14, 1YYN 18, 1NNN 6");

/**
 * GPP strings of a person who refused nothing and of one who opted out, by section. A string is a header that names the
 * section, and the section: its version and two-bit fields.
 */
const GPP = {
  usnat: gpp(7, "DBABLA", "111100", "222", "000000020000 00 0 200"),
  usca: gpp(8, "DBABBg", "110", "22", "002000000 00 0 200"),
};

/** The section in the GPP string of a request. */
const US_SECTIONS = shares<keyof typeof GPP>("usnat 70, usca 30");

/** How many different consent strings one run has: many people make the same choices. */
const STRINGS = 512;

/** Makes the signals of one run. */
export function signals(vendor = VENDOR_ID) {
  const strings: string[] = [];
  const string = (random: Random) => {
    const at = random.below(STRINGS);
    strings[at] ??= consent(random, vendor);
    return strings[at];
  };
  return (random: Random, { law }: Country): Privacy => {
    const coppa = chance(random, 0.02) ? { coppa: 1 } : chance(random, 0.3) ? { coppa: 0 } : {};
    if (law === "gdpr") return european(random, coppa, string);
    if (law === "us") return american(random, coppa);
    return Object.keys(coppa).length > 0 ? { regs: coppa } : {};
  };
}

function european(random: Random, coppa: object, string: (random: Random) => string): Privacy {
  const isMissing = chance(random, NO_STRING);
  const text = isMissing ? "" : string(random);
  const inExt = chance(random, IN_EXT.gdpr);
  const gpp = chance(random, 0.12) && !isMissing ? { gpp: `DBABMA~${text}`, gpp_sid: [2] } : {};
  const dsa = chance(random, 0.05) ? { dsa: { dsarequired: random.below(4), pubrender: 0, datatopub: 2 } } : {};
  const ext = { ...(inExt && { gdpr: 1 }), ...dsa };
  return {
    regs: { ...coppa, ...(!inExt && { gdpr: 1 }), ...gpp, ...(Object.keys(ext).length > 0 && { ext }) },
    consent: text,
    consentInExt: chance(random, IN_EXT.consent),
  };
}

function american(random: Random, coppa: object): Privacy {
  const located = (signal: "us_privacy" | "gpp", members: object) =>
    chance(random, IN_EXT[signal]) ? { ext: members } : members;
  const isOut = chance(random, 0.18);
  const section = GPP[US_SECTIONS.draw(random)];
  const gpp = { gpp: isOut ? section.out : section.free, gpp_sid: [section.sid] };
  const usp = located("us_privacy", { us_privacy: US_PRIVACY.draw(random) });
  const signal = chance(random, 0.55) ? usp : chance(random, 0.7) ? located("gpp", gpp) : {};
  const regs = { ...coppa, ...signal, ...(isOut && chance(random, 0.3) && !("ext" in signal) && { ext: { gpc: 1 } }) };
  return Object.keys(regs).length > 0 ? { regs } : {};
}

/** A GPP string. The fields `free` say that nothing was refused; with 1 instead, they are an opt-out. */
function gpp(sid: number, header: string, before: string, free: string, after: string) {
  const text = (choices: string) => {
    const fields = [...`${before}${choices}${after}`.replaceAll(" ", "")];
    const bits = fields.map((field) => number(Number(field), 2));
    return `${header}~${characters([number(1, 6), ...bits].join(""))}`;
  };
  return { sid, free: text(free), out: text(free.replaceAll("2", "1")) };
}
