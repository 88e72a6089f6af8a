//! With CATALOG_KEYS, an isolate serves only what one of these keys has signed.

import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { rollback } from "../../../cli/catalog/move.ts";
import type { Sign } from "../../../cli/catalog/store.ts";
import { POINTER_KEY, type Pointer, partKeys, sha256, signatureKey, versionOf } from "../../src/catalog/pointer.ts";
import { signatureText, signedBytes } from "../../src/catalog/signature.ts";
import { cheap, clear, compiled, dear, Isolate, later, open, options, pushed, store } from "../support/isolate.ts";

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
  later();
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(console, "warn").mockImplementation(() => {});
  [ours, theirs] = [await pair(), await pair()];
  isolate = new Isolate();
  await clear();
  await pushed(cheap, store, { sign: ours.sign });
});

const guarded = (keys = ours.open): Env => ({ ...env, CATALOG_KEYS: keys }) as unknown as Env;

/** Refreshes, and returns the price of a bid and the failure. */
async function served(keys?: string): Promise<[number, string | null]> {
  await isolate.refresh(guarded(keys));
  return [await isolate.price(), isolate.keeper.state().failure];
}

async function pointer(): Promise<Pointer> {
  return (await env.CATALOG.get<Pointer>(POINTER_KEY, "json")) as Pointer;
}

it("serves what one of the keys has signed", async () => {
  expect(await served(`${theirs.open}, ${ours.open}`)).toEqual([1.8, null]);
  await pushed(dear, store, { sign: ours.sign });
  expect(await served(pem(ours.open))).toEqual([1.9, null]);
  await rollback(store, undefined, open, options());
  expect(await served()).toEqual([1.8, null]);
});

const pem = (base64: string) => `-----BEGIN PUBLIC KEY-----\\n${base64}\\n-----END PUBLIC KEY-----\n`;

it.each<[string, () => Promise<unknown>, RegExp]>([
  ["is not signed", () => pushed(dear, store, { force: true }), /is not signed/],
  ["another key has signed", () => pushed(dear, store, { sign: theirs.sign }), /no key of CATALOG_KEYS has signed/],
  [
    "has the signature of another version",
    async () => {
      const { signature } = await pointer();
      await pushed(dear, store, { sign: async () => signature ?? "" });
    },
    /no key of CATALOG_KEYS has signed/,
  ],
  ["is a document without a snapshot", () => env.CATALOG.put(POINTER_KEY, dear), /cannot be signed/],
])("keeps the last good version if the next one %s", async (_, push, failure) => {
  expect(await served()).toEqual([1.8, null]);
  await push();
  expect(await served()).toEqual([1.8, expect.stringMatching(failure)]);
  expect(isolate.counters.toJSON()).toMatchObject({ "catalog-refused": 1 });
});

it("a new isolate serves the previous version if the pointer names an unsigned one", async () => {
  await pushed(dear, store, { force: true });
  expect(await served()).toEqual([1.8, expect.stringContaining("is not signed")]);
});

it("a new isolate does not bid if nothing is signed", async () => {
  await env.CATALOG.delete(signatureKey((await pointer()).version));
  await pushed(dear, store, { force: true });
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
    const next = { ...(await pointer()), version, signature, pushed: new Date().toISOString() };
    await env.CATALOG.put(POINTER_KEY, JSON.stringify(next));
  };
  await put(cheap);
  expect(await served()).toEqual([1.8, expect.stringContaining("another source")]);
  expect(isolate.keeper.version).not.toBe(version);
  later();
  await put(dear);
  expect(await served()).toEqual([1.9, null]);
});

it("serves nothing new if CATALOG_KEYS holds no keys", async () => {
  expect(await served("nonsense")).toEqual([
    0,
    expect.stringContaining("CATALOG_KEYS: entry 1 is no public Ed25519 key"),
  ]);
});
