//! The lines of `fixtures/sync.tsv`, whose head explains it: what each call gets, and that it gets nothing else.

import { beforeAll, expect, inject, it } from "vitest";
import { MAX_COOKIE_BYTES } from "../../../shared/limits.ts";
import { decode } from "../../src/cookies/partner-ids.ts";
import { now } from "../support/clock.ts";
import { get, MANY_HOSTS, MATCH_HOST, pushCatalog } from "../support/sync-calls.ts";

const DAY = 86_400;
const COOKIE =
  /^__Host-edgebid=[\w-]{22}:[0-9a-z]{7}\|([!#-+\--:<-[\]-~]*); Max-Age=(\d+); Path=\/; Secure; HttpOnly; SameSite=None; Partitioned$/;

beforeAll(pushCatalog);

/** A cell with what its placeholders stand for. */
function filled(cell: string): string {
  return cell
    .replace(/«([^»]+)\*(\d+)»/g, (_, text: string, count) => text.repeat(Number(count)))
    .replace(/«([+-]\d+)»/g, (_, seconds) => (Math.floor(now() / 1000) + Number(seconds)).toString(36));
}

it.each(inject("syncs"))("%s for %s %s %s", async (status, path = "", redirect, headers = "") => {
  const query = redirect ? `?redirect=${encodeURIComponent(redirect)}` : "";
  const answer = await get(filled(path) + query, JSON.parse(filled(headers) || "{}"));
  expect(answer.status).toBe(Number(status));
  const [cookie, ...further] = answer.headers.getSetCookie();
  expect(further).toEqual([]);
  const location = answer.headers.get("location");
  const others = [...answer.headers.keys()].filter((name) => name !== "set-cookie");
  const allowed = {
    302: ["cache-control", "location"],
    200: ["cache-control", "content-length", "content-type"],
  }[answer.status];
  expect(allowed ?? []).toEqual(expect.arrayContaining(others));
  if (allowed === undefined) expect([cookie, location, await answer.text()]).toEqual([undefined, null, ""]);
  else expectOurs(cookie ?? "");
  if (location === null) return expect(answer.status).not.toBe(302);
  expect(location).toMatch(/^[\x21-\x7e]+$/);
  const url = new URL(location);
  expect([url.protocol, url.username, url.password, url.hash]).toEqual(["https:", "", "", ""]);
  if (path.startsWith("/sync/many")) {
    expect(MANY_HOSTS).toContain(url.host);
    return expect(location).not.toContain("$UID");
  }
  expect(url.host).toBe(MATCH_HOST);
  expect(url.pathname).toMatch(/^\/m\/[\w-]{22}$/);
  expect([...url.searchParams.keys()]).toEqual(["g", "c", "p", "s", "u"]);
});

/** Checks that the cookie has the form that `keepIds` writes, and no id with a longer expiry than a sync gives. */
function expectOurs(cookie: string): void {
  expect(cookie.length).toBeLessThanOrEqual(MAX_COOKIE_BYTES);
  const [, partners = "", maxAge] = COOKIE.exec(cookie) ?? [];
  expect(Number(maxAge)).toBeGreaterThan(0);
  expect(Number(maxAge)).toBeLessThanOrEqual(90 * DAY);
  const kept = decode(partners);
  expect(kept.length).toBe(partners === "" ? 0 : partners.split("|").length);
  const last = now() / 1000 + 60 * DAY;
  for (const { expires } of kept) expect(expires).toBeLessThanOrEqual(last);
}
