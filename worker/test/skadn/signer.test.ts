//! Bids for Apple's SKAdNetwork: every signature is valid for the public key and for what Apple concatenates.

import { generateKeyPairSync, verify } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { smallCatalog, smallRequest } from "../support/catalogs.ts";
import { bidsIn, fresh, type Isolate, NOTICE_KEYS } from "../support/isolate.ts";
import { pushed } from "../support/kv.ts";

const SEPARATOR = "\u2063";

const skadn = { network: "abc123.skadnetwork", itunesitem: "123456789", sourceidentifier: "4321", campaign: "45" };
const catalog = (own: object = {}) => {
  const creatives = [{ crid: "b", banner: { w: 300, h: 250, adm: "<b>ü</b>" } }];
  return smallCatalog([{ skadn: { ...skadn, ...own } }], { privacy: { bid_unregistered: false }, creatives });
};
const request = (versions: string[], imps = 1) => {
  const offer = { versions, sourceapp: "880047117", skadnetids: ["abc123.skadnetwork"] };
  const imp = (_: unknown, position: number) => ({
    id: `${position}`,
    banner: { w: 300, h: 250 },
    ext: { skadn: offer },
  });
  return smallRequest({ imp: Array.from({ length: imps }, imp) });
};

interface Proof {
  fidelity?: number;
  nonce: string;
  timestamp: string;
  signature: string;
}

interface Ad extends Proof {
  version: string;
  network: string;
  sourceidentifier?: string;
  campaign?: string;
  itunesitem: string;
  sourceapp: string;
  fidelities?: Proof[];
}

const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
let isolate: Isolate;

beforeEach(async () => {
  isolate = await fresh();
});

/** What each bid says to SKAdNetwork; undefined for a bid without it. */
async function ads(SKADN_KEY = "", versions = ["4.0"], imps = 1): Promise<(Ad | undefined)[]> {
  const response = await isolate.post(request(versions, imps), {}, { SKADN_KEY });
  return (await bidsIn<{ ext?: { skadn: Ad } }>(response)).map(({ ext }) => ext?.skadn);
}

function isSigned(ad: Ad, { fidelity, nonce, timestamp, signature }: Proof): boolean {
  const number = ad.version === "4.0" ? ad.sourceidentifier : ad.campaign;
  const values = [ad.version, ad.network, number, ad.itunesitem, nonce, ad.sourceapp, fidelity, timestamp];
  const text = new TextEncoder().encode(values.filter((value) => value !== undefined).join(SEPARATOR));
  expect(signature).toHaveLength(96);
  return verify("sha256", text, publicKey, Buffer.from(signature, "base64"));
}

it.each([
  ["4.0", ["3.0", "4.0"], 2],
  ["3.0", ["2.2", "3.0"], 2],
  ["2.1", ["2.0", "2.1"], 1],
])("version %s", async (version, versions, each) => {
  await pushed(catalog({ required: true }));
  const all = await ads(pem, versions, 40);
  expect(all).toHaveLength(40);
  const nonces = new Set<string>();
  for (const ad of all) {
    if (ad === undefined) throw new Error("a bid says nothing to SKAdNetwork");
    expect(ad.version).toBe(version);
    for (const proof of ad.fidelities ?? [ad]) {
      expect(isSigned(ad, proof)).toBe(true);
      expect(isSigned({ ...ad, sourceapp: "1" }, proof)).toBe(false);
      nonces.add(proof.nonce);
    }
  }
  expect(nonces.size).toBe(40 * each);
});

it("requests that wait for the key at once keep their own origins", async () => {
  await pushed(catalog());
  await isolate.refresh();
  const vars = { SKADN_KEY: pem, NOTICE_KEYS };
  const hosts = ["one.example", "two.example"];
  const answers = hosts.map(async (host) => {
    const init = { method: "POST", body: request(["4.0"]) };
    return (await isolate.fetch(`https://${host}/bid/demo`, init, vars)).text();
  });
  for (const [position, text] of (await Promise.all(answers)).entries()) {
    expect(new Set(text.match(/\w+\.example(?=\/n\/)/g))).toEqual(new Set([hosts[position]]));
  }
});

it("bids without it while there is no key", async () => {
  await pushed(catalog());
  expect(await ads()).toEqual([undefined]);
  expect(await ads(pem)).toMatchObject([{ version: "4.0" }]);
  expect(await ads()).toEqual([undefined]);
  expect(isolate.options.skadn.state(isolate.bidder())).toEqual({ on: false, error: null });
});

it.each(["", "no PEM", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"])(
  "does not bid with the key %j if the campaign requires it",
  async (key) => {
    await pushed(catalog({ required: true }));
    const response = await isolate.post(request(["4.0"]), {}, { SKADN_KEY: key });
    expect(response.status).toBe(204);
    expect(isolate.counters.toJSON()).toMatchObject({ skadn: 1 });
    const { on, error } = isolate.options.skadn.state(isolate.bidder()) ?? {};
    expect([on, error?.includes("SKADN_KEY")]).toEqual([false, key === "" ? undefined : true]);
  },
);

it("takes a key in one line", async () => {
  await pushed(catalog());
  expect(await ads(pem.replaceAll("\n", "\\n"))).toMatchObject([{ version: "4.0" }]);
});
