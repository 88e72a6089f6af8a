//! User sync over HTTP: both directions, the cookie's lifetime, and the opt-out. Which calls are allowed is in
//! `fixtures/sync.tsv`.

import { beforeAll, expect, it, vi } from "vitest";
import type { Event } from "../../../shared/events/schema.ts";
import { decode } from "../../src/cookies/partner-ids.ts";
import { now, wait } from "../support/clock.ts";
import { OPERATOR } from "../support/isolate.ts";
import { ALL, cookies, get, MATCH_HOST, pushCatalog } from "../support/sync-calls.ts";

const DAY_MS = 86_400_000;

beforeAll(pushCatalog);

const cookieIn = (answer: Response) => answer.headers.getSetCookie()[0] ?? "";
/** Our id in an answer's cookie. */
const idIn = (answer: Response) => /^__Host-edgebid=([\w-]{22}):/.exec(cookieIn(answer))?.[1] ?? "";
const partnersIn = (answer: Response) => decode(/\|([^;]*)/.exec(cookieIn(answer))?.[1] ?? "");
const locationIn = (answer: Response) => answer.headers.get("location");

async function expectNothing(answer: Response, status = 204): Promise<void> {
  expect([answer.status, answer.headers.getSetCookie(), locationIn(answer)]).toEqual([status, [], null]);
  expect((await answer.arrayBuffer()).byteLength).toBe(0);
}

async function counted(): Promise<Record<string, number>> {
  const health = await get("/healthz", OPERATOR.headers);
  return (await health.json<{ counters: Record<string, number> }>()).counters;
}

/** How much each of these counters rises. */
async function rises(names: string[], work: () => Promise<void>): Promise<Record<string, number>> {
  const before = await counted();
  await work();
  const after = await counted();
  return Object.fromEntries(names.map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)]));
}

it("an exchange gets our id and the privacy signals at its own address", async () => {
  const answer = await get(`/sync/hosting?gdpr=1&gdpr_consent=${ALL}&gpp_sid=-1&us_privacy=1---&other=x`);
  expect(answer.status).toBe(302);
  expect(locationIn(answer)).toBe(`https://${MATCH_HOST}/m/${idIn(answer)}?g=1&c=${ALL}&p=&s=-1&u=1---`);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(idIn(answer)).toHaveLength(22);
  const escaped = await get("/sync/hosting?gdpr=0&gdpr_consent=%26x%3d{buyeruid}%23%2f");
  expect(locationIn(escaped)).toContain("?g=0&c=%26x%3D%7Bbuyeruid%7D%23%2F&p=&");
});

it("an exchange gets the same id at the second visit; another browser has another id", async () => {
  const first = await get("/sync/hosting");
  const second = await get("/sync/hosting", { cookie: `other=1; ${cookies(first)}` });
  expect(idIn(second)).toBe(idIn(first));
  expect(idIn(await get("/sync/hosting"))).not.toBe(idIn(first));
});

const setuid = "https://prebid.example/setuid?bidder=edgebid&gdpr=0&f=i&uid=";
const call = (redirect: string, ssp = "many") => `/sync/${ssp}?gdpr=0&redirect=${encodeURIComponent(redirect)}`;

it("fills our id into each place for it in the call's own address, and nothing else", async () => {
  const answer = await get(call(`${setuid}$UID`));
  expect([answer.status, locationIn(answer)]).toEqual([302, setuid + idIn(answer)]);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const [own, cookie] = [idIn(answer), cookies(answer)];
  expect(own).toHaveLength(22);
  const second = await get(call("https://PBS.example:8443?$UID&{buyeruid}&$UID"), { cookie });
  expect(locationIn(second)).toBe(`https://PBS.example:8443?${own}&{buyeruid}&${own}`);
});

it("prefers the call's address to the one in the catalog", async () => {
  const [with_, without] = [await get(call(`${setuid}$UID`, "both")), await get("/sync/both")];
  expect(locationIn(with_)).toBe(setuid + idIn(with_));
  expect(locationIn(without)).toBe(`https://${MATCH_HOST}/m/${idIn(without)}`);
});

it("stores the exchange's id next to ours, and replaces the exchange's earlier id", async () => {
  const first = await get("/sync/bringing?uid=abc%2Fd%7C+=");
  expect([first.status, first.headers.get("content-type")]).toEqual([200, "image/gif"]);
  expect(new TextDecoder().decode(await first.arrayBuffer())).toMatch(/^GIF89a/);
  const second = await get("/sync/closed?uid=xyz", { cookie: cookies(first) });
  const third = await get("/sync/bringing?uid=new", { cookie: cookies(second) });
  expect([first, second, third].map(idIn)).toEqual([idIn(first), idIn(first), idIn(first)]);
  expect(partnersIn(first)).toMatchObject([{ ssp: "bringing", uid: "abc/d|+=" }]);
  const ids = partnersIn(third).map(({ ssp, uid, expires }) => `${ssp} ${uid} ${typeof expires}`);
  expect(ids.sort()).toEqual(["bringing new number", "closed xyz number"]);
});

it.each([
  ["an exchange that wants our id", "/sync/hosting?uid=abc", "hosting"],
  ["an address", `${call(`${setuid}$UID`)}&uid=abc`, "many"],
])("never redirects a call with an id, not even to %s", async (_, path, ssp) => {
  const answer = await get(path);
  expect([answer.status, locationIn(answer)]).toEqual([200, null]);
  expect(partnersIn(answer)).toMatchObject([{ ssp, uid: "abc" }]);
});

