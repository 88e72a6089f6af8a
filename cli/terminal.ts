//! Guards the text output of the commands. Ids, keys and values come from others: an escape sequence in them could move
//! the cursor, or write the title or the clipboard. So control characters are written as in JSON.

const ESCAPE = "\u001b";
/**
 * Our own sequences: redrawing a line, lines or the screen, the colours of `styleText`, and ends of lines; or one
 * control character.
 */
const OURS = [
  `^\r?${ESCAPE}\\[(?:K|\\d+A${ESCAPE}\\[J|2J${ESCAPE}\\[H)`,
  `${ESCAPE}\\[(?:1|2|22|31|32|33|39)m`,
  "\r\n",
];
const CONTROL = new RegExp([...OURS, "[^\\P{Cc}\n\t]"].join("|"), "gu");

/** The text with the control characters of others written as escapes. */
export function shown(text: string): string {
  return text.replace(CONTROL, (found) =>
    found.length > 1 ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Makes the stream show every text that is written to it. Bytes stay as they are. */
export function guard(stream: Pick<NodeJS.WriteStream, "write">): void {
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  stream.write = (chunk: unknown, ...rest: unknown[]) =>
    write(typeof chunk === "string" ? shown(chunk) : chunk, ...rest);
}
