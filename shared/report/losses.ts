//! Short texts for the loss reasons of OpenRTB 2.6 (AdCOM 1.0, "Loss Reason Codes").

const TEXTS: Readonly<Record<string, string>> = {
  0: "won",
  1: "internal error",
  2: "too late",
  3: "invalid response",
  4: "invalid deal",
  5: "invalid auction id",
  6: "invalid domain",
  7: "no markup",
  8: "no creative id",
  9: "no price",
  10: "creative not approved",
  100: "below floor",
  101: "below deal floor",
  102: "outbid",
  103: "lost to a deal",
  104: "seat blocked",
  200: "creative filtered",
  201: "creative pending",
  202: "creative disapproved",
  203: "wrong size",
  204: "wrong format",
  205: "advertiser excluded",
  206: "bundle excluded",
  207: "not secure",
  208: "language excluded",
  209: "category excluded",
  210: "attribute excluded",
  211: "ad type excluded",
  212: "animation too long",
  213: "not in the deal",
  unknown: "another reason",
};

/** `outbid`, or the code if OpenRTB does not have it. */
export function lossText(code: string): string {
  if (code === "") return "no reason";
  return (Object.hasOwn(TEXTS, code) && TEXTS[code]) || `code ${code}`;
}
