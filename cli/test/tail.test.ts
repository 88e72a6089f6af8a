//! `edgebid tail` and `edgebid demo` against the Worker in workerd, and the reading of what
//! `wrangler tail` prints.

import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Figures } from "../../shared/tail/figures.ts";
import type { Second } from "../../shared/tail/seconds.ts";
import { OBJECTS } from "../deploy/configuration.ts";
import { filled, noticesIn } from "../tail/demo.ts";
import { lineOf, picture, summary } from "../tail/screen.ts";
import { callsIn, commandSource, type News, newsIn } from "../tail/source.ts";
import { tail } from "../tail/tail.ts";
import { type RunningScript, startWorker } from "../workerd.ts";
import { bidsOn, bytesOf, catalogText, jsonLines, NOTICE_KEY, ROOT, requestText } from "./bidder.ts";
import { edgebidIn, folderFor, ranToEnd } from "./edgebid.ts";
import { freePort, served } from "./free-port.ts";

const folder = folderFor("tail");
let bidder: RunningScript;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  bidder = await startWorker(bytesOf(catalogText), {
    vars: { OPERATOR: "anybody", NOTICE_KEYS: NOTICE_KEY, EVENTS_ONE_IN: "off" },
    durableObjects: OBJECTS,
  });
});

afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await bidder.stop();
});

const edgebid = (...args: string[]) => edgebidAt(bidder.origin, ...args);
const edgebidAt = (url: string, ...args: string[]) => edgebidIn(folder, { EDGEBID_URL: url })(...args);

