//! The first catalog of a person and the requests for it: those of `fixtures/init` and of the template, with the
//! person's country, currency, price and privacy.

import { PRICES, type Question } from "./ask.ts";

export const QUESTIONS = {
  country: PRICES.country,
  cur: PRICES.cur,
  rate: {
    option: "--rate",
    text: "US dollars for one unit of it",
    form: /^\d+(\.\d+)?$/,
    example: "1.08",
    when: ({ cur }) => cur !== "USD",
  },
  cpm: PRICES.cpm,
  vendorId: {
    option: "--vendor-id",
    text: "your id on IAB Europe's Global Vendor List, or none: then it does not bid where GDPR applies",
    usual: "none",
    form: /^(none|[1-9]\d*)$/,
    example: "42",
  },
} satisfies Record<string, Question>;

type Answers = Record<string, string>;
interface Catalog {
  campaigns: { target: object }[];
}
interface Request {
  id: string;
  imp: object[];
}

/** The catalog with these answers. Throws nothing: the compiler checks the values. */
export function catalogFor(catalog: Catalog, { country = "", cur = "", cpm = "", rate, vendorId }: Answers): object {
  const [campaign] = catalog.campaigns;
  const ours = { max_cpm: cpm, target: { country: { include: country.split(",") } } };
  return {
    ...catalog,
    privacy: vendorId === "none" ? { bid_unregistered: false } : { vendor_id: Number(vendorId) },
    ...(rate !== undefined && { rates: [{ cur, usd: rate }] }),
    campaigns: [{ ...campaign, ...(cur !== "USD" && { cur }), ...ours }],
  };
}

/** A request for that catalog. In `other-country` the country is another one, in `floor-too-high` the floor is. */
export function requestFor(request: Request, { country = "", cur = "", cpm = "" }: Answers): object {
  const [wanted = "", ...more] = country.split(",");
  const other = ["FRA", "ESP", "ITA"].find((one) => ![wanted, ...more].includes(one)) ?? "USA";
  const price = Number(cpm);
  const bidfloor = request.id === "floor-too-high" ? Math.ceil(price) + 1 : Math.min(0.5, price / 2);
  const inCur = cur === "USD" ? {} : { bidfloorcur: cur };
  return {
    ...request,
    ...(cur !== "USD" && { cur: [cur] }),
    imp: request.imp.map((imp) => ({ ...imp, bidfloor, ...inCur })),
    device: { geo: { country: request.id === "other-country" ? other : wanted } },
  };
}
