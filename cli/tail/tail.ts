//! `edgebid tail`: shows what a bidder does now, and keeps some of its requests.

import { Keep } from "./keep.ts";
import { localSource } from "./local.ts";
import { remoteSource } from "./remote.ts";
import { screen } from "./screen.ts";
import { watch } from "./watch.ts";

/** Options of the command. */
export interface TailOptions {
  url: string;
  remote?: boolean;
  env?: string;
  keep?: string;
  oneIn: number;
  seconds?: number;
  json?: boolean;
}

/** Watches until Ctrl-C. Throws {@link Failure}. */
export async function tail({ url, remote, env, keep: path, oneIn, seconds, json = false }: TailOptions): Promise<void> {
  const keep = path === undefined ? undefined : new Keep(path);
  const isRemote = remote || env !== undefined;
  const source = isRemote ? remoteSource(env) : localSource(url, keep ? oneIn : 0);
  const title = isRemote ? `edgebid${env ? ` (${env})` : ""}, as wrangler tail tells it` : `${url}, one isolate`;
  await watch({ source, show: screen(title, { json }), keep, seconds });
}