describe("tail of a local bidder", () => {
  test("prints a line a second, keeps requests without identifiers, and ends with Ctrl-C", async () => {
    const file = join(folder, "kept.ndjson.gz");
    const env = { ...process.env, EDGEBID_URL: bidder.origin, NO_COLOR: "1" };
    const child = spawn(process.execPath, [join(ROOT, "cli/edgebid.ts"), "tail", "--keep", file], { env });
    children.add(child);
    const [printed, stderr] = [[] as string[], text(child.stderr)];
    child.stdout.on("data", (chunk) => printed.push(String(chunk)));
    await vi.waitFor(() => expect(printed.join("")).toContain("requests"), 20_000);
    const person = {
      ...JSON.parse(requestText),
      user: { id: "planted-user" },
      device: { ip: "198.51.100.7", ua: "x" },
    };
    expect(await bidsOn(bidder.origin, person)).toHaveLength(1);
    expect(await bidsOn(bidder.origin, '{"id":"2","imp":[{"id":"1"}]}')).toEqual([]);
    await vi.waitFor(() => expect(printed.join("")).toMatch(/[12] requests?, /), 20_000);
    await new Promise((done) => setTimeout(done, 1500));
    child.kill("SIGINT");
    expect(await once(child, "close")).toEqual([0, null]);
    expect(await stderr).toMatch(/ s: 2 requests, 1 bid \(50\.0 %\); no bid: \S+ 1\n/);
    expect(await stderr).toContain(`kept 2 requests in ${file}`);
    const kept = gunzipSync(readFileSync(file)).toString();
    expect(kept).not.toMatch(/planted|198\.51/);
    const [first, second] = jsonLines(kept);
    expect(first).toMatchObject({ ssp: "demo", outcome: "bid", request: { id: person.id, device: { ua: "x" } } });
    expect(second).toMatchObject({ ssp: "demo", request: { id: "2" } });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("prints NDJSON for --json, and ends after --seconds", async () => {
    const [code, stdout, stderr] = await edgebid("tail", "--json", "--seconds", "3");
    expect(code).toBe(0);
    expect(stderr).toMatch(/ s: 0 requests, 0 bids\n$/);
    const lines = jsonLines(stdout);
    expect(lines.length).toBeGreaterThanOrEqual(2);
    expect(lines[0]).toMatchObject({ requests: 0, bids: 0, none: {}, lost: 0 });
  });

  test("says what to do if nothing listens, the token is missing, or the file exists", async () => {
    writeFileSync(join(folder, "old.ndjson"), "");
    const failures = [
      await edgebidAt(`http://127.0.0.1:${await freePort()}`, "tail"),
      await edgebidAt(`${bidder.origin}/elsewhere`, "tail"),
      await edgebid("tail", "--keep", "old.ndjson"),
      await edgebid("tail", "--keep", "old.csv"),
    ];
    expect(failures).toEqual([
      [3, "", expect.stringContaining("start a bidder with npm start")],
      [3, "", expect.stringContaining("has no tail: it has no OPERATOR_TOKEN")],
      [2, "", expect.stringContaining("the file exists")],
      [2, "", expect.stringContaining("ends with .ndjson or .ndjson.gz")],
    ]);
  });
});

const SECOND: Second = { at: 0, ms: 1000, requests: 1, bids: 1, none: {}, other: {}, lost: 0 };

test.each(["kept-full.ndjson", "kept-full.ndjson.gz"])(
  "a full disk ends --keep %s with its reason",
  async (name) => {
    const many = await served((_, response) => {
      const request = () => `${JSON.stringify({ request: { id: randomBytes(1 << 16).toString("hex") } })}\n`;
      const writing = setInterval(() => response.write(request()), 5);
      response.on("close", () => clearInterval(writing));
    });
    // Files have at most 512 KB.
    const shell = 'ulimit -f 512; exec "$0" "$@"';
    const args = [join(ROOT, "cli/edgebid.ts"), "tail", "--keep", name, "--seconds", "60", "--url", many.origin];
    const [code, , stderr] = await ranToEnd(["bash", "-c", shell, process.execPath, ...args], folder);
    await many.stop();
    expect([code, stderr]).toEqual([2, "edgebid: EFBIG: file too large, write\n"]);
  },
  60_000,
);

test("no promise gets one more listener with each line that --keep writes", async () => {
  const line = `${JSON.stringify({ request: { id: randomBytes(1 << 16).toString("hex") } })}\n`;
  let asked = 0;
  // The tail asks again when it has read everything, and ends if nothing is there any more.
  const many = await served((_, response) => {
    if (asked++ === 0) response.end(line.repeat(100));
    else response.writeHead(404).end();
  });
  const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const waits = new Map<unknown, number>();
  const { prototype } = Promise;
  const { then } = prototype;
  Reflect.set(prototype, "then", function (this: Promise<unknown>, ...given: Parameters<typeof then>) {
    waits.set(this, (waits.get(this) ?? 0) + 1);
    return then.apply(this, given);
  });
  try {
    const keep = join(folder, "long.ndjson.gz");
    await expect(tail({ url: many.origin, keep, oneIn: 1, json: true })).rejects.toThrow("has no tail");
    expect(stderr.mock.calls.join()).toContain("kept 100 requests");
    expect(Math.max(...waits.values())).toBeLessThan(10);
  } finally {
    Reflect.set(prototype, "then", then);
    stderr.mockRestore();
    await many.stop();
  }
});

test("--seconds has a limit, because a timer of Node has one", async () => {
  const [code, , stderr] = await edgebid("tail", "--seconds", "2147484");
  expect([code, stderr]).toEqual([2, expect.stringContaining("expected at most 2000000 seconds")]);
});

test("the last second is shown, although its line comes after its end", async () => {
  const late = await served((_, response) => {
    setTimeout(() => response.write(`${JSON.stringify(SECOND)}\n`), 1100);
  });
  try {
    expect((await edgebidAt(late.origin, "tail", "--seconds", "1", "--json"))[1]).toBe(`${JSON.stringify(SECOND)}\n`);
  } finally {
    await late.stop();
  }
});

describe("demo", () => {
  test("sends traffic, fills the report, and shows the funnel", async () => {
    const [code, stdout, stderr] = await edgebid("demo", "--rate", "40", "--seconds", "6");
    expect([code, stderr]).toEqual([0, expect.stringMatching(/ s: \d+ requests, [1-9]\d* bids .*no bid: /)]);
    expect(stdout).toContain(`${bidder.origin}/inspect#live`);
    expect(stdout).toMatch(/\d\d:\d\d:\d\d {2}\d+ requests, \d+ bids/);
    const report = (await (await bidder.fetch("/report?by=ssp")).json()) as { rows: { billed: number }[] };
    expect(report.rows).toEqual([expect.objectContaining({ ssp: "demo", refused: {} })]);
    expect(report.rows[0]?.billed).toBeGreaterThan(0);
  });

  test("bills each bid that has won, also those that win at the end", async () => {
    const called: string[] = [];
    const slow = await served((request, response) => {
      const { pathname } = new URL(request.url ?? "", "http://a");
      const notice = (kind: string) => `${slow.origin}/n/${kind}/T`;
      const bid = { price: 1, nurl: notice("win"), burl: notice("bill"), lurl: notice("loss") };
      if (pathname.startsWith("/n/")) {
        called.push(pathname);
        setTimeout(() => response.end(), 300);
      } else if (pathname === "/tail") response.write(`${JSON.stringify(SECOND)}\n`);
      else response.end(JSON.stringify({ cur: "USD", seatbid: [{ bid: [bid] }] }));
    });
    try {
      expect((await edgebidAt(slow.origin, "demo", "--seconds", "1"))[0]).toBe(0);
      const count = (kind: string) => called.filter((path) => path === `/n/${kind}/T`).length;
      expect(count("win")).toBeGreaterThan(0);
      expect(count("bill")).toBe(count("win"));
    } finally {
      await slow.stop();
    }
  });

  test("says that no bidder runs, or that it has no such SSP", async () => {
    const nowhere = await edgebidAt(`http://127.0.0.1:${await freePort()}`, "demo");
    expect(nowhere).toEqual([3, "", expect.stringContaining("start a bidder with npm start")]);
    const [code, , stderr] = await edgebid("demo", "--ssp", "none");
    expect([code, stderr]).toEqual([2, expect.stringContaining("has no SSP none")]);
  });

  test("calls the impression of an ad, as a player does, and nothing of others", () => {
    const vast = "<VAST><Impression><![CDATA[http://a/n/view/T?p=1]]></Impression><Error>http://b/n/e</Error></VAST>";
    expect(noticesIn(vast, "http://a")).toEqual(["http://a/n/view/T?p=1"]);
    expect(noticesIn('{"imptrackers":["http://a/n/view/T","http://a.example/n/x"]}', "http://a")).toEqual([
      "http://a/n/view/T",
    ]);
    expect(noticesIn(undefined, "http://a")).toEqual([]);
  });

  test("fills the macros of a notice", () => {
    expect(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: macros of OpenRTB
      filled("http://a/n/bill/T?p=${AUCTION_PRICE}&c=$%7BAUCTION_CURRENCY%7D&m=${AUCTION_MIN_TO_WIN}", 1.25, "USD"),
    ).toBe("http://a/n/bill/T?p=1.25&c=USD&m=");
  });
});

/** What wrangler prints of a call. */
function call(path: string, status: number, ...messages: string[]): object {
  const logs = messages.map((message) => ({ message: [message], level: "info", timestamp: 1 }));
  return { outcome: "ok", logs, event: { request: { url: `https://b.example${path}` }, response: { status } } };
}

function all(lines: string[], now: () => number): Promise<News[]> {
  return Array.fromAsync(newsIn(callsIn(Readable.from(lines)), now));
}

describe("tail of a deployed bidder", () => {
  const captured = '{"ssp":"demo","at":5,"outcome":"floor","request":{"id":"1"}}';
  const calls = [
    call("/bid/demo", 200),
    call("/bid/demo", 204, `{"captured":${captured}}`),
    call("/bid/demo", 204, '{"v":1,"type":"auction"}'),
    call("/sync/demo?uid=secret", 200),
    { outcome: "ok", logs: [], event: { scheduledTime: 1 } },
    call("/bid/demo", 400),
  ];

  test.each([
    ["over several lines", (one: object) => JSON.stringify(one, null, 2)],
    ["in a line", (one: object) => JSON.stringify(one)],
  ])("reads calls %s", async (_, write) => {
    let time = 0;
    const lines = ["Connected to edgebid", ...calls.flatMap((one) => write(one).split("\n")), '{"cut'];
    const heard = await all(lines, () => time++ * 100);
    expect(heard.filter((one) => "captured" in one)).toEqual([{ captured }]);
    const seconds = heard.flatMap((one) => ("second" in one ? [one.second] : []));
    expect(seconds).toHaveLength(1);
    expect(seconds[0]).toMatchObject({ requests: 4, bids: 1, none: { floor: 1, "no bid": 1, "status 400": 1 } });
  });

  test("tells how wrangler failed", async () => {
    const source = commandSource([process.execPath, "-e", "console.error('not logged in'); process.exit(3)"]);
    const hear = async () => {
      for await (const _ of source(new AbortController().signal));
    };
    await expect(hear()).rejects.toThrow(/ended with 3:\nnot logged in\n.*wrangler whoami/s);
  });

  test("ends wrangler", async () => {
    const print = `setInterval(() => console.log(${JSON.stringify(JSON.stringify(call("/bid/demo", 200)))}), 50)`;
    const stop = new AbortController();
    let heard = 0;
    for await (const _ of commandSource([process.execPath, "-e", print])(stop.signal)) {
      heard++;
      stop.abort();
    }
    expect(heard).toBeGreaterThan(0);
  });
});

test("figures are shown as text", () => {
  const figures = new Figures();
  const second: Second = { at: 1000, ms: 1000, requests: 10, bids: 4, none: { floor: 5, geo: 1 }, other: {}, lost: 2 };
  figures.add(second);
  figures.add({ ...second, at: 2000, requests: 20, bids: 8, none: { geo: 12 } });
  expect(lineOf(second)).toBe("00:00:01  10 requests, 4 bids (40.0 %), 5 floor, 1 geo, 2 not kept");
  expect(summary(figures.all)).toBe("2 s: 30 requests, 12 bids (40.0 %); no bid: geo 13, floor 5");
  expect(picture(figures)).toEqual([
    "requests                    15/s  ▄█",
    "bids                         6/s  ████████████ (40.0 %)",
    "  geo                        7/s  █████████████ (43.3 %)",
    "  floor                      3/s  █████ (16.7 %)",
    "",
    "2 s: 30 requests, 12 bids (40.0 %); no bid: geo 13, floor 5",
  ]);
});
