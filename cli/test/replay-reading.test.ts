//! Reading requests for a replay: lines are cut as `split` would cut them, whatever the pieces, and a kept
//! request is told from a bare one.

import fc from "fast-check";
import { expect, it } from "vitest";
import { Lines, requestIn } from "../replay/lines.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

it("lines are those of split, whatever the pieces", () => {
  const limit = 12;
  const text = fc.array(fc.constantFrom("\n", "\r\n", " ", "a", "é", '{"id":1}', "123456789012", "1234567890123"));
  fc.assert(
    fc.property(text, fc.array(fc.integer({ min: 1, max: 9 })), (parts, cuts) => {
      const bytes = encoder.encode(parts.join(""));
      const lines = new Lines(limit);
      const found: [number, string | null][] = [];
      const told = ({ number, bytes }: { number: number; bytes: Uint8Array | null }) =>
        found.push([number, bytes && decoder.decode(bytes)]);
      let at = 0;
      for (const cut of [...cuts, bytes.byteLength]) {
        // The memory of a piece is used again, as a stream may do.
        const piece = bytes.slice(at, at + cut);
        for (const line of lines.push(piece)) told(line);
        piece.fill(0x78);
        at = Math.min(at + cut, bytes.byteLength);
      }
      for (const line of lines.end()) told(line);
      const expected = parts
        .join("")
        .split("\n")
        .map((line, at): [number, string | null] => [at + 1, encoder.encode(line).byteLength > limit ? null : line])
        .filter(([, line]) => line === null || line.trim() !== "");
      expect(found).toEqual(expected);
    }),
    { numRuns: 2000 },
  );
});

it("any bytes are a line, and go to the bidder as they are", () => {
  const pieces = fc.constantFrom('{"', '"imp"', ":", "[", "]", "{", "}", ",", "\\", '"', "1", " ", "\u0000", "é");
  const texts = fc.array(pieces).map((parts) => encoder.encode(parts.join("")));
  fc.assert(
    fc.property(fc.oneof(texts, fc.uint8Array()), (bytes) => {
      expect(requestIn(bytes)).toMatchObject({ body: bytes });
    }),
    { numRuns: 2000 },
  );
});

it.each([
  ['{"id":"r","imp":[{},{}],"at":1}', { imps: 2 }],
  [
    '{"request":{"id":"r","imp":[{}]},"ssp":"demo","at":"2026-11-18T12:00:00Z"}',
    { imps: 1, ssp: "demo", at: 1795003200000 },
  ],
  // A request may have attributes of these names.
  ['{"imp":[],"request":{"imp":[1]},"ssp":"x"}', { imps: 0 }],
  ['{"request":"text"}', { imps: 0 }],
])("%s", (line, expected) => {
  const sent = requestIn(encoder.encode(line));
  expect(sent).toMatchObject(expected);
  const { body } = sent as { body: Uint8Array };
  expect(decoder.decode(body)).toBe("ssp" in expected ? '{"id":"r","imp":[{}]}' : line);
});
