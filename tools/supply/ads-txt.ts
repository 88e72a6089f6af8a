//! Reads ads.txt and app-ads.txt (IAB Tech Lab, ads.txt 1.1): the authorised accounts, and the variables that lead to
//! other files.

/** An authorised account, as a line has it. */
export interface Line {
  /** The domain of the advertising system, in lower case. */
  system: string;
  sid: string;
  isDirect: boolean;
}

/** The content of a file. */
export interface AdsTxt {
  lines: Line[];
  /** Owners of content whose ads.txt names authorised accounts too: `INVENTORYPARTNERDOMAIN`. */
  partners: string[];
  /** Subdomains whose own ads.txt counts: `SUBDOMAIN`. */
  subdomains: string[];
  /** The lines that look like one of these and are none, counted from 1. */
  unreadable: number[];
}

/** The most bytes of a file. The longest known ones have less than 2 MB. */
export const MAX_BYTES = 8 << 20;
/** A line, for messages. A file that lets nobody sell has one with a placeholder (section 3.2.1). */
export const EXAMPLE = "exchange.example, pub-1, DIRECT";
const RELATIONS = ["DIRECT", "RESELLER"];
const VARIABLES: Record<string, "partners" | "subdomains"> = {
  INVENTORYPARTNERDOMAIN: "partners",
  SUBDOMAIN: "subdomains",
};
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
  const file: AdsTxt = { lines: [], partners: [], subdomains: [], unreadable: [] };
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (!readLine((line.split("#", 1)[0] ?? "").trim(), file)) file.unreadable.push(at + 1);
  }
  const isEmpty = file.lines.length + file.partners.length === 0;
  return isEmpty ? `no account; expected a line such as ${EXAMPLE}` : file;
}

/** Adds what a line says. False: it looks like an account or a variable, and is none. */
function readLine(line: string, file: AdsTxt): boolean {
  // The value of a variable, such as CONTACT=ads@news.example, may have commas.
  const [, variable, value = ""] = /^([\w-]+)\s*=\s*(.*)$/.exec(line) ?? [];
  if (variable !== undefined) {
    const list = VARIABLES[variable.toUpperCase()];
    const domain = domainIn(value.split(/[\s,;]/, 1)[0] ?? "");
    if (list && domain) file[list].push(domain);
    return !list || domain !== undefined;
  }
  const [system = "", sid = "", relation] = line.split(",").map((field) => field.trim());
  if (!line.includes(",")) return true;
  const [word = ""] = (relation ?? "").toUpperCase().split(/[\s;]/, 1);
  const name = domainIn(system);
  // Many characters that nobody sees come from word processors. No exchange has them in its accounts.
  if (name === undefined || sid === "" || /:\/\/|\p{Cf}/u.test(sid) || !RELATIONS.includes(word)) return false;
  file.lines.push({ system: name, sid, isDirect: word === "DIRECT" });
  return true;
}

/** The domain in a field, in lower case. Some files have a URL instead. */
function domainIn(field: string): string | undefined {
  const name = field
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/[/.]+$/, "");
  return /^[^\s/:\p{Cf}]+$/u.test(name) ? name : undefined;
}

/** A run of characters longer than any line with an account. A pattern could take hours for a line of megabytes. */
const ENDLESS = /[^\r\n#]{500,}/g;

/** A text in UTF-8, or in UTF-16 if it says so. An endless line becomes one that is no account. */
function textOf(bytes: Uint8Array): string {
  const [, encoding] = ENCODINGS.find(([bom]) => bom.every((byte, at) => bytes[at] === byte)) ?? [];
  return new TextDecoder(encoding).decode(bytes).replace(ENDLESS, ",");
}
