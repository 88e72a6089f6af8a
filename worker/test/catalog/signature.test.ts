//! With CATALOG_KEYS, an isolate serves only what one of these keys has signed.

import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import type { Sign } from "../../../cli/catalog/store.ts";
import { POINTER_KEY, partKeys, sha256, signatureKey, versionOf } from "../../../shared/catalog/pointer.ts";
import { signatureText, signedBytes } from "../../../shared/catalog/signature.ts";
import { cheap, dear } from "../support/catalogs.ts";
import { now } from "../support/clock.ts";
import { fresh, type Isolate, later } from "../support/isolate.ts";
import { compiled, patched, pointer, pushed, rolledBack } from "../support/kv.ts";

interface Pair {
  /** The public key as Base64. */
  open: string;
  sign: Sign;
}

/** A pair of keys, as the commands use one. */
async function pair(): Promise<Pair> {
  const { publicKey, privateKey } = (await crypto.subtle.generateKey("Ed25519", true, ["sign"])) as CryptoKeyPair;
  const spki = new Uint8Array((await crypto.subtle.exportKey("spki", publicKey)) as ArrayBuffer);
  const sign: Sign = async (snapshot, document) => {
    const hash = await sha256(document);
    const message = signedBytes(await sha256(snapshot), hash);
    return signatureText(hash, new Uint8Array(await crypto.subtle.sign("Ed25519", privateKey, message)));
  };
  return { open: spki.toBase64(), sign };
}

let ours: Pair;
let theirs: Pair;
let isolate: Isolate;

beforeEach(async () => {
  [ours, theirs] = [await pair(), await pair()];
  isolate = await fresh();
  await pushed(cheap, { sign: ours.sign });
});

/** Refreshes, and returns the price of a bid and the failure. */
async function served(keys = ours.open): Promise<[number, string | null]> {
  return [await isolate.next({ CATALOG_KEYS: keys }), isolate.keeper.state().failure];
}

it("serves what one of the keys has signed", async () => {
  expect(await served(`${theirs.open}, ${ours.open}`)).toEqual([1.8, null]);
  await pushed(dear, { sign: ours.sign });
  expect(await served(pem(ours.open))).toEqual([1.9, null]);
  await rolledBack();
  expect(await served()).toEqual([1.8, null]);
});

const pem = (base64: string) => `-----BEGIN PUBLIC KEY-----\\n${base64}\\n-----END PUBLIC KEY-----\n`;

/** Signs with what the version before has. */
const ofThePointer: Sign = async () => (await pointer()).signature ?? "";

it.each<[string, () => Promise<unknown>, RegExp]>([
  ["is not signed", () => pushed(dear, { force: true }), /is not signed/],
  ["another key has signed", () => pushed(dear, { sign: theirs.sign }), /no key of CATALOG_KEYS has signed/],
  ["has the signature of another version", () => pushed(dear, { sign: ofThePointer }), /no key of CATALOG_KEYS has/],
  ["is a document without a snapshot", () => env.CATALOG.put(POINTER_KEY, dear), /cannot be signed/],
])("keeps the last good version if the next one %s", async (_, push, failure) => {
  expect(await served()).toEqual([1.8, null]);
  await push();
  expect(await served()).toEqual([1.8, expect.stringMatching(failure)]);
  expect(isolate.counters.toJSON()).toMatchObject({ "catalog-refused": 1 });
});

it("a new isolate serves the previous version if the pointer names an unsigned one", async () => {
  await pushed(dear, { force: true });
  expect(await served()).toEqual([1.8, expect.stringContaining("is not signed")]);
});

it("a new isolate does not bid if nothing is signed", async () => {
  await env.CATALOG.delete(signatureKey((await pointer()).version));
  await pushed(dear, { force: true });
  expect(await served()).toEqual([0, expect.stringContaining("is not signed")]);
});

it("does not compile a source that was not signed", async () => {
  expect(await served()).toEqual([1.8, null]);
  // As another build would push it: with another layout.
  const { snapshot: ourLayout } = compiled(cheap);
  const snapshot = new Uint8Array(ourLayout.with(8, 1 + (ourLayout[8] ?? 0)));
  const version = await versionOf(snapshot);
  const put = async (document: Uint8Array<ArrayBuffer>) => {
    await env.CATALOG.put(partKeys(version, "snapshot", 1)[0] ?? "", snapshot);
    await env.CATALOG.put(partKeys(version, "document", 1)[0] ?? "", document);
    const signature = await ours.sign(snapshot, dear);
    await patched({ version, signature, pushed: new Date(now()).toISOString() });
  };
  await put(cheap);
  expect(await served()).toEqual([1.8, expect.stringContaining("another source")]);
  expect(isolate.keeper.version).not.toBe(version);
  later();
  await put(dear);
  expect(await served()).toEqual([1.9, null]);
});

it("serves nothing new if CATALOG_KEYS holds no keys", async () => {
  const failure = expect.stringContaining("CATALOG_KEYS: entry 1 is no public Ed25519 key");
  for (const keys of ["nonsense", " ", "\n", " , ", "\u00a0"]) expect(await served(keys)).toEqual([0, failure]);
});