it("keeps our id for 90 days from the first visit", async () => {
  const first = await get("/sync/hosting");
  expect(cookieIn(first)).toContain("; Max-Age=7776000;");
  wait(89 * DAY_MS);
  const second = await get("/sync/hosting", { cookie: cookies(first) });
  expect(idIn(second)).toBe(idIn(first));
  expect(cookieIn(second)).toMatch(/; Max-Age=864\d\d;/);
  wait(DAY_MS + 1000);
  expect(idIn(await get("/sync/hosting", { cookie: cookies(second) }))).not.toBe(idIn(first));
});

it("loses a partner's id after 60 days", async () => {
  const first = await get("/sync/bringing?uid=abc");
  wait(30 * DAY_MS);
  const second = await get("/sync/closed?uid=xyz", { cookie: cookies(first) });
  wait(30 * DAY_MS);
  const third = await get("/sync/hosting", { cookie: cookies(second) });
  expect(partnersIn(second)).toHaveLength(2);
  expect(partnersIn(third)).toMatchObject([{ ssp: "closed" }]);
});

it("stays within 4,096 bytes, and keeps the ids that were synced last", async () => {
  const seconds = Math.floor(now() / 1000);
  const many = Array.from(
    { length: 80 },
    (_, at) => `ssp${at}:${"x".repeat(35)}:${(seconds + 3600 + at).toString(36)}`,
  );
  const full = `__Host-edgebid=${"A".repeat(22)}:${(seconds + 86_400).toString(36)}|${many.join("|")}`;
  const answer = await get(`/sync/bringing?uid=${"%25a%25b".repeat(64)}`, { cookie: full });
  expect(cookieIn(answer).length).toBeLessThanOrEqual(4096);
  const kept = partnersIn(answer);
  expect(kept[0]).toMatchObject({ ssp: "bringing", uid: "%a%b".repeat(64) });
  // The 80 ids and the new id do not fit into 4,096 bytes, so the ids that expire first are dropped.
  expect(kept.at(-1)).toMatchObject({ ssp: `ssp${80 - (kept.length - 1)}` });
  expect(kept.length).toBeGreaterThan(50);
});

const DELETED = "__Host-edgebid=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=None; Partitioned";

it("an opt-out deletes the ids, is remembered on all sites, and ends all syncs", async () => {
  const synced = await get("/sync/bringing?uid=abc");
  const out = await get("/optout", { cookie: cookies(synced) });
  expect(out.status).toBe(200);
  const optOut = "__Host-edgebid-optout=1; Max-Age=34560000; Path=/; Secure; HttpOnly; SameSite=None";
  expect(out.headers.getSetCookie()).toEqual([DELETED, optOut, `${optOut}; Partitioned`]);
  const cookie = cookies(synced, out);
  expect(cookie).toBe("__Host-edgebid-optout=1");
  await expectNothing(await get("/sync/bringing?uid=abc", { cookie }));
  await expectNothing(await get("/sync/hosting", { cookie }));
  // Ids that another site has kept.
  const elsewhere = await get("/sync/hosting", { cookie: `${cookies(synced)}; ${cookie}` });
  expect([elsewhere.status, elsewhere.headers.getSetCookie()]).toEqual([204, [DELETED]]);
});

it("405 for anything but GET", async () => {
  for (const path of ["/sync/hosting", "/optout"]) {
    for (const method of ["POST", "PUT", "OPTIONS"]) await expectNothing(await get(path, {}, method), 405);
  }
});

it("counts each result, and has events for ids that were passed on or stored, without the ids", async () => {
  const logs = (["debug", "error", "info", "log", "warn"] as const).map((name) => vi.spyOn(console, name));
  const CALLS: [counter: string, path: string, headers?: Record<string, string>][] = [
    ["redirected", "/sync/hosting"],
    ["kept", "/sync/bringing?uid=secret-uid"],
    ["nothing", "/sync/bringing"],
    ["no-consent", "/sync/bringing?uid=secret-uid&gdpr=1"],
    ["bad-call", "/sync/bringing?uid="],
    ["bad-redirect", call(setuid)],
    ["unknown-ssp", "/sync/nobody"],
    ["opted-out", "/sync/hosting", { cookie: "__Host-edgebid-optout=1" }],
  ];
  const names = [...CALLS.map(([counter]) => `sync-${counter}`), "opt-out"];
  const risen = await rises(names, async () => {
    for (const [, path, headers] of CALLS) await get(path, headers);
    await get("/optout");
  });
  expect(risen).toEqual(Object.fromEntries(names.map((name) => [name, 1])));
  expect(JSON.stringify(await counted())).not.toContain("secret-uid");
  const lines = () => logs.flatMap((log) => log.mock.calls.map(String));
  await vi.waitFor(() => expect(lines().join()).toContain('"outcome":"kept"'), 5000);
  const events = lines().map((line) => JSON.parse(line) as Event);
  for (const event of events) {
    expect(event).toEqual({
      ...{ v: 1, type: "sync", time: expect.any(Number) },
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      catalog: expect.stringMatching(/^[0-9a-f]{16}$/),
      ssp: expect.stringMatching(/^(hosting|bringing|closed|many|both)$/),
      outcome: expect.stringMatching(/^(redirected|kept)$/),
    });
  }
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
});
