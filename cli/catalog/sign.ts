//! Makes the Ed25519 keys that sign versions, and signs with them. A bidder with CATALOG_KEYS serves only versions that
//! one of its keys has signed.

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Failure } from "../../build/failure.mjs";
import { sha256 } from "../../shared/catalog/pointer.ts";
import { signatureText, signedBytes } from "../../shared/catalog/signature.ts";
import { done, print } from "./print.ts";
import type { Sign } from "./store.ts";

/** Writes a new private key to a file that does not exist yet. Prints the public key of the file. */
export function keyCommand(path: string, { json }: { json?: boolean }): void {
  const isNew = !existsSync(path);
  if (isNew) {
    const { privateKey } = generateKeyPairSync("ed25519");
    writeFileSync(path, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600, flag: "wx" });
  }
  const publicKey = createPublicKey(privateKey(path)).export({ type: "spki", format: "der" }).toString("base64");
  const text = isNew ? `wrote the private key to ${path}: keep it secret` : `${path} was there already, and stays`;
  const next = `its public key, for wrangler.toml:\n  CATALOG_KEYS = "${publicKey}"\nsign with it: npx edgebid catalog push FILE --sign ${path}`;
  print(json, { file: path, new: isNew, public: publicKey }, `${done(text)}\n${next}`);
}

/** Reads a private key in PEM. Throws {@link Failure}, which never shows the contents of the file. */
export function signerOf(path: string): Sign {
  const key = privateKey(path);
  return async (snapshot, document) => {
    const documentHash = await sha256(document);
    return signatureText(documentHash, sign(null, signedBytes(await sha256(snapshot), documentHash), key));
  };
}

function privateKey(path: string): KeyObject {
  let pem: string;
  try {
    pem = readFileSync(path, "utf8");
  } catch {
    throw new Failure(`there is no file ${path}; make a key: npx edgebid catalog key ${path}`);
  }
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // The message of the error might show the key.
  }
  throw new Failure(`${path} holds no private Ed25519 key; make one: npx edgebid catalog key NEW.pem`);
}
