//! `edgebid lists fetch` against servers that play those who keep lists: what it takes, what it refuses, and what a push
//! says of it.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { planOf } from "../../shared/compare/plan.ts";
import { fetchLists } from "../../tools/lists/fetch.ts";
import { readValues } from "../../tools/lists/values.ts";
import type { Answer, GetInit } from "../../tools/web/get.ts";
import { oldListFindings } from "../catalog/ended.ts";
import { sourceOf } from "../catalog/source.ts";
import { eachInFolder, findingsOn } from "./edgebid.ts";

const NOW = "2026-11-28T12:00:00Z";
const URL_A = "https://lists.example/a.txt";
const folder = eachInFolder("lists");
const path = (name: string) => join(folder(), name);
const read = (list: string) => readFileSync(path(`lists/${list}.txt`), "utf8");
const write = (list: string, lines: string[]) => writeFileSync(path(`lists/${list}.txt`), `${lines.join("\n")}\n`);

/** What each URL answers: the body, or a whole answer. */
let answers: Record<string, string | Uint8Array | { status: number; headers?: Record<string, string> }> = {};
let asked: [string, Record<string, string>][] = [];
let printed = "";

async function get(url: string, { headers }: GetInit): Promise<Answer> {
  asked.push([url, headers]);
  const answer = answers[url] ?? { status: 404 };
  if (typeof answer !== "string" && "status" in answer) {
    return { status: answer.status, headers: new Headers(answer.headers), body: null };
  }
  if (headers["if-none-match"] === '"1"') return { status: 304, headers: new Headers(), body: null };
  const bytes = typeof answer === "string" ? new TextEncoder().encode(answer) : answer;
  return {
    status: 200,
    headers: new Headers({ etag: '"1"' }),
    body: new Blob([bytes as Uint8Array<ArrayBuffer>]).stream(),
  };
}

/** Runs the command. Returns what became of each list. */
async function fetched(names: string[] = [], anyChange = false) {
  printed = "";
  await fetchLists(names, { catalog: folder(), anyChange, json: true }, get);
  return JSON.parse(printed);
}

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse(NOW), toFake: ["Date"] });
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += text;
    return true;
  });
  [answers, asked] = [{}, []];
  mkdirSync(path("lists"));
  const target = { domain: { exclude_lists: ["a", "b"] } };
  const campaign = { cid: "c", seat: "s", adomain: ["shop.example"], max_cpm: "1", creatives: ["x"], target };
  const creatives = [{ crid: "x", banner: { w: 1, h: 1, adm: "<p>" } }];
  const catalog = { format: 1, ssps: [{ id: "demo" }], creatives, campaigns: [campaign] };
  writeFileSync(path("catalog.json"), JSON.stringify(catalog));
  write("a", [`# url: ${URL_A}`, "", "one.example", "two.example"]);
  write("b", ["# kept by hand", "mine.example"]);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

test("a list gets the values of its URL, and says when; other lists stay", async () => {
  answers[URL_A] = "# a comment\r\none.example\r\n\r\ntwo.example\r\ntwo.example\r\n";
  expect(await fetched()).toEqual([{ list: "a", values: 2, added: 0, removed: 0, failure: null }]);
  expect(read("a")).toBe(`# url: ${URL_A}\n# fetched: 2026-11-28\n# etag: "1"\none.example\ntwo.example\n`);
  expect(read("b")).toBe("# kept by hand\nmine.example\n");
  expect(process.exitCode).toBeUndefined();
  expect(await findingsOn(folder())).not.toContainEqual(expect.stringContaining("lists/a"));
});

test("a list is asked for only if it has changed, and then counts as new", async () => {
  write("a", ["# Ask Ann.", `# url: ${URL_A}`, "# fetched: 2026-11-01", '# etag: "1"', "one.example"]);
  answers[URL_A] = "other.example";
  await fetched();
  expect(asked).toEqual([[URL_A, expect.objectContaining({ "if-none-match": '"1"' })]]);
  expect(read("a")).toBe(`# Ask Ann.\n# url: ${URL_A}\n# fetched: 2026-11-28\n# etag: "1"\none.example\n`);
});

const CSV = 'id;Domain;note\n1;"one.example";x\n2;two.example;y\n3;;z\n';
test.each([
  { of: "a column of CSV by its title", head: ["# column: domain"], body: CSV },
  { of: "a column of CSV by its number", head: ["# column: 1"], body: "one.example,x\ntwo.example\n" },
  { of: "gzip", head: [], body: gzipSync("one.example\ntwo.example") },
  { of: "a byte order mark", head: [], body: "\ufeffone.example\ntwo.example" },
])("$of is read", async ({ head, body }) => {
  write("a", [`# url: ${URL_A}`, ...head, "one.example", "two.example"]);
  answers[URL_A] = body;
  expect(await fetched()).toMatchObject([{ values: 2, added: 0, removed: 0, failure: null }]);
});

const HASH = createHash("sha256").update("one.example\n").digest("hex");
test.each([
  { sha256: HASH, failure: null },
  { sha256: "https://lists.example/a.sha256", failure: null },
  { sha256: HASH.replace(/^./, "x"), failure: /begins with no SHA-256/ },
  { sha256: "0".repeat(64), failure: /its SHA-256 is [0-9a-f]{64}; expected 0000/ },
  { sha256: "https://lists.example/gone", failure: /sha256: status 404/ },
])("with sha256 $sha256", async ({ sha256, failure }) => {
  write("a", [`# url: ${URL_A}`, `# sha256: ${sha256}`, "one.example"]);
  answers = { [URL_A]: "one.example\n", "https://lists.example/a.sha256": `${HASH.toUpperCase()}  a.txt\n` };
  expect(await fetched()).toMatchObject([{ failure: failure && expect.stringMatching(failure) }]);
});

