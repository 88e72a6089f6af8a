//! User sync over HTTP: both directions, consent, the cookie's lifetime, and the opt-out.

import { beforeAll, describe, expect, it, vi } from "vitest";
import { decode } from "../../src/cookies/partner-ids.ts";
import type { Event } from "../../src/events/schema.ts";
import { ALL, cookies, get, MATCH_HOST, pushCatalog } from "../support/sync-calls.ts";

const DAY_MS = 86_400_000;

beforeAll(pushCatalog);
function later(ms: number) {
  vi.spyOn(Date, "now").mockReturnValue(Date.now() + ms);
}

/** Our id in an answer's cookie. */
function idIn(answer: Response): string {
  return /^__Host-edgebid=([\w-]{22}):/.exec(answer.headers.getSetCookie()[0] ?? "")?.[1] ?? "";
}

function partnersIn(answer: Response) {
  return decode(/\|([^;]*)/.exec(answer.headers.getSetCookie()[0] ?? "")?.[1] ?? "");
}

async function expectNothing(answer: Response, status = 204) {
  expect(answer.status).toBe(status);
  expect(answer.headers.getSetCookie()).toEqual([]);
  expect(answer.headers.get("location")).toBeNull();
  expect((await answer.arrayBuffer()).byteLength).toBe(0);
}

async function counted(): Promise<Record<string, number>> {
  return (
    await (await get("/healthz", { authorization: "Bearer operator" })).json<{ counters: Record<string, number> }>()
  ).counters;
}

describe("the exchange keeps the match table", () => {
  it("gets our id and the privacy signals at its own address", async () => {
    const answer = await get(`/sync/hosting?gdpr=1&gdpr_consent=${ALL}&gpp_sid=-1&us_privacy=1---&other=x`);
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe(`https://${MATCH_HOST}/m/${idIn(answer)}?g=1&c=${ALL}&p=&s=-1&u=1---`);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(idIn(answer)).toHaveLength(22);
  });

  it("gets the same id at the second visit; another browser has another id", async () => {
    const first = await get("/sync/hosting");
    const second = await get("/sync/hosting", { cookie: `other=1; ${cookies(first)}` });
    expect(idIn(second)).toBe(idIn(first));
    expect(idIn(await get("/sync/hosting"))).not.toBe(idIn(first));
  });

  it("gets the signals escaped", async () => {
    const answer = await get("/sync/hosting?gdpr=0&gdpr_consent=%26x%3d{buyeruid}%23%2f");
    expect(answer.headers.get("location")).toContain("?g=0&c=%26x%3D%7Bbuyeruid%7D%23%2F&p=&");
  });
});

describe("the call has the address", () => {
  const setuid = "https://prebid.example/setuid?bidder=edgebid&gdpr=0&f=i&uid=";
  const call = (redirect: string, more = "") => `/sync/many?gdpr=0${more}&redirect=${encodeURIComponent(redirect)}`;

  it("fills our id into each place for it, and nothing else", async () => {
    const answer = await get(call(`${setuid}$UID`));
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe(setuid + idIn(answer));
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(idIn(answer)).toHaveLength(22);
    const second = await get(call("https://PBS.example:8443?$UID&{buyeruid}&$UID"), { cookie: cookies(answer) });
    const own = idIn(answer);
    expect(second.headers.get("location")).toBe(`https://PBS.example:8443?${own}&{buyeruid}&${own}`);
  });

  it("prefers the call's address to the one in the catalog", async () => {
    const [with_, without] = [await get(call(`${setuid}$UID`).replace("many", "both")), await get("/sync/both")];
    expect(with_.headers.get("location")).toBe(setuid + idIn(with_));
    expect(without.headers.get("location")).toBe(`https://${MATCH_HOST}/m/${idIn(without)}`);
    await expectNothing(await get("/sync/many"));
  });

  it("ignores the address if the SSP has no redirect hosts", async () => {
    const answer = await get(call(`${setuid}$UID`).replace("many", "hosting"));
    expect(new URL(answer.headers.get("location") ?? "").host).toBe(MATCH_HOST);
    await expectNothing(await get(call(`${setuid}$UID`).replace("many", "bringing")));
  });

  it("does not redirect a call that also has the exchange's id", async () => {
    const answer = await get(call(`${setuid}$UID`, "&uid=abc"));
    expect([answer.status, answer.headers.get("location")]).toEqual([200, null]);
    expect(partnersIn(answer)).toMatchObject([{ ssp: "many", uid: "abc" }]);
  });

  it("refuses and counts a call without consent, to another host, or without a place for our id", async () => {
    const before = await counted();
    await expectNothing(await get(call(`${setuid}$UID`).replace("gdpr=0", "gdpr=1")));
    await expectNothing(await get(call("https://evil.example/?$UID")));
    await expectNothing(await get(call(setuid)));
    const after = await counted();
    const added = (name: string) => (after[`sync-${name}`] ?? 0) - (before[`sync-${name}`] ?? 0);
    expect([added("no-consent"), added("bad-redirect")]).toEqual([1, 2]);
  });
});

