//! Signatures of versions. If the variable CATALOG_KEYS names public keys, the Worker serves only versions that one of
//! these keys has signed.
//!
//! A signature covers the snapshot and its source. It does not cover the pointer: a person who can write KV can still
//! serve another signed version, or stop campaigns. The commands sign (`cli/catalog/sign.ts`), and share this file.

/** Checks signatures with the public keys of an environment. */
export interface Keys {
  /**
   * Why the snapshot of a version must not be served; null if a key has signed it. `snapshotHash` is its SHA-256 in
   * hex; `signature` is the text in the pointer or in KV, undefined if there is none.
   */
  refusal(version: string, snapshotHash: string, signature: string | undefined): Promise<string | null>;
}

/** A signature as text: the hash of the source, 64 hex digits, a point, and 64 bytes in Base64. */
const SIGNATURE = /^([0-9a-f]{64})\.([A-Za-z0-9+/]{86}==)$/;

/**
 * The bytes that are signed. The first line names the purpose, so a signature for another purpose is never valid here.
 */
export function signedBytes(snapshotHash: string, documentHash: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(`edgebid catalog\n${snapshotHash}\n${documentHash}\n`));
}

/** The text of a signature. */
export function signatureText(documentHash: string, signature: Uint8Array): string {
  return `${documentHash}.${btoa(String.fromCharCode(...signature))}`;
}

/** The hash of the source that a signature names; null if the text is not a signature. */
export function documentHashOf(signature: string | undefined): string | null {
  return SIGNATURE.exec(signature ?? "")?.[1] ?? null;
}

/**
 * The keys in a text: public Ed25519 keys as PEM or as its Base64 without the first and last line, with commas between
 * them. Null if the text is empty: then no signature is needed. Throws for a text that is not a list of keys, such as a
 * space.
 */
export async function keysOf(text: string | undefined): Promise<Keys | null> {
  if (!text) return null;
  const keys = await Promise.all(text.split(",").map(publicKey));
  return {
    async refusal(version, snapshotHash, signature) {
      const [, documentHash = "", base64 = ""] = SIGNATURE.exec(signature ?? "") ?? [];
      if (!documentHash) return `version ${version} is not signed, and CATALOG_KEYS is set; push it with --sign`;
      const message = signedBytes(snapshotHash, documentHash);
      const bytes = bytesOf(base64);
      const checked = await Promise.all(keys.map((key) => crypto.subtle.verify("Ed25519", key, bytes, message)));
      if (checked.includes(true)) return null;
      return `no key of CATALOG_KEYS has signed version ${version}; push it with --sign and the right key`;
    },
  };
}

async function publicKey(text: string, position: number): Promise<CryptoKey> {
  try {
    const base64 = text.replace(/-----(BEGIN|END) PUBLIC KEY-----|\\n|\s/g, "");
    return await crypto.subtle.importKey("spki", bytesOf(base64), "Ed25519", false, ["verify"]);
  } catch {
    throw new Error(`CATALOG_KEYS: entry ${position + 1} is no public Ed25519 key; expected PEM, as openssl writes it`);
  }
}

/** The bytes of a text in Base64. Throws if the text is not Base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
