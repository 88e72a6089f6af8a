//! The Global Privacy Platform string: its sections, and what the applicable ones say.

import { Bits, Unreadable } from "./bits.ts";
import { CONTEXTUAL, FREE, stricter, type Verdict } from "./level.ts";
import { isUsSection, usPrivacy, usSection } from "./us.ts";

const TCF_EU_V1 = 1;
const TCF_EU_V2 = 2;
const LAST_OF_ITS_OWN = 4;
const US_PRIVACY = 6;

interface Gpp {
  /** The verdict of all sections except TCF. */
  verdict: Verdict;
  /** Whether `gpp_sid` lists a TCF section. */
  gdpr: boolean;
  /** The TCF string, if `gpp_sid` lists it: empty if its section is missing, undefined if there is no GPP string. */
  tcf: string | undefined;
}

/** Reads the sections of `text` that `ids` (`gpp_sid`) lists. */
export function gppOf(text: string, ids: readonly number[]): Gpp {
  const listed = ids.filter((id) => id > 0);
  const isUs = (id: number) => id === US_PRIVACY || isUsSection(id);
  const missing = new Set(listed.filter(isUs));
  const isUnknown = listed.some((id) => id > LAST_OF_ITS_OWN && !isUs(id));
  const hasTcf = listed.includes(TCF_EU_V2);
  const gpp: Gpp = {
    verdict: isUnknown ? CONTEXTUAL : FREE,
    gdpr: hasTcf || listed.includes(TCF_EU_V1),
    tcf: hasTcf && text !== "" ? "" : undefined,
  };
  if (missing.size === 0 && gpp.tcf === undefined) return gpp;
  for (const [id, section] of sections(text)) {
    if (!listed.includes(id)) continue;
    missing.delete(id);
    if (id === TCF_EU_V2) gpp.tcf = section;
    else if (id === US_PRIVACY) gpp.verdict = stricter(gpp.verdict, usPrivacy(section));
    else if (isUsSection(id)) gpp.verdict = stricter(gpp.verdict, usSection(id, section));
  }
  if (missing.size > 0) gpp.verdict = stricter(gpp.verdict, CONTEXTUAL);
  return gpp;
}

/** The sections with their ids; empty if the header cannot be read or counts another number of sections. */
function sections(text: string): [id: number, section: string][] {
  const [header = "", ...sections] = text.split("~");
  const ids = idsOf(header, sections.length || 1);
  return (sections.length > 0 ? sections : [""]).flatMap((section, at) => {
    const id = ids[at];
    return ids.length === (sections.length || 1) && id !== undefined ? [[id, section]] : [];
  });
}

/** The ids of the sections. Stops after `most` + 1 ids. */
function idsOf(header: string, most: number): number[] {
  try {
    const bits = new Bits(header);
    if (bits.take(6) !== 3 || bits.take(6) !== 1) return [];
    const ids: number[] = [];
    let last = 0;
    for (let left = bits.take(12); left > 0; left--) {
      const isGroup = bits.bit();
      last += bits.fibonacci();
      const rest = isGroup ? bits.fibonacci() : 0;
      for (let id = last; id <= last + rest && ids.length <= most; id++) ids.push(id);
      last += rest;
    }
    return ids;
  } catch (error) {
    if (error instanceof Unreadable) return [];
    throw error;
  }
}
