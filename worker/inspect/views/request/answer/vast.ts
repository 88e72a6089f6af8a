//! Reads what the page shows of a VAST document. Reading runs nothing and loads nothing.

/** A tracker: the event, and the second at which a player reaches it; null if a person or the player causes it. */
export interface Tracker {
  event: string;
  at: number | null;
  url: string;
}

export interface Companion {
  width: number;
  height: number;
  kind: "image" | "page" | "HTML";
  /** An address; with `HTML`, the markup. */
  content: string;
  click: string;
}

export interface Vast {
  version: string;
  title: string;
  /** The address of the document that a wrapper leads to; empty for an ad of its own. */
  wrapped: string;
  /** Seconds; null if the document does not say. */
  duration: number | null;
  /** Seconds after which a person may skip; null if never. */
  skip: number | null;
  trackers: Tracker[];
  clickThrough: string;
  media: { type: string; width: string; height: string; bitrate: string; url: string }[];
  companions: Companion[];
  verifications: { vendor: string; script: string; parameters: string }[];
}

/** Which part of the duration an event comes at. */
export const PARTS: Record<string, number> = {
  start: 0,
  firstQuartile: 0.25,
  midpoint: 0.5,
  thirdQuartile: 0.75,
  complete: 1,
};

/** The document's first ad; null if the text is no VAST document. */
export function vastOf(text: string): Vast | null {
  const document = new DOMParser().parseFromString(text, "text/xml");
  const root = document.documentElement;
  if (root.tagName !== "VAST" || document.querySelector("parsererror")) return null;
  const linear = root.querySelector("Linear");
  const duration = secondsOf(textOf(linear, "Duration"));
  const offset = linear?.getAttribute("skipoffset") ?? "";
  return {
    version: root.getAttribute("version") ?? "",
    title: textOf(root, "AdTitle"),
    wrapped: textOf(root, "VASTAdTagURI"),
    duration,
    skip: offset === "" ? null : timeOf(offset, duration),
    trackers: trackersOf(root, linear, duration),
    clickThrough: textOf(linear, "ClickThrough"),
    media: all(linear, "MediaFile").map((file) => ({
      type: file.getAttribute("type") ?? "",
      width: file.getAttribute("width") ?? "",
      height: file.getAttribute("height") ?? "",
      bitrate: file.getAttribute("bitrate") ?? "",
      url: trimmed(file),
    })),
    companions: all(root, "Companion").flatMap(companionOf),
    verifications: all(root, "Verification").map((one) => ({
      vendor: one.getAttribute("vendor") ?? "",
      script: textOf(one, "JavaScriptResource"),
      parameters: textOf(one, "VerificationParameters"),
    })),
  };
}

function trackersOf(root: Element, linear: Element | null, duration: number | null): Tracker[] {
  const of = (selector: string, event: string, at: number | null): Tracker[] =>
    all(root, selector).flatMap((one) => (trimmed(one) === "" ? [] : [{ event, at, url: trimmed(one) }]));
  const events = all(linear, "Tracking").map((one): Tracker => {
    const event = one.getAttribute("event") ?? "";
    const part = PARTS[event];
    const offset = one.getAttribute("offset");
    const ofPart = part === undefined || duration === null ? null : part * duration;
    return { event, at: event === "progress" && offset ? timeOf(offset, duration) : ofPart, url: trimmed(one) };
  });
  return [
    ...of("Impression", "impression", 0),
    ...events,
    ...of("ClickTracking", "click", null),
    ...of("Error", "error", null),
  ];
}

function companionOf(one: Element): Companion[] {
  const resources = [
    ["StaticResource", "image"],
    ["IFrameResource", "page"],
    ["HTMLResource", "HTML"],
  ] as const;
  const size = (name: string) => Number(one.getAttribute(name)) || 0;
  return resources.flatMap(([tag, kind]) => {
    const content = textOf(one, tag);
    const click = textOf(one, "CompanionClickThrough");
    return content === "" ? [] : [{ width: size("width"), height: size("height"), kind, content, click }];
  });
}

/** Seconds of an offset such as `00:00:05` or `25%`. */
function timeOf(offset: string, duration: number | null): number | null {
  const percent = /^([\d.]+)%$/.exec(offset.trim())?.[1];
  if (percent === undefined) return secondsOf(offset);
  return duration === null ? null : (Number(percent) / 100) * duration;
}

function secondsOf(text: string): number | null {
  const [, hours, minutes, seconds] = /^(\d+):(\d+):(\d+(?:\.\d+)?)$/.exec(text.trim()) ?? [];
  return seconds === undefined ? null : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

function all(within: Element | null, selector: string): Element[] {
  return [...(within?.querySelectorAll(selector) ?? [])];
}

function textOf(within: Element | null, selector: string): string {
  const found = within?.querySelector(selector);
  return found ? trimmed(found) : "";
}

function trimmed(element: Element): string {
  return (element.textContent ?? "").trim();
}
