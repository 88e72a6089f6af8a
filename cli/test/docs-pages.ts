//! Finds the examples, links and paths in the documents.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ROOT } from "../../build/tools.mjs";

/** The pages whose demos bill impressions, so that a report on another page would show them too. */
const BILLING = ["docs/live.md", "docs/forecast.md"];

/** The pages for users, as paths from the root. Their examples run, one page after another. */
export const PAGES = [
  "README.md",
  "SECURITY.md",
  ...pagesIn("docs").filter((page) => !BILLING.includes(page)),
  ...BILLING,
];

/** The pages for people who change the code. Their examples build and test, so they do not run here. */
export const CODE_PAGES = ["ARCHITECTURE.md", "CONTRIBUTING.md"];

/** The details of the code, which ARCHITECTURE.md leads to. */
export const DETAILS = pagesIn("docs/code");

/** The pages beside files for partners. Their examples run in the partner's software. */
export const PARTNER_PAGES = ["integrations/prebid-server/README.md", "integrations/dte/README.md"];

/** The records of decisions. They are dated, and the files that they name may no longer exist. */
export const DECISIONS = pagesIn("docs/decisions");

function pagesIn(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith(".md"));
  return names.map((name) => `${folder}/${name}`);
}

/** A fenced example: ```` ```LANGUAGE KIND FILE ````. */
export interface Example {
  line: number;
  language: string;
  /** What a JSON example is or is a part of, such as a catalog. */
  kind: string;
  /** The file that readers are told to save it as. */
  file: string | undefined;
  text: string;
}

export function textOf(page: string): string {
  return readFileSync(join(ROOT, page), "utf8");
}

export function examplesOf(text: string): Example[] {
  const fences = /^```(\w*) *(\S*) *(\S*)\n([\s\S]*?)^```$/gm;
  return [...text.matchAll(fences)].map(({ index, 1: language = "", 2: kind = "", 3: file, 4: body = "" }) => {
    const line = text.slice(0, index).split("\n").length;
    return { line, language, kind, file: file || undefined, text: body };
  });
}

/** Paths and anchors that a page links to inside the repository, from its root. */
export function linksOf(page: string, text: string): { path: string; anchor: string }[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, "").replace(/`[^`\n]*`/g, "");
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)].map(
    ([, link, html]) => link ?? html ?? "",
  );
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = "", anchor = ""] = target.split("#");
      return { path: path === "" ? page : relative(ROOT, join(ROOT, dirname(page), path)), anchor };
    });
}

const FOLDERS = ["bench", "build", "cli", "crates", "docs", "fixtures", "integrations", "shared", "tools", "worker"];

/** The paths that a page names, from the root or only their last parts. Paths with a placeholder (NAME) are left out. */
export function pathsOf(text: string): string[] {
  const words = [...text.matchAll(/(?<=[`\s])[\w./-]+(?=[`\s])/g)].map(([word]) => word);
  const isPath = (word: string) => /\.(rs|ts)$/.test(word) || FOLDERS.some((folder) => word.startsWith(`${folder}/`));
  return words.filter((word) => isPath(word) && !/\b[A-Z]{4}\b/.test(word));
}

/** The paths that lead to no file or folder of the repository. */
export function missingPaths(paths: string[]): string[] {
  const known = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) => `/${folder}/${path}`),
  );
  return paths.filter((path) => !known.some((one) => one.endsWith(`/${path}`)));
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(text: string): string[] {
  const headings = text.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** The commands of a shell example, without comments, continued lines joined. */
export function commandsOf(text: string): string[] {
  const lines = text.replace(/\\\n\s*/g, "").split("\n");
  return lines.map((line) => line.replace(/(^|\s)#\s.*$/, "").trim()).filter((line) => line !== "");
}

/** The first line of `wanted` that is missing in `output`. The order of lines counts; `…` stands for any text. */
export function missingLine(wanted: string, output: string): string | undefined {
  const rest = output.split("\n").map((line) => line.trim());
  for (const line of wanted.split("\n").map((line) => line.trim())) {
    if (line === "" || line === "…") continue;
    const parts = line.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const pattern = new RegExp(`^${parts.join(".*")}$`);
    const at = rest.findIndex((one) => pattern.test(one));
    if (at < 0) return line;
    rest.splice(0, at + 1);
  }
  return undefined;
}