describe("the call has the exchange's id", () => {
  it("stores the id next to ours, and replaces the exchange's earlier id", async () => {
    const first = await get("/sync/bringing?uid=abc%2Fd%7C+=");
    expect(first.status).toBe(200);
    expect(first.headers.get("content-type")).toBe("image/gif");
    expect(new TextDecoder().decode(await first.arrayBuffer())).toMatch(/^GIF89a/);
    const second = await get("/sync/closed?uid=xyz", { cookie: cookies(first) });
    const third = await get("/sync/bringing?uid=new", { cookie: cookies(second) });
    expect([first, second, third].map(idIn)).toEqual([idIn(first), idIn(first), idIn(first)]);
    expect(partnersIn(first)).toMatchObject([{ ssp: "bringing", uid: "abc/d|+=" }]);
    expect(partnersIn(third)).toEqual(
      expect.arrayContaining([
        { ssp: "closed", uid: "xyz", expires: expect.any(Number) },
        { ssp: "bringing", uid: "new", expires: expect.any(Number) },
      ]),
    );
  });

  it("never redirects, not even to an exchange that wants our id", async () => {
    const answer = await get("/sync/hosting?uid=abc");
    expect(answer.status).toBe(200);
    expect(partnersIn(answer)).toMatchObject([{ ssp: "hosting", uid: "abc" }]);
  });

  it("does nothing without an id", async () => {
    await expectNothing(await get("/sync/bringing"));
  });
});

describe("the cookie", () => {
  it("is for this host, https and one site only, hidden from scripts, and valid for 90 days", async () => {
    const [cookie] = (await get("/sync/hosting")).headers.getSetCookie();
    expect(cookie).toMatch(
      /^__Host-edgebid=[\w-]{22}:[0-9a-z]{6}\|; Max-Age=7776000; Path=\/; Secure; HttpOnly; SameSite=None; Partitioned$/,
    );
  });

  it("keeps our id for 90 days from the first visit", async () => {
    const first = await get("/sync/hosting");
    later(89 * DAY_MS);
    const second = await get("/sync/hosting", { cookie: cookies(first) });
    expect(idIn(second)).toBe(idIn(first));
    expect(second.headers.getSetCookie()[0]).toMatch(/; Max-Age=864\d\d;/);
    later(DAY_MS + 1000);
    expect(idIn(await get("/sync/hosting", { cookie: cookies(second) }))).not.toBe(idIn(first));
  });

  it("loses a partner's id after 60 days", async () => {
    const first = await get("/sync/bringing?uid=abc");
    later(30 * DAY_MS);
    const second = await get("/sync/closed?uid=xyz", { cookie: cookies(first) });
    later(30 * DAY_MS);
    const third = await get("/sync/hosting", { cookie: cookies(second) });
    expect(partnersIn(second)).toHaveLength(2);
    expect(partnersIn(third)).toMatchObject([{ ssp: "closed" }]);
  });

  it("stays within 4,096 bytes, and keeps the ids that were synced last", async () => {
    const now = Math.floor(Date.now() / 1000);
    const many = Array.from({ length: 80 }, (_, at) => `ssp${at}:${"x".repeat(35)}:${(now + 3600 + at).toString(36)}`);
    const full = `__Host-edgebid=${"A".repeat(22)}:${(now + 86_400).toString(36)}|${many.join("|")}`;
    const answer = await get(`/sync/bringing?uid=${"%25".repeat(256)}`, { cookie: full });
    const [cookie = ""] = answer.headers.getSetCookie();
    expect(cookie.length).toBeLessThanOrEqual(4096);
    const kept = partnersIn(answer);
    expect(kept[0]).toMatchObject({ ssp: "bringing", uid: "%".repeat(256) });
    // The 80 ids and the new id do not fit into 4,096 bytes, so the ids that expire first are dropped.
    expect(kept.at(-1)).toMatchObject({ ssp: `ssp${80 - (kept.length - 1)}` });
    expect(kept.length).toBeGreaterThan(50);
  });
});

