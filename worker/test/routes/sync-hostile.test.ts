//! More than a hundred hostile sync calls; `crates/bidder-wasm/src/sync.rs` tests more of them without the Worker. None of them stores an id without permission, redirects to a host that is
//! not in the catalog, adds a header, or makes the Worker fail.

import { beforeAll, describe, expect, it } from "vitest";
import { decode } from "../../src/cookies/partner-ids.ts";
import { MAX_COOKIE_BYTES } from "../../src/limits.ts";
import { ALL, get, MANY_HOSTS, MATCH_HOST, pushCatalog } from "../support/sync-calls.ts";

beforeAll(pushCatalog);

/** The most that a hostile call may achieve: nothing, or the answer that a normal call gets. */
type Most = "nothing" | "proper";

interface Call {
  path: string;
  headers?: Record<string, string>;
  most: Most;
}

const EVIL = "https://evil.example/";
const OWN = "A".repeat(22);
const DAY = 86_400;
const time = (seconds: number) => (Math.floor(Date.now() / 1000) + seconds).toString(36);
const ids = (rest: string, expires = time(DAY)) => ({ cookie: `__Host-edgebid=${OWN}:${expires}|${rest}` });

/** A call with this `redirect`, escaped as Prebid Server does it. */
const to = (redirect: string) => `/sync/many?redirect=${encodeURIComponent(redirect)}`;

const nothing = (...paths: string[]): Call[] => paths.map((path) => ({ path, most: "nothing" }));
const proper = (...paths: string[]): Call[] => paths.map((path) => ({ path, most: "proper" }));
const withCookies = (...cookies: string[]): Call[] =>
  cookies.map((cookie) => ({ path: "/sync/hosting", headers: { cookie }, most: "proper" }));

