//! Reads ads.txt and app-ads.txt (IAB Tech Lab, ads.txt 1.1): the authorised accounts. It does not read variables.

/** An authorised account, as a line has it. */
export interface Line {
  /** The domain of the advertising system, in lower case. */
  system: string;
  sid: string;
  isDirect: boolean;
}

/** The authorised accounts of a file, and the lines that look like one and are none, counted from 1. */
export interface AdsTxt {
  lines: Line[];
  unreadable: number[];
}

/** The most bytes of a file. The longest known ones have less than 2 MB. */
export const MAX_BYTES = 8 << 20;
/** A line, for messages. A file that lets nobody sell has one with a placeholder (section 3.2.1). */
export const EXAMPLE = "exchange.example, pub-1, DIRECT";
const RELATIONS = ["DIRECT", "RESELLER"];
const ENCODINGS: [bom: number[], encoding: string][] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];

/** The content of a file; or in words why it is none, such as a page of a web server in its place. */
export function readAdsTxt(bytes: Uint8Array): AdsTxt | string {
  if (bytes.byteLength > MAX_BYTES) return `${bytes.byteLength} bytes; expected at most ${MAX_BYTES}`;
  const text = textOf(bytes);
  if (text.includes("\0")) return "binary data; expected a text";
  if (/^\s*</.test(text)) return `HTML or XML; expected a text with lines such as ${EXAMPLE}`;
  const file: AdsTxt = { lines: [], unreadable: [] };
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    const content = line.split("#", 1)[0] ?? "";
    const fields = content.split(",").map((field) => field.trim());
    const [system = "", sid = "", relation = ""] = fields;
    // A variable, such as CONTACT=ads@news.example, may have commas in its value.
    if (fields.length < 2 || /^[\w-]+\s*=/.test(system)) continue;
    const [word = ""] = relation.toUpperCase().split(/[\s;]/, 1);
    const name = system
      .toLowerCase()
      .replace(/^https?:\/\//, "")
      .replace(/[/.]+$/, "");
    if (name === "" || sid === "" || !RELATIONS.includes(word)) file.unreadable.push(at + 1);
    else file.lines.push({ system: name, sid, isDirect: word === "DIRECT" });
  }
  return file.lines.length > 0 ? file : `no account; expected a line such as ${EXAMPLE}`;
}

/** A run of characters longer than any line with an account. A pattern could take hours for a line of megabytes. */
const ENDLESS = /[^\r\n#]{500,}/g;

/** A text in UTF-8, or in UTF-16 if it says so. An endless line becomes one that is no account. */
function textOf(bytes: Uint8Array): string {
  const [, encoding] = ENCODINGS.find(([bom]) => bom.every((byte, at) => bytes[at] === byte)) ?? [];
  return new TextDecoder(encoding).decode(bytes).replace(ENDLESS, ",");
}
