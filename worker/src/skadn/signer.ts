//! Signs bids for Apple's SKAdNetwork with the secret SKADN_KEY. The module says what to sign and where the signatures
//! go.

import { fail } from "../../../shared/telemetry/failures.ts";
import type { Outcome } from "../../../shared/wasm/answers.ts";
import type { Bidder } from "../../../shared/wasm/bidder.ts";
import type { Option, Visit } from "../seams.ts";

/** The name of the option. */
const SKADN = "skadn";

/** The characters of a signature, for which an answer has room: `crates/auction/src/options/skadn.rs`. */
const SIGNATURE_BYTES = 96;

/** A signature that is missing in a response: the byte where it belongs, and the text to sign. */
interface Unsigned {
  at: number;
  message: string;
}

const CURVE = { name: "ECDSA", namedCurve: "P-256" };
const METHOD = { name: "ECDSA", hash: "SHA-256" };

/** About one signature in 500 is shorter than the room for it, so ten attempts are enough. */
const ATTEMPTS = 10;

/** Keeps the key in the secret from request to request. */
export class Skadn implements Option {
  #pem = "";
  #key: CryptoKey | null = null;
  #error: string | null = null;

  /** Reads the key if a campaign may bid with it. */
  fetch({ options }: Bidder, { env }: Visit): Promise<void> | undefined {
    return options.has(SKADN) ? this.#of(env).then(() => undefined) : undefined;
  }

  prepare(bidder: Bidder): void {
    if (bidder.options.has(SKADN)) bidder.useSigner(this.#key !== null);
  }

  /** Writes the signatures into the body. */
  complete({ body, left }: Outcome, { env }: Visit): Promise<void> | undefined {
    const unsigned = left?.[SKADN] as Unsigned[] | undefined;
    return body && unsigned ? this.#sign(body, unsigned, env) : undefined;
  }

  async #sign(body: Uint8Array, unsigned: Unsigned[], env: Visit["env"]): Promise<void> {
    const key = await this.#of(env);
    if (key === null) throw new Error("there is no key for SKAdNetwork any more");
    await Promise.all(unsigned.map(async ({ at, message }) => body.set(await signatureOf(message, key), at)));
  }

  /** The key in SKADN_KEY; null without one, or if the text is not a key. It is read once. */
  async #of({ SKADN_KEY: pem = "" }: Pick<Env, "SKADN_KEY">): Promise<CryptoKey | null> {
    if (pem === this.#pem) return this.#key;
    let [key, error]: [CryptoKey | null, string | null] = [null, null];
    try {
      if (pem) key = await crypto.subtle.importKey("pkcs8", contentOf(pem), CURVE, false, ["sign"]);
    } catch {
      // The message of the error might show the secret.
      error =
        "SKADN_KEY: not a key; expected PKCS#8 PEM of the curve P-256, which begins with -----BEGIN PRIVATE KEY-----";
      fail("skadn-key", error);
    }
    [this.#pem, this.#key, this.#error] = [pem, key, error];
    return key;
  }

  /** Whether bids are signed, and what is wrong with the key. Null if no campaign needs it. */
  state(bidder: Bidder | undefined): { on: boolean; error: string | null } | null {
    if (!bidder?.options.has(SKADN)) return null;
    return { on: this.#key !== null, error: this.#error };
  }
}

/** The signature in DER and Base64, exactly {@link SIGNATURE_BYTES} characters. */
async function signatureOf(message: string, key: CryptoKey): Promise<Uint8Array> {
  const text = new TextEncoder().encode(message);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const signature = btoa(String.fromCharCode(...der(new Uint8Array(await crypto.subtle.sign(METHOD, key, text)))));
    if (signature.length === SIGNATURE_BYTES) return new TextEncoder().encode(signature);
  }
  throw new Error("no signature for SKAdNetwork has the right length");
}

/** A signature in DER, as Apple expects it: a sequence of two integers. WebCrypto returns two numbers of 32 bytes. */
function der(raw: Uint8Array): number[] {
  const integers = [raw.subarray(0, 32), raw.subarray(32)].flatMap((number) => {
    const start = number.findIndex((byte) => byte > 0);
    const bytes = start < 0 ? [0] : [...number.subarray(start)];
    // The highest bit is the sign.
    const positive = (bytes[0] ?? 0) >= 0x80 ? [0, ...bytes] : bytes;
    return [0x02, positive.length, ...positive];
  });
  return [0x30, integers.length, ...integers];
}

/** The bytes of a PEM text, in which line breaks may be written as `\n`. Throws if the text is not PEM. */
function contentOf(pem: string): Uint8Array<ArrayBuffer> {
  const [, base64] = /-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----/.exec(pem) ?? [];
  if (base64 === undefined) throw new TypeError("not PEM");
  return Uint8Array.from(atob(base64.replace(/\\n|\s/g, "")), (character) => character.charCodeAt(0));
}
