//! The lines of `fixtures/notices.tsv` in the built module: each decides, and reads a notice about the first bid.

import { expect, inject, it } from "vitest";
import type { Verdict } from "../../../shared/wasm/answers.ts";
import { NoticeSettings } from "../../src/notices/settings.ts";
import { bidderOf, catalogDocument, fixtures, text } from "../support/fixtures.ts";

/** Wednesday, 2026-11-18T12:00:00Z: the time of the native fixture tests. */
const NOW = 1_795_003_200_000;

const all = fixtures("bid");

interface Document {
  ssps: { id: string }[];
}

it.each(inject("notices"))("%s", (...cells) => {
  const [, , fixture, settings = "", keys = "", notice = "", outcome, detail = ""] = cells;
  const found = all.find(({ name }) => `bid/${name}` === fixture);
  if (found === undefined) throw new Error(`there is no fixture ${fixture}`);
  const document: Document = JSON.parse(text(found.catalog ?? catalogDocument));
  Object.assign(document.ssps.find(({ id }) => id === "demo") ?? {}, JSON.parse(settings));
  const bidder = bidderOf(new TextEncoder().encode(JSON.stringify(document)));

  const [encryption, integrity] = keys.split(" ");
  const env = {
    NOTICE_KEYS: "a-key-of-the-tests-a-key-of-the-tests",
    NOTICE_ORIGIN: "",
    PRICE_KEYS: keys ? JSON.stringify({ demo: { encryption, integrity } }) : "",
  };
  const lines = new NoticeSettings().of(new Request("https://bidder.test/bid/demo"), env as never);
  expect(bidder.useNotices(lines)).toHaveLength(detail === "price-no-key" ? 1 : 0);

  const { body } = bidder.decide({ body: found.request, ssp: bidder.ssp("demo") ?? -1, now: NOW, seed: [0, 7] });
  const [kinds = "", query] = notice.split("?");
  const [kind, of = kind] = kinds.split(" of ");
  const token = new RegExp(`/n/${of}/([\\w-]+)`).exec(text(body ?? new Uint8Array()))?.[1] ?? "";
  const verdict = bidder.notice(`${kind}/${token}?${query}`, NOW + 1000);
  if (verdict === null || verdict === "trap") throw new Error(`the notice is ${verdict}`);
  expect([verdict.outcome, detailOf(verdict)].join(" ").trim()).toBe(`${outcome} ${detail}`.trim());
});

/** What the table says of a verdict. */
function detailOf(verdict: Verdict): string | number {
  if (verdict.outcome === "refused") return verdict.why;
  if (verdict.outcome === "loss") return verdict.loss ?? "";
  if (verdict.outcome === "win") return "";
  const { nanos, cur, usdNanos, isAssumed, differs } = verdict;
  return `${nanos} ${cur} ${usdNanos}${isAssumed ? " assumed" : ""}${differs ? ` ${differs}` : ""}`;
}

it("a bidder with two host names gives out URLs of the host that was called, with the same keys and errors", () => {
  const document: { ssps: object[] } = JSON.parse(text(catalogDocument));
  document.ssps = document.ssps.map((ssp) => ({ ...ssp, price_codec: "google" }));
  const bidder = bidderOf(new TextEncoder().encode(JSON.stringify(document)));
  const env = { NOTICE_KEYS: "a-key-of-the-tests-a-key-of-the-tests", NOTICE_ORIGIN: "", PRICE_KEYS: "" };
  const settings = new NoticeSettings();
  const request = all.find(({ name }) => name === "simple-banner")?.request ?? new Uint8Array();
  const called = ["one", "two", "one"].map((host) => {
    const lines = settings.of(new Request(`https://${host}.test/bid/demo`), env as never);
    expect(settings.of(new Request(`https://${host}.test/n/bill/x`), env as never)).toBe(lines);
    const errors = bidder.useNotices(lines);
    const { body } = bidder.decide({ body: request, ssp: bidder.ssp("demo") ?? -1, now: NOW, seed: [0, 7] });
    return { errors, urls: text(body ?? new Uint8Array()).match(/https:\/\/\w+\.test\/n\/\w+\/[\w-]+/g) };
  });
  const [one, two, again] = called;
  expect(one?.errors.length).toBeGreaterThan(0);
  expect(one?.urls?.length).toBeGreaterThan(0);
  expect(again).toEqual(one);
  expect(two).toEqual({ ...one, urls: one?.urls?.map((url) => url.replace("one.test", "two.test")) });
});