const LINES = Array.from({ length: 1_000_001 }, (_, at) => `${at}.example`).join("\n");
test.each([
  ["an empty file", "", /^no value/],
  ["a file of comments", "# one.example\n", /^no value/],
  ["a page", "<!doctype html><p>Not found", /^HTML or XML/],
  ["bytes that are no text", new Uint8Array([0x80, 0x81]), /^not UTF-8/],
  ["gzip that breaks off", gzipSync(LINES).subarray(0, 100), /^gzip: /],
  ["too many values", LINES, /^1000001 values; expected at most 1000000/],
  ["gzip that inflates to more than 64 MiB", gzipSync(new Uint8Array((64 << 20) + 1)), /^more than 67108864 bytes/],
  ["a redirect to another host", { status: 302, headers: { location: "https://evil.example/" } }, /^leads to/],
  ["a redirect to HTTP", { status: 302, headers: { location: "http://lists.example/" } }, /^leads to/],
  ["an error", { status: 503 }, /^status 503/],
  ["many new values", "one.example\ntwo.example\nthree.example", /^1 new value and 0 gone; use --any-change/],
  ["a list that shrinks", "one.example", /^0 new values and 1 gone; use --any-change/],
  ["a value that matches nothing", "one.example\nhttps://two.example/x", /^lists\/a\.txt:5: /],
])("after %s, the list stays as it was", async (_, answer, failure) => {
  answers[URL_A] = answer;
  const before = read("a");
  if (String(failure).includes("lists"))
    expect(await fetched([], true)).toMatchObject([{ failure: expect.stringMatching(failure) }]);
  else
    expect(await fetched()).toMatchObject([
      { values: 2, added: 0, removed: 0, failure: expect.stringMatching(failure) },
    ]);
  expect(read("a")).toBe(before);
  expect(process.exitCode).toBe(1);
});

test.each(["http://lists.example/a", "https://lists.example:8443/a", "https://me@lists.example/a", "ftp:x", "a.txt"])(
  "the URL %s is refused",
  async (url) => {
    write("a", [`# url: ${url}`, "one.example"]);
    expect(await fetched()).toMatchObject([{ failure: expect.stringContaining("is no URL; expected https://") }]);
    expect(asked).toEqual([]);
  },
);

test("with --any-change, a list may change as it will", async () => {
  answers[URL_A] = "three.example";
  expect(await fetched([], true)).toMatchObject([{ values: 1, added: 1, removed: 2, failure: null }]);
});

test("a list that fails keeps no other from its values", async () => {
  write("b", ["# url: https://lists.example/b", "mine.example"]);
  answers = { [URL_A]: "one.example\nhttps://x/", "https://lists.example/b": "mine.example" };
  expect(await fetched([], true)).toMatchObject([
    { failure: expect.stringMatching(/^lists\/a\.txt:5/) },
    { failure: null },
  ]);
  expect(read("b")).toContain("# fetched: 2026-11-28");
});

test("only the named lists are fetched; a name without a URL is a mistake", async () => {
  answers[URL_A] = "one.example\ntwo.example";
  expect(await fetched(["a"])).toHaveLength(1);
  await expect(fetched(["b"])).rejects.toThrow(/has no lists\/b\.txt with a URL; expected a line "# url: https:/);
  write("a", ["one.example"]);
  await expect(fetched()).rejects.toThrow(/no list in .*lists has a URL/);
});

test("a push says that a list is old, from 14 days on", () => {
  write("a", [`# url: ${URL_A}`, "# fetched: 2026-11-14", "one.example"]);
  const at = (time: string) => oldListFindings(folder(), Date.parse(time)).map(({ path }) => path);
  expect(at("2026-11-27T23:59:59Z")).toEqual([]);
  expect(at("2026-11-28T00:00:00Z")).toEqual(["lists/a.txt"]);
  expect(at("2026-11-14T00:00:00Z")).toEqual([]);
});

test("a push warns of a list that changes by more than a fifth", () => {
  const document = () => JSON.parse(new TextDecoder().decode(sourceOf(folder()).document));
  const ten = Array.from({ length: 10 }, (_, at) => `${at}.example`);
  write("a", ten);
  const before = document();
  const warnings = (values: string[]) => {
    write("a", values);
    return planOf(before, document(), 0).warnings;
  };
  expect(warnings([...ten, "x.example", "y.example"])).toEqual([]);
  expect(warnings(ten.slice(2))).toEqual([]);
  expect(warnings(ten.slice(3))).toEqual(["the list a would have 0 new values, and lose 3 of 10"]);
  expect(warnings([...ten, "x.example", "y.example", "z.example"])).toEqual([
    "the list a would have 3 new values, and lose 0 of 10",
  ]);
});

test("values come back from a text and from CSV as they were written, each once", () => {
  const value = fc.stringMatching(/^[a-z0-9.-]{1,20}$/);
  fc.assert(
    fc.property(fc.uniqueArray(value, { minLength: 1 }), fc.boolean(), fc.boolean(), (values, isCsv, isPacked) => {
      const text = isCsv ? ["n,v", ...values.map((one, at) => `${at},"${one}"`)].join("\n") : values.join("\r\n");
      const bytes = new TextEncoder().encode(text);
      expect(readValues(isPacked ? gzipSync(bytes) : bytes, isCsv ? "V" : undefined)).toEqual(values);
    }),
  );
});
