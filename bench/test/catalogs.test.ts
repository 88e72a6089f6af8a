//! Generated catalogs have the promised distributions, and the largest one fits into KV.

import { expect, it } from "vitest";
import { compiler, module } from "../../cli/module.ts";
import { compile } from "../../shared/catalog/compile.ts";
import { Bidder } from "../../shared/wasm/bidder.ts";
import { Random } from "../../tools/traffic/random.ts";
import { COUNTRIES } from "../../tools/traffic/vocabulary.ts";
import { generate } from "../catalogs/generate.ts";
import { everythingMatches, onlyTheLastMatches } from "../catalogs/hostile.ts";
import { answersOf } from "../decide/answers.ts";
import { Bidder as Measured } from "../decide/module.ts";
import { mix } from "../requests/mix.ts";

/** Limit of one value in Workers KV. */
const MAX_VALUE_BYTES = 25 * 2 ** 20;

it("the largest catalog fits into one KV value as document, into two as snapshot, and loads", () => {
  const document = new TextEncoder().encode(JSON.stringify(generate(50_000)));
  expect(document.byteLength).toBeLessThanOrEqual(MAX_VALUE_BYTES);
  const { snapshot } = compile(document, compiler);
  // A push splits a larger one.
  expect(snapshot.byteLength).toBeLessThanOrEqual(2 * MAX_VALUE_BYTES);
  expect(new Bidder(snapshot, module).campaigns).toBe(50_000);
});

it("the catalogs and the mix share their vocabulary, and few decisions reach the limit on work", () => {
  const texts = mix();
  for (const document of [generate(10), generate(2000), everythingMatches(100), onlyTheLastMatches(100)]) {
    const bytes = new TextEncoder().encode(JSON.stringify(document));
    const answers = answersOf(texts, new Measured(module, compiler, bytes));
    expect(answers.cut_off).toBeLessThan(texts.length / 50);
    expect(answers.bid_rate * texts.length).toBeGreaterThan(20);
    expect(answers.bid_rate * texts.length).toBeLessThan(texts.length - 20);
  }
});

it("85 % of the campaigns target a country, and 70 % of those only one", () => {
  const { campaigns } = generate(5000);
  const countries = campaigns.flatMap(({ target }) => {
    const { country } = (target ?? {}) as { country?: { include: string[] } };
    return country ? [country.include.length] : [];
  });
  expect(Math.abs(countries.length / campaigns.length - 0.85)).toBeLessThan(0.02);
  expect(Math.abs(countries.filter((count) => count === 1).length / countries.length - 0.7)).toBeLessThan(0.03);
});

it("countries are heavy-tailed", () => {
  const random = new Random(1);
  const draws = Array.from({ length: 10_000 }, () => COUNTRIES.draw(random));
  const share = (country: string) => draws.filter((drawn) => drawn === country).length / draws.length;
  // The sum of r^-1.1 over 60 ranks is 3.95.
  expect(Math.abs(share("DEU") - 1 / 3.95)).toBeLessThan(0.015);
  expect(Math.abs(share("USA") - 1 / 2 ** 1.1 / 3.95)).toBeLessThan(0.015);
  expect(share("ISL")).toBeLessThan(0.01);
});
