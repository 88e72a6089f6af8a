//! Reads the sources of versions in KV, for the inspector's lists and diffs.

import { megabytes } from "../bytes.ts";
import { currentOf, isDocument } from "../catalog/listing.ts";
import { fetchDocument, getPointer, placeOf } from "../catalog/versions.ts";
import { MAX_INSPECTED_BYTES } from "../limits.ts";
import { TooLarge } from "./asked.ts";
import { UnknownVersion } from "./beside.ts";
import type { Entry } from "./listed.ts";

/** The source of a version, or of the plain document that is served. Throws {@link UnknownVersion} and {@link TooLarge}. */
export async function documentOf(version: string, env: Env): Promise<Entry> {
  const bytes = await bytesOf(version, env);
  if (bytes.byteLength > MAX_INSPECTED_BYTES) {
    throw new TooLarge(
      `the source of ${version} has ${megabytes(bytes.byteLength)}, and the inspector reads at most ${megabytes(MAX_INSPECTED_BYTES)}; read it on your machine: npx edgebid catalog pull ${version}`,
    );
  }
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new UnknownVersion(`the source of ${version} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

async function bytesOf(version: string, env: Env): Promise<Uint8Array<ArrayBuffer>> {
  const current = await currentOf(await getPointer(env));
  if (current.stored && current.version === version && isDocument(current)) return current.stored;
  const place = await placeOf(env, version);
  const bytes = place && (await fetchDocument(env, place));
  if (bytes) return bytes;
  throw new UnknownVersion(
    place ? `KV has no source of ${version}; its push was interrupted` : `KV has no version ${version}`,
  );
}