const CALLS: Record<string, Call[]> = {
  "open redirects": [
    ...proper(
      `/sync/hosting?url=${EVIL}`,
      `/sync/hosting?redirect=${encodeURIComponent(EVIL)}`,
      `/sync/hosting?redir=${EVIL}&r=${EVIL}&next=${EVIL}`,
      `/sync/hosting?sync_url=${encodeURIComponent(EVIL)}`,
      "/sync/hosting?location=//evil.example",
      "/sync/hosting?gpp=%40evil.example%2F",
      `/sync/hosting?gpp=${encodeURIComponent(EVIL)}`,
      "/sync/hosting?gdpr=0&gdpr_consent=%2F%2Fevil.example",
      "/sync/hosting?gdpr=0&gdpr_consent=..%2F..%2F..%2F",
      "/sync/hosting?gpp=%23@evil.example",
      "/sync/hosting?gpp=%5c%5cevil.example",
      "/sync/hosting?gpp={buyeruid}{buyeruid}{gdpr}",
      "/sync/hosting?gpp=%24%26%24%60%24%27%241",
      `/sync/hosting?uid=${encodeURIComponent(EVIL)}`,
      "/sync/bringing?uid=javascript:alert(1)",
    ),
    { path: "/sync/hosting", headers: { host: "evil.example", "x-forwarded-host": "evil.example" }, most: "proper" },
    { path: "/sync/hosting", headers: { referer: EVIL, origin: "https://evil.example" }, most: "proper" },
  ],
  "open redirects in the call's own address": [
    ...nothing(
      ...[
        "https://evil.example/$UID",
        "//prebid.example/$UID",
        "/setuid?uid=$UID",
        "prebid.example/$UID",
        "javascript:alert('$UID')//prebid.example",
        "data:text/html,prebid.example/$UID",
        "https://evil.example?https://prebid.example/$UID",
        "https://evil.example\\prebid.example/$UID",
        "https://prebid.example@evil.example/$UID",
        "https://prebid.example%40evil.example/$UID",
        "https://prebid.example%2f.evil.example/$UID",
        "https://prebid。example/$UID",
        "https://prebid.example／@evil.example/$UID",
        "https://prebid.example#@evil.example/$UID",
        "https://prebid.example/\r\nset-cookie:x=1&$UID",
        "https://prebid.example/ $UID",
        "https://prebid.example/\t$UID",
        "\thttps://prebid.example/$UID",
        " https://prebid.example/$UID",
        "https://prebid.example/[UID]",
        "{{.RedirectURL}}",
      ].map(to),
      `${to("https://prebid.example/$UID")}&redirect=${EVIL}$UID`,
      `/sync/many?%72edirect=https://prebid.example/$UID&redirect=https://prebid.example/$UID`,
      `${to("https://prebid.example/$UID")}&gdpr=1`,
      "/sync/many?redirect=https%3A%2F%2Fprebid.example%2F$UID%",
      `/sync/many?redirect=https://prebid.example/$UID${"x".repeat(8200)}`,
      "/sync/many?REDIRECT=https://prebid.example/$UID",
      "/sync/many?redirect[]=https://prebid.example/$UID",
      "/sync/many?redirect=",
      "/sync/bringing?redirect=https://prebid.example/$UID",
    ),
    ...proper(
      ...[
        "https://prebid.example/$UID?next=https://evil.example",
        "https://prebid.example?url=//evil.example/&uid=$UID",
        "https://prebid.example/@evil.example/$UID",
        "https://prebid.example//evil.example/../$UID",
        "https://Prebid.Example/{buyeruid}$UID$&",
        "https://pbs.example:8443/$UID",
      ].map(to),
      `/sync/many?redirect=https://prebid.example/$UID&uid=abc&url=${EVIL}`,
    ),
  ],
  paths: nothing(
    "/sync/https://evil.example/",
    "/sync//evil.example",
    "/sync/hosting/",
    "/sync/hosting/../nobody",
    "/sync/hosting%00",
    "/sync/hosting%0d%0aset-cookie:x=1",
    "/sync/%68osting",
    "/sync/HOSTING",
    "/sync/..",
    "/sync/__proto__",
    "/sync/constructor",
    "/sync/hosting;uid=1",
  ),
  "line breaks and control characters": [
    ...nothing(
      "/sync/bringing?uid=a%0d%0aset-cookie:%20x=1",
      "/sync/bringing?uid=a%0aLocation:%20https://evil.example",
      "/sync/bringing?uid=a%09b",
      "/sync/bringing?uid=%7f",
      "/sync/hosting?gpp=%0d%0aset-cookie:%20x=1",
      "/sync/hosting?gdpr=0&gdpr_consent=%0a",
      "/sync/hosting?gpp_sid=-1%0d%0a",
      "/sync/hosting?us_privacy=1---%0d%0a",
      "/sync/hosting?gpp=%E5%98%8A%E5%98%8Dset-cookie:x",
      "/sync/hosting?gpp=%c0%8d%c0%8a",
    ),
    ...proper("/sync/bringing?uid=a;b,c", "/sync/bringing?uid=x%3b%20Domain=evil.example".replace("%20", "")),
  ],
  "huge ids and queries": [
    ...nothing(
      `/sync/bringing?uid=${"x".repeat(5000)}`,
      `/sync/bringing?uid=${"x".repeat(60_000)}`,
      `/sync/hosting?gpp=${"D".repeat(9000)}`,
      `/sync/hosting?gdpr=1&gdpr_consent=${"C".repeat(8000)}`,
      `/sync/hosting?gpp_sid=${"7,".repeat(3000)}`,
      `/sync/hosting?${"a=b&".repeat(3000)}`,
      `/sync/hosting?${"&".repeat(9000)}`,
    ),
    ...proper(`/sync/hosting?${"&".repeat(8000)}`, `/sync/bringing?uid=${"%25".repeat(256)}`),
  ],
  "consent that cannot be read": nothing(
    "/sync/hosting?gdpr=1&gdpr_consent=C%2B%2F%3D",
    `/sync/hosting?gdpr=1&gdpr_consent=${ALL.slice(0, 20)}`,
    `/sync/hosting?gdpr=1&gdpr_consent=${ALL}${"!"}`,
    `/sync/hosting?gdpr=1&gdpr_consent=B${ALL.slice(1)}`,
    "/sync/hosting?gdpr=1&gdpr_consent=BOEFEAyOEFEAyAHABDENAI4AAAB9vABAASA",
    "/sync/hosting?gdpr=2",
    "/sync/hosting?us_privacy=1YNN1YNN",
    "/sync/hosting?gpp_sid=7&gpp=DBABTA",
    "/sync/hosting?gpp_sid=%5B7%5D&gpp=DBABLA~BAAAAAAA.QA",
    "/sync/hosting?gpp_sid=6&gpp=DBABTA~1YNN~1YNN",
    "/sync/hosting?gpp_sid=2&gpp=DBABMA~garbage",
  ),
  "parameters that are given twice": nothing(
    `/sync/hosting?gdpr=0&gdpr=1`,
    `/sync/hosting?gdpr=1&gdpr=0`,
    "/sync/hosting?gpp_sid=7&gpp_sid=-1",
    "/sync/bringing?uid=a&%75id=a",
    "/sync/hosting?gpp&gpp",
  ),
  "wrong encodings": nothing(
    "/sync/bringing?uid=%",
    "/sync/bringing?uid=%u0041",
    "/sync/bringing?uid=%ed%a0%80",
    "/sync/bringing?uid=%f8%88%80%80%80",
    "/sync/bringing?uid=ü",
    "/sync/hosting?us_privacy=%31%59%59%4e",
  ),
  "ids that are empty or unfilled macros": nothing(
    "/sync/bringing?uid=",
    "/sync/bringing?uid=$%7BBUYERUID%7D",
    "/sync/bringing?uid={{uid}}",
    "/sync/bringing?uid=%3CUSER%20ID%3E",
  ),
  "cookies that are not ours": [
    ...withCookies(
      "__Host-edgebid=",
      "__Host-edgebid=garbage",
      "__Host-edgebid",
      `__Host-edgebid=${OWN}`,
      `__Host-edgebid=${OWN}:|`,
      `__Host-edgebid=${OWN}:zzzzzz|`,
      `__Host-edgebid=${OWN}:zzzzzzzzzzzzzzzzz|`,
      `__Host-edgebid=${OWN}:-1|`,
      `__Host-edgebid=${OWN}:${time(-1)}|`,
      `__Host-edgebid=${OWN}:${time(91 * DAY)}|`,
      `__Host-edgebid=${OWN.slice(1)}:${time(DAY)}|`,
      `__Host-edgebid=${OWN.slice(1)}B:${time(DAY)}|`,
      `__Host-edgebid=${OWN.slice(1)};:${time(DAY)}|`,
      `__Host-edgebid="${OWN}:${time(DAY)}|"`,
      `edgebid=${OWN}:${time(DAY)}|`,
      `__host-edgebid=${OWN}:${time(DAY)}|`,
      `__Host-edgebid=${OWN}:${time(DAY)}|${"a".repeat(10_000)}`,
      `${"a=b; ".repeat(2000)}`,
      ";;;=;==;\t;",
      `__Host-edgebid=a; __Host-edgebid=b; __Host-edgebid=${"=".repeat(100)}`,
    ),
    ...[
      "|||||",
      `bringing:a:${time(DAY)}|bringing:b:${time(DAY)}`,
      `bringing:a:${time(100 * DAY)}`,
      `bringing:%0d%0aset-cookie%3ax:${time(DAY)}`,
      `bringing:%e9:${time(DAY)}`,
      `__proto__:a:${time(DAY)}|constructor:b:${time(DAY)}`,
      `${"z:1:".repeat(900)}`,
      `../evil:a:${time(DAY)}`,
    ].map((rest): Call => ({ path: "/sync/bringing?uid=new", headers: ids(rest), most: "proper" })),
    { path: "/sync/hosting?gdpr=1", headers: ids(""), most: "nothing" },
    { path: "/sync/hosting", headers: { cookie: "__Host-edgebid-optout=" }, most: "nothing" },
    { path: "/sync/hosting", headers: { cookie: "a=b;__Host-edgebid-optout=0;c=d" }, most: "nothing" },
  ],
};

