//! Watches a bidder until Ctrl-C or a number of seconds, shows its figures, and keeps its requests.

import { Figures } from "../../worker/src/tail/figures.ts";
import { countText } from "../catalog/print.ts";
import type { Source } from "./heard.ts";
import type { Keep } from "./keep.ts";
import { type Show, summary } from "./screen.ts";

export interface Watching {
  source: Source;
  show: Show;
  /** Where captured requests go. */
  keep?: Keep | undefined;
  /** Ends after this many seconds. */
  seconds?: number | undefined;
  /** Ends when this is aborted. */
  stop?: AbortController;
}

/** Watches, and says at the end on standard error what was seen. */
export async function watch({ source, show, keep, seconds, stop = new AbortController() }: Watching): Promise<void> {
  const end = () => stop.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, end);
  const timer = seconds === undefined ? undefined : setTimeout(end, seconds * 1000);
  const figures = new Figures();
  try {
    for await (const heard of source(stop.signal)) {
      if ("captured" in heard) await keep?.add(heard.captured);
      else {
        figures.add(heard.second);
        show(heard.second, figures);
      }
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, end);
    await keep?.close();
    if (figures.all.ms > 0) process.stderr.write(`\n${summary(figures.all)}\n`);
    if (keep) process.stderr.write(`${keptText(keep, figures.all.lost)}\n`);
  }
}

function keptText({ kept, path }: Keep, lost: number): string {
  const without = lost > 0 ? `; ${lost.toLocaleString("en-US")} were too long or too many to keep` : "";
  return `kept ${countText(kept, "request")} in ${path}${without}`;
}
