//! `edgebid forget`: deletes what the frequency caps have counted about a person. The id goes in the body of a request, so
//! that no log of addresses has it.

import { ask } from "../money/client.ts";

/** Options of the command. */
export interface ForgetOptions {
  kind?: string;
  source?: string;
  url: string;
  json?: boolean;
}

/** Forgets the person with this id. Throws {@link Failure}. */
export async function forget(id: string, { kind, source, url, json }: ForgetOptions): Promise<void> {
  const response = await ask(url, "forget", {}, "application/json", { id, kind, source });
  const { rows }: { rows: number } = await response.json();
  if (json) process.stdout.write(`${JSON.stringify({ rows })}\n`);
  else
    process.stdout.write(
      rows === 0 ? "nothing was counted about this id\n" : `deleted ${rows} ${rows === 1 ? "row" : "rows"}\n`,
    );
}