const all = Object.entries(CALLS).flatMap(([kind, calls]) => calls.map((call) => ({ kind, ...call })));

it("are at least a hundred different calls", () => {
  expect(new Set(all.map(({ path, headers }) => JSON.stringify([path, headers]))).size).toBe(all.length);
  expect(all.length).toBeGreaterThanOrEqual(100);
});

describe.each(Object.keys(CALLS))("%s", (kind) => {
  it.each((CALLS[kind] ?? []).map((call) => ({ ...call, name: nameOf(call) })))("$name", async (call) => {
    const answer = await get(call.path, call.headers);
    expect(answer.status).toBeLessThan(500);
    const [cookie, ...further] = answer.headers.getSetCookie();
    expect(further).toEqual([]);
    const headers = [...answer.headers.keys()].filter((name) => name !== "set-cookie");
    const location = answer.headers.get("location");
    if (call.most === "nothing") {
      expect([204, 404]).toContain(answer.status);
      expect([cookie, location]).toEqual([undefined, null]);
      expect(headers).toEqual([]);
      return;
    }
    expect([200, 302]).toContain(answer.status);
    const allowed =
      answer.status === 302 ? ["cache-control", "location"] : ["cache-control", "content-length", "content-type"];
    expect(allowed).toEqual(expect.arrayContaining(headers));
    expectOurs(cookie ?? "");
    if (location === null) return;
    expect(location).toMatch(/^[\x21-\x7e]+$/);
    const url = new URL(location);
    if (call.path.startsWith("/sync/many")) {
      expect([url.protocol, url.username, url.password, url.hash]).toEqual(["https:", "", "", ""]);
      expect(MANY_HOSTS).toContain(url.host);
      expect(location).not.toContain("$UID");
      return;
    }
    expect([url.protocol, url.host, url.username, url.hash]).toEqual(["https:", MATCH_HOST, "", ""]);
    expect(url.pathname).toMatch(/^\/m\/[\w-]{22}$/);
    expect([...url.searchParams.keys()]).toEqual(["g", "c", "p", "s", "u"]);
  });
});

/** Checks that the cookie has the form that `keepIds` writes, and no id with a longer expiry than a sync gives. */
function expectOurs(cookie: string) {
  expect(cookie.length).toBeLessThanOrEqual(MAX_COOKIE_BYTES);
  const [, partners = "", maxAge] =
    /^__Host-edgebid=[\w-]{22}:[0-9a-z]{6}\|([!#-+\--:<-[\]-~]*); Max-Age=(\d+); Path=\/; Secure; HttpOnly; SameSite=None; Partitioned$/.exec(
      cookie,
    ) ?? [];
  expect(Number(maxAge)).toBeGreaterThan(0);
  expect(Number(maxAge)).toBeLessThanOrEqual(90 * DAY);
  const kept = decode(partners);
  expect(kept.length).toBe(partners === "" ? 0 : partners.split("|").length);
  const last = Date.now() / 1000 + 60 * DAY;
  for (const { expires } of kept) expect(expires).toBeLessThanOrEqual(last);
}

function nameOf({ path, headers }: Call): string {
  const name = headers ? `${path} ${JSON.stringify(headers)}` : path;
  return name.length > 100 ? `${name.slice(0, 100)}… (${name.length})` : name;
}
