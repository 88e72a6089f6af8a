//! What a request says about privacy: `regs`, and the consent string of the user.
//!
//! Many exchanges still write the signals in the places of OpenRTB 2.5, inside `ext`. How often each signal is there is
//! the share that was counted in public samples.

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

/** Share of the requests that write a signal in the place of 2.5. */
const IN_EXT = { gdpr: 0.81, consent: 0.8, us_privacy: 0.67, gpp: 0.46 } as const;

/** Share of the users under the GDPR whose request has no consent string. */
const NO_STRING = 0.12;

const US_PRIVACY = shares("1YNN 62, 1--- 14, 1YYN 18, 1NNN 6");

/**
 * GPP strings of a person who refused nothing and of one who opted out, by section. A string is a header that names the
 * section, and the section: its version and two-bit fields.
 */
const GPP = {
  usnat: {
    sid: 7,
    free: gpp("DBABLA", "111100 222 000000020000 00 0 200"),
    out: gpp("DBABLA", "111100 111 000000020000 00 0 200"),
  },
  usca: { sid: 8, free: gpp("DBABBg", "110 22 002000000 00 0 200"), out: gpp("DBABBg", "110 11 002000000 00 0 200") },
} as const;

/** The section that a request with a GPP string has. */
const US_SECTIONS = shares<keyof typeof GPP>("usnat 70, usca 30");

/** How many consent strings a traffic has: many people have the same choices. */
const STRINGS = 512;

/** Makes the signals of one traffic. */
export class Signals {
  readonly #vendor: number;
  readonly #strings: string[] = [];

  constructor(vendor: number | undefined) {
    this.#vendor = vendor ?? VENDOR_ID;
  }

  draw(random: Random, { law }: Country): Privacy {
    const coppa = chance(random, 0.02) ? { coppa: 1 } : chance(random, 0.3) ? { coppa: 0 } : {};
    if (law === "gdpr") return this.#european(random, coppa);
    if (law === "us") return american(random, coppa);
    return Object.keys(coppa).length > 0 ? { regs: coppa } : {};
  }

  #european(random: Random, coppa: object): Privacy {
    const isMissing = chance(random, NO_STRING);
    const text = isMissing ? "" : this.#string(random);
    const inExt = chance(random, IN_EXT.gdpr);
    const gpp = chance(random, 0.12) && !isMissing ? { gpp: `DBABMA~${text}`, gpp_sid: [2] } : {};
    const dsa = chance(random, 0.05) ? { dsa: { dsarequired: random.below(4), pubrender: 0, datatopub: 2 } } : {};
    const ext = { ...(inExt && { gdpr: 1 }), ...dsa };
    return {
      regs: {
        ...coppa,
        ...(!inExt && { gdpr: 1 }),
        ...gpp,
        ...(Object.keys(ext).length > 0 && { ext }),
      },
      consent: text,
      consentInExt: chance(random, IN_EXT.consent),
    };
  }

  #string(random: Random): string {
    const place = random.below(STRINGS);
    this.#strings[place] ??= consent(random, this.#vendor);
    return this.#strings[place];
  }
}

function american(random: Random, coppa: object): Privacy {
  const place = (signal: "us_privacy" | "gpp", members: object) =>
    chance(random, IN_EXT[signal]) ? { ext: members } : members;
  const isOut = chance(random, 0.18);
  const section = GPP[US_SECTIONS.draw(random)];
  const gpp = { gpp: isOut ? section.out : section.free, gpp_sid: [section.sid] };
  const usp = place("us_privacy", { us_privacy: US_PRIVACY.draw(random) });
  const signal = chance(random, 0.55) ? usp : chance(random, 0.7) ? place("gpp", gpp) : {};
  const regs = { ...coppa, ...signal, ...(isOut && chance(random, 0.3) && !("ext" in signal) && { ext: { gpc: 1 } }) };
  return Object.keys(regs).length > 0 ? { regs } : {};
}

function gpp(header: string, fields: string): string {
  const bits = [...fields.replaceAll(" ", "")].map((field) => number(Number(field), 2));
  return `${header}~${characters([number(1, 6), ...bits].join(""))}`;
}