describe("consent first", () => {
  it.each([
    ["no signal at all", ""],
    ["the TCF string grants it", `gdpr=1&gdpr_consent=${ALL}`],
  ])("a sync: %s", async (_, query) => {
    expect((await get(`/sync/hosting?${query}`)).status).toBe(302);
    expect((await get(`/sync/bringing?uid=a&${query}`)).status).toBe(200);
  });

  it.each([
    ["GDPR and no string", "gdpr=1"],
    ["an unreadable string", "gdpr=1&gdpr_consent=CAAAA"],
    ["a GPP section with an opt-out", "gpp=DBABTA~1YYN&gpp_sid=6"],
  ])("no sync and no cookie: %s", async (_, query) => {
    await expectNothing(await get(`/sync/hosting?${query}`));
    await expectNothing(await get(`/sync/bringing?uid=a&${query}`));
  });

  it.each(["sec-gpc", "dnt"])("no sync for a browser that sends %s: 1", async (name) => {
    await expectNothing(await get("/sync/hosting", { [name]: "1" }));
    expect((await get("/sync/hosting", { [name]: "0" })).status).toBe(302);
  });
});

describe("opting out", () => {
  it("deletes the ids, is remembered on all sites, and ends all syncs", async () => {
    const synced = await get("/sync/bringing?uid=abc");
    const out = await get("/optout", { cookie: cookies(synced) });
    expect(out.status).toBe(200);
    expect(out.headers.getSetCookie()).toEqual([
      "__Host-edgebid=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=None; Partitioned",
      "__Host-edgebid-optout=1; Max-Age=34560000; Path=/; Secure; HttpOnly; SameSite=None",
      "__Host-edgebid-optout=1; Max-Age=34560000; Path=/; Secure; HttpOnly; SameSite=None; Partitioned",
    ]);
    const cookie = cookies(synced, out);
    expect(cookie).toBe("__Host-edgebid-optout=1");
    await expectNothing(await get("/sync/bringing?uid=abc", { cookie }));
    await expectNothing(await get("/sync/hosting", { cookie }));
  });

  it("deletes ids that another site has kept", async () => {
    const elsewhere = await get("/sync/bringing?uid=abc");
    const answer = await get("/sync/hosting", { cookie: `${cookies(elsewhere)}; __Host-edgebid-optout=1` });
    expect(answer.status).toBe(204);
    expect(answer.headers.getSetCookie()).toEqual([
      "__Host-edgebid=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=None; Partitioned",
    ]);
  });
});

it("404 for an SSP that the catalog does not know, 405 for anything but GET", async () => {
  await expectNothing(await get("/sync/nobody?uid=a"), 404);
  await expectNothing(await get("/sync/"), 404);
  for (const path of ["/sync/hosting", "/optout"]) {
    for (const method of ["POST", "PUT", "OPTIONS"]) await expectNothing(await get(path, {}, method), 405);
  }
});

it("counts each result, and has events for ids that were passed on or stored, without the ids", async () => {
  const logs = (["debug", "error", "info", "log", "warn"] as const).map((name) => vi.spyOn(console, name));
  const before = await counted();
  await get("/sync/hosting");
  await get("/sync/bringing?uid=secret-uid");
  await get("/sync/bringing");
  await get("/sync/bringing?uid=secret-uid&gdpr=1");
  await get("/sync/bringing?uid=");
  await get("/sync/nobody");
  await get("/optout");
  await get("/sync/hosting", { cookie: "__Host-edgebid-optout=1" });
  const after = await counted();
  const names = ["redirected", "kept", "nothing", "no-consent", "bad-call", "unknown-ssp", "opted-out"];
  for (const name of names) {
    expect((after[`sync-${name}`] ?? 0) - (before[`sync-${name}`] ?? 0), name).toBe(1);
  }
  expect((after["opt-out"] ?? 0) - (before["opt-out"] ?? 0)).toBe(1);
  expect(JSON.stringify(after)).not.toContain("secret-uid");
  const lines = () => logs.flatMap((log) => log.mock.calls.map(String));
  await vi.waitFor(() => expect(lines().join()).toContain('"outcome":"kept"'), 5000);
  const events = lines().map((line) => JSON.parse(line) as Event);
  for (const event of events) {
    expect(event).toEqual({
      v: 1,
      type: "sync",
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      time: expect.any(Number),
      catalog: expect.stringMatching(/^[0-9a-f]{16}$/),
      ssp: expect.stringMatching(/^(hosting|bringing|closed|many|both)$/),
      outcome: expect.stringMatching(/^(redirected|kept)$/),
    });
  }
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
});
