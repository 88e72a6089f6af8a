//! Shared by all charts: the frame, the fonts, and colours for the reader's light or dark scheme.
//!
//! Plain SVG without scripts or embedded fonts.

/** A complete SVG. `style` holds the rules of the chart's own classes for light and dark. */
export function picture({
  width,
  height,
  title,
  description,
  style,
  parts,
}: {
  width: number;
  height: number;
  /** For readers who cannot see the chart. */
  title: string;
  description: string;
  style: { light: string; dark: string };
  parts: string[];
}): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="t d">
<title id="t">${escaped(title)}</title>
<desc id="d">${escaped(description)}</desc>
<style>
text { font: 13px system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif; fill: #1f2328;
  paint-order: stroke; stroke: #fff; stroke-width: 3px; stroke-linejoin: round }
.title { font-size: 16px; font-weight: 600 }
.note { fill: #59636e; font-size: 12px }
.head { font-weight: 600 }
.strong { font-weight: 700; fill: #0550ae }
${style.light}
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; stroke: #0d1117 }
  .note { fill: #9198a1 }
  .strong { fill: #79c0ff }
${style.dark}
}
</style>
${parts.join("\n")}
</svg>
`;
}

/** Rounds to a tenth of a pixel. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
