//! `edgebid validate`: prints all findings of the module's strict decode, for people or as JSON.

import { styleText } from "node:util";
import { EXIT, Failure } from "../build/failure.mjs";
import type { Finding } from "../shared/catalog/compile.ts";
import { countText } from "../shared/compare/text.ts";
import { type Compiling, Instance, isTrue } from "../shared/wasm/instance.ts";
import { countsText, errorsIn } from "./catalog/print.ts";
import { kindOf, readInput } from "./input.ts";
import { compiler } from "./module.ts";
import { allRequests } from "./replay/lines.ts";

interface Report {
  /** The file, with the line if it has a request in each. */
  file: string;
  /** Why the file is not a bid request; null if it is a bid request. */
  error: string | null;
  findings: Finding[];
}

/** Prints the findings of each request of the files. Returns the exit status. */
export function validate(files: string[], options: { strict?: boolean; json?: boolean }): number {
  let status: number = EXIT.ok;
  const instance = new Instance<Compiling>(compiler);
  const reports = files.flatMap((file): Report[] => {
    try {
      return allRequests(file, readInput(file)).map(({ name, body }) => report(name, body));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      status = error.status;
      return [{ file, error: error.message.replace(`${file} `, ""), findings: [] }];
    }
  });
  const wrong = reports.filter(({ error, findings }) => error !== null || errorsIn(findings) > 0).length;
  const sum = reports.length > 1 ? `${countText(reports.length, "request")}, ${wrong} with errors\n` : "";
  process.stdout.write(options.json ? `${JSON.stringify(reports, null, 2)}\n` : reports.map(text).join("") + sum);
  if (status !== EXIT.ok) return status;
  return wrong > 0 ? EXIT.found : EXIT.ok;

  function report(file: string, bytes: Uint8Array): Report {
    const readable = isTrue(instance.exports.validate(instance.put(bytes)));
    const output = instance.outputJson<{ error?: string; findings?: Finding[] }>();
    const findings = (output.findings ?? []).map((finding): Finding => {
      const isError = options.strict || finding.rule !== "unknown-attribute";
      return { ...finding, severity: isError ? "error" : "note" };
    });
    // Errors come first. Findings of equal severity stay in the order of the text.
    findings.sort((a, b) => a.severity.localeCompare(b.severity));
    if ((!readable || findings.length > 0) && kindOf(bytes) === "catalog") {
      const error = `this looks like a catalog: npx edgebid catalog validate ${file}`;
      return { file, error, findings: [] };
    }
    return { file, error: readable ? null : (output.error ?? "unreadable"), findings };
  }
}

function text({ file, error, findings }: Report): string {
  if (error !== null) return `${styleText("red", "✗")} ${file}: ${error}\n`;
  const mark = errorsIn(findings) > 0 ? styleText("red", "✗") : styleText("green", "✓");
  const lines = findings.map(({ severity, path, rule, message }) => {
    const color = severity === "error" ? "red" : "yellow";
    return `  ${styleText(color, severity.padEnd(5))} ${path}: ${message} ${styleText("dim", `[${rule}]`)}\n`;
  });
  return `${mark} ${file}: ${countsText(findings)}\n${lines.join("")}`;
}
