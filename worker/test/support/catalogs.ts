//! Catalogs and requests of the tests.

import { catalogDocument, simple, text } from "./fixtures.ts";

/** A catalog document, as bytes or parsed. */
export type Catalog = Uint8Array<ArrayBuffer> | object;

export function file(content: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(content));
}

export function json(value: unknown): Uint8Array<ArrayBuffer> {
  return file(JSON.stringify(value));
}

/** `fixtures/catalog.json` after a change of the parsed document. */
export function changed(change: (document: ReturnType<typeof JSON.parse>) => void): Uint8Array<ArrayBuffer> {
  const document = JSON.parse(text(catalogDocument));
  change(document);
  return json(document);
}

const named = (name: string) => (one: { id?: string; cid?: string }) => (one.cid ?? one.id) === name;

/** The example with these members of `acme-spring`, the campaign that bids on the simple request, and of the SSP `demo`. */
export function example({ spring = {}, demo = {} }): Uint8Array<ArrayBuffer> {
  return changed(({ campaigns, ssps }) => {
    Object.assign(campaigns.find(named("acme-spring")), spring);
    Object.assign(ssps.find(named("demo")), demo);
  });
}

/** Members of a campaign without notice URLs of its own, so that its bids have ours. */
export const NO_URLS = { nurl: undefined, burl: undefined, lurl: undefined };

/** The example, whose campaign on the simple request pays 1.80 dollars, and the same with 1.90. */
export const cheap = catalogDocument;
export const dear = priced("1.90");

/** The example with this price of the campaign that bids on the simple request. */
export function priced(price: string): Uint8Array<ArrayBuffer> {
  return file(text(catalogDocument).replace('"max_cpm": "1.80"', `"max_cpm": "${price}"`));
}

/** The simple request with these members. */
export function simpleWith(more: object): Uint8Array<ArrayBuffer> {
  return json({ ...JSON.parse(text(simple)), ...more });
}

/** A catalog with one creative, a banner of 300 by 250, and these campaigns that show it. */
export function smallCatalog(campaigns: object[], more: object = {}): object {
  const campaign = { seat: "s", adomain: ["a.example"], max_cpm: "1", creatives: ["b"] };
  return {
    format: 1,
    ssps: [{ id: "demo" }],
    creatives: [{ crid: "b", banner: { w: 300, h: 250, adm: "<p>" } }],
    campaigns: campaigns.map((own, n) => ({ cid: `c${n}`, ...campaign, ...own })),
    ...more,
  };
}

/** A request that the campaigns of {@link smallCatalog} bid on. */
export function smallRequest(more: object = {}): Uint8Array<ArrayBuffer> {
  return json({ id: "r", imp: [{ id: "1", banner: { w: 300, h: 250 } }], ...more });
}
