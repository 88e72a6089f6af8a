//! Properties of the exchanges' ids in a cookie, for any set of ids and any limit.

import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { firstThatFit } from "../../src/cookies/fitting.ts";
import { decode, encode, encodeAll, longestFirst, type PartnerId } from "../../src/cookies/partner-ids.ts";

const MAX_SECONDS = 2 ** 40;

const sspId = fc.string({ unit: fc.constantFrom(..."abcXYZ019-_."), minLength: 1, maxLength: 20 });
/** Texts like real ids, and any other well-formed text. */
const uid = fc.oneof(
  fc.uuid(),
  fc.base64String({ minLength: 4, maxLength: 80 }),
  fc.string({ minLength: 1, maxLength: 40 }),
  fc.string({ minLength: 1, maxLength: 40, unit: "binary" }),
);
/** An expiry: often a small number, so that many expiries are equal. */
const expires = fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: MAX_SECONDS }));
const ids = fc.uniqueArray(fc.record<PartnerId>({ ssp: sspId, uid, expires }), {
  selector: ({ ssp }) => ssp,
  maxLength: 120,
  size: "max",
});
/** The limit is the first argument, so that a failure shrinks to a small limit and few ids. */
const limit = fc.nat({ max: 6000 });

const sorted = (some: readonly PartnerId[]) => some.toSorted(longestFirst);

/** A property that holds for all values. */
const holds = <T>(name: string, property: fc.IRawProperty<T>) => it(name, () => fc.assert(property));

holds(
  "ids decode to the same ids",
  fc.property(ids, (some) => void expect(decode(encodeAll(some))).toEqual(some)),
);

holds(
  "the text fits, is valid in a cookie, keeps the ids that expire last, and has no room for one more",
  fc.property(limit, ids, (most, some) => {
    const text = encode(some, most);
    expect(text.length).toBeLessThanOrEqual(most);
    // cookie-octet of RFC 6265 §4.1.1
    expect(text).toMatch(/^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/);
    const kept = decode(text);
    const names = new Set(kept.map(({ ssp }) => ssp));
    expect(sorted(kept)).toEqual(sorted(some.filter(({ ssp }) => names.has(ssp))));
    const [next] = sorted(some.filter(({ ssp }) => !names.has(ssp)));
    if (next === undefined) return;
    expect(Math.min(...kept.map(({ expires }) => expires))).toBeGreaterThanOrEqual(next.expires);
    expect(encodeAll([...kept, next]).length).toBeGreaterThan(most);
  }),
);

const shuffled = ids.chain((some) =>
  fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length })),
);

holds(
  "the text depends on the set and not on its order",
  fc.property(limit, shuffled, (most, [one, other]) => void expect(encode(other, most)).toBe(encode(one, most))),
);

holds(
  "ids are encoded at most ⌈log2(n)⌉ + 2 times",
  fc.property(limit, ids, (most, some) => {
    const encodes = vi.fn(encodeAll);
    firstThatFit(sorted(some), most, encodes);
    expect(encodes.mock.calls.length).toBeLessThanOrEqual(Math.ceil(Math.log2(Math.max(1, some.length))) + 2);
  }),
);

holds(
  "a number of items fits, whatever the lengths of the encodings",
  fc.property(fc.array(fc.nat({ max: 50 }), { minLength: 1, maxLength: 300 }), fc.nat({ max: 50 }), (some, most) => {
    const encoded = (first: readonly number[]) => "x".repeat(first.length === 0 ? 0 : (some[first.length - 1] ?? 0));
    const { items, text } = firstThatFit(some, most, encoded);
    expect(text).toBe(encoded(items));
    expect(text.length).toBeLessThanOrEqual(most);
    if (items.length === some.length) return;
    expect(encoded(some.slice(0, items.length + 1)).length).toBeGreaterThan(most);
  }),
);

const cookieLike = fc.string({ unit: fc.constantFrom(..."ab:|%2Fz9~é \0"), maxLength: 200 });

holds(
  "any text is read without a failure, and what was read is read again alike",
  fc.property(fc.oneof(cookieLike, fc.string({ unit: "binary" })), (text) => {
    const read = decode(text);
    expect(new Set(read.map(({ ssp }) => ssp)).size).toBe(read.length);
    expect(decode(encodeAll(read))).toEqual(read);
  }),
);

it.each([
  ["nothing", "", []],
  ["an entry without its time", "a:b|c:d:z", [{ ssp: "c", uid: "d", expires: 35 }]],
  ["an entry with something more", "a:b:c:d", []],
  ["an empty id", "a::z", []],
  ["an exchange that no catalog can name", "a b:c:z|;:c:z", []],
  ["half an escape", "a:%2:z|b:%ff:z|c:%41:z", [{ ssp: "c", uid: "A", expires: 35 }]],
  ["a time that is none", "a:b:-1|c:d:1.5|e:f:1e400000000000|g:h:", []],
  ["an exchange twice", "a:b:z|a:c:zz", [{ ssp: "a", uid: "b", expires: 35 }]],
])("%s", (_, text, expected) => {
  expect(decode(text)).toEqual(expected);
});
