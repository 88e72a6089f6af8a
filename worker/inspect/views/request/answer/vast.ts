//! Reads the parts of a VAST document that the page shows. Reading runs nothing and loads nothing.

/** A tracker: the event, and the second at which a player reaches it; null if a person or the player causes it. */
export interface Tracker {
  event: string;
  at: number | null;
  url: string;
}

export interface Companion {
  width: string;
  height: string;
  kind: "image" | "page" | "HTML";
  /** An address; with `HTML`, the markup. */
  content: string;
  click: string;
}

/** The parts of a document that are read. */
export type Vast = NonNullable<ReturnType<typeof vastOf>>;

/** The part of the duration after which an event comes. */
const PARTS: Record<string, number> = {
  start: 0,
  firstQuartile: 0.25,
  midpoint: 0.5,
  thirdQuartile: 0.75,
  complete: 1,
};

/** The tags of a companion's content. */
const RESOURCES = [
  ["StaticResource", "image"],
  ["IFrameResource", "page"],
  ["HTMLResource", "HTML"],
] as const;

/** The second at which a player reaches an event; null if that does not depend on the time alone. */
export function secondOf(event: string, duration: number | null): number | null {
  const part = PARTS[event];
  return part === undefined || duration === null ? null : part * duration;
}

/** The document's first ad; null if the text is not a VAST document. */
export function vastOf(text: string) {
  const document = new DOMParser().parseFromString(text, "text/xml");
  const root = document.documentElement;
  if (root.tagName !== "VAST" || document.querySelector("parsererror")) return null;
  const linear = root.querySelector("Linear");
  /** Seconds; null if the document has no duration. */
  const duration = secondsOf(textOf(linear, "Duration"));
  return {
    version: attribute(root, "version"),
    title: textOf(root, "AdTitle"),
    /** The address of the document that a wrapper leads to; empty for an ad of its own. */
    wrapped: textOf(root, "VASTAdTagURI"),
    duration,
    /** Seconds after which a person may skip; null if never. */
    skip: timeOf(attribute(linear, "skipoffset"), duration),
    trackers: trackersOf(root, linear, duration),
    clickThrough: textOf(linear, "ClickThrough"),
    media: all(linear, "MediaFile").map((file) => {
      return { ...attributes(file, "type", "width", "height", "bitrate"), url: trimmed(file) };
    }),
    companions: all(root, "Companion").flatMap(companionsOf),
    verifications: all(root, "Verification").map((one) => {
      const [script, parameters] = [textOf(one, "JavaScriptResource"), textOf(one, "VerificationParameters")];
      return { vendor: attribute(one, "vendor"), script, parameters };
    }),
  };
}

function trackersOf(root: Element, linear: Element | null, duration: number | null): Tracker[] {
  const named = (tag: string, event: string, at: number | null) =>
    all(root, tag).map((one) => ({ event, at, url: trimmed(one) }));
  const events = all(linear, "Tracking").map((one) => {
    const { event, offset } = attributes(one, "event", "offset");
    const at = event === "progress" ? timeOf(offset, duration) : secondOf(event, duration);
    return { event, at, url: trimmed(one) };
  });
  const others = [...named("ClickTracking", "click", null), ...named("Error", "error", null)];
  return [...named("Impression", "impression", 0), ...events, ...others].filter(({ url }) => url !== "");
}

function companionsOf(one: Element): Companion[] {
  const size = attributes(one, "width", "height");
  const click = textOf(one, "CompanionClickThrough");
  const resources = RESOURCES.map(([tag, kind]) => ({ ...size, kind, content: textOf(one, tag), click }));
  return resources.filter(({ content }) => content !== "");
}

/** Seconds of an offset such as `00:00:05` or `25%`; null without one. */
function timeOf(offset: string, duration: number | null): number | null {
  const percent = /^([\d.]+)%$/.exec(offset.trim())?.[1];
  if (percent === undefined) return secondsOf(offset);
  return duration === null ? null : (Number(percent) / 100) * duration;
}

function secondsOf(text: string): number | null {
  const [, hours, minutes, seconds] = /^(\d+):(\d+):(\d+(?:\.\d+)?)$/.exec(text.trim()) ?? [];
  return seconds === undefined ? null : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

function all(within: Element | null, tag: string): Element[] {
  return [...(within?.querySelectorAll(tag) ?? [])];
}

function textOf(within: Element | null, tag: string): string {
  const found = within?.querySelector(tag);
  return found ? trimmed(found) : "";
}

function attribute(element: Element | null, name: string): string {
  return element?.getAttribute(name) ?? "";
}

function attributes<Name extends string>(element: Element, ...names: Name[]): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, attribute(element, name)])) as Record<Name, string>;
}

function trimmed(element: Element): string {
  return (element.textContent ?? "").trim();
}
