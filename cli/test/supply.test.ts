//! `edgebid supply compile` reads ads.txt, app-ads.txt and sellers.json as widely as their specifications allow, and a bid
//! obeys them.

import { mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { type AdsTxt, readAdsTxt } from "../../tools/supply/ads-txt.ts";
import { readSellers } from "../../tools/supply/sellers.ts";
import { now } from "../../worker/test/support/clock.ts";
import { eachInFolder, edgebidIn } from "./edgebid.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string) => {
  const units = Uint16Array.from(`\uFEFF${text}`, (unit) => unit.charCodeAt(0));
  return new Uint8Array(units.buffer);
};
const ONE = { system: "exchange.example", sid: "Pub-1", isDirect: true };

describe("ads.txt", () => {
  test.each<[string, Uint8Array, AdsTxt["lines"]]>([
    ["a line", bytes("exchange.example, Pub-1, DIRECT, f08c47fec0942fa0\n"), [ONE]],
    ["other case and spaces", bytes("  EXCHANGE.example\t,Pub-1 ,  direct"), [ONE]],
    ["a URL", bytes("https://exchange.example/,Pub-1,DIRECT"), [ONE]],
    ["comments", bytes("# a, b, DIRECT\nexchange.example,Pub-1,DIRECT # ours, not DIRECT"), [ONE]],
    ["a comment behind a relation", bytes("exchange.example,Pub-1,DIRECT;note"), [ONE]],
    ["a byte order mark", bytes("\uFEFFexchange.example,Pub-1,DIRECT"), [ONE]],
    ["UTF-16", utf16("exchange.example,Pub-1,DIRECT\r\n"), [ONE]],
    ["old line ends", bytes("contact=a@b.example, c\rexchange.example,Pub-1,DIRECT\r"), [ONE]],
    [
      "variables",
      bytes("SUBDOMAIN=a.example\nOWNERDOMAIN = b.example, c, DIRECT\nexchange.example,Pub-1,DIRECT"),
      [ONE],
    ],
    [
      "nobody may sell",
      bytes("placeholder.example.com, placeholder, DIRECT, placeholder"),
      [{ system: "placeholder.example.com", sid: "placeholder", isDirect: true }],
    ],
  ])("%s", (_, content, lines) => {
    expect(readAdsTxt(content)).toMatchObject({ lines, unreadable: [] });
  });

  test.each<[string, string, Partial<AdsTxt>]>([
    ["a partner", "inventorypartnerdomain = Content.example # ours", { partners: ["content.example"] }],
    ["a partner as a URL", "INVENTORYPARTNERDOMAIN=https://content.example/", { partners: ["content.example"] }],
    [
      "subdomains",
      "SUBDOMAIN=a.news.example\nsubdomain=b.news.example",
      { subdomains: ["a.news.example", "b.news.example"] },
    ],
    ["no domain", "SUBDOMAIN=\nINVENTORYPARTNERDOMAIN=content.example:8080", { unreadable: [1, 2] }],
    ["another variable", "CONTACT=a b, c", {}],
  ])("variables: %s", (_, text, expected) => {
    const none = { lines: [ONE], partners: [], subdomains: [], unreadable: [] };
    expect(readAdsTxt(bytes(`${text}\nexchange.example,Pub-1,DIRECT`))).toEqual({ ...none, ...expected });
  });

  test.each([
    ["a zero-width space in the system", "exchange\u200b.example,Pub-1,DIRECT"],
    ["a zero-width space behind the system", "exchange.example\u200b,Pub-1,DIRECT"],
    ["a zero-width space in the account", "exchange.example,\u200bPub-1,DIRECT"],
    ["a zero-width space behind the relation", "exchange.example,Pub-1,DIRECT\u200b"],
    ["a soft hyphen", "exchange.example,Pub\u00ad-1,DIRECT"],
    ["a zero-width space in a variable", "SUBDOMAIN=a\u200b.news.example"],
    ["a URL as account", "exchange.example,https://Pub-1,DIRECT"],
    ["a URL with a path as system", "https://exchange.example/sellers,Pub-1,DIRECT"],
    ["half a URL as system", "https:exchange.example,Pub-1,DIRECT"],
  ])("%s makes a line unreadable", (_, line) => {
    const file = readAdsTxt(bytes(`${line}\nexchange.example,Pub-1,DIRECT`));
    expect(file).toMatchObject({ lines: [ONE], unreadable: [1] });
  });

  test("lines that look like an account and are none are named", () => {
    const text =
      "exchange.example,Pub-1\nexchange.example,,DIRECT\nexchange.example,Pub-1,BOTH\nexchange.example,Pub-1,DIRECT";
    expect(readAdsTxt(bytes(text))).toMatchObject({ lines: [ONE], unreadable: [1, 2, 3] });
  });

  test.each([
    ["<!doctype html><title>a, b, DIRECT</title>", "HTML"],
    ["\n  <?xml version='1.0'?>", "HTML"],
    ["exchange.example,\0,DIRECT", "binary"],
    ["", "no account"],
    ["Not found", "no account"],
    ["exchange.example; pub-1; DIRECT", "no account"],
    ["a".repeat(9 << 20), "at most 8388608"],
  ])("%.20s is refused", (text, why) => expect(readAdsTxt(bytes(text))).toContain(why));
});

test("sellers.json: ids may be numbers, and a type may be missing", () => {
  const sellers = [
    { seller_id: "a", seller_type: "publisher" },
    { seller_id: 42, seller_type: "INTERMEDIARY", is_confidential: 1 },
    { seller_id: " b ", seller_type: "BOTH" },
    { seller_id: "c" },
    { seller_id: 1e300 },
    null,
    {},
  ];
  expect(readSellers(bytes(JSON.stringify({ sellers })))).toEqual(["B:b", "B:c", "I:42", "P:a"]);
  expect(readSellers(bytes("<html>"))).toContain("not JSON");
  expect(readSellers(bytes("{}"))).toContain("no list of sellers");
});

describe("the command", () => {
  const folder = eachInFolder("supply");
  const edgebid = (...args: string[]) => edgebidIn(folder())(...args);
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder(), name)), { recursive: true });
    writeFileSync(join(folder(), name), text);
    // A file has the time of the file system, which a moved clock does not change.
    utimesSync(join(folder(), name), now() / 1000, now() / 1000);
  };
  const written = () => JSON.parse(readFileSync(join(folder(), "my/supply.json"), "utf8")).supply;
  const compile = (...options: string[]) => edgebid("supply", "compile", "files", "--catalog", "my", ...options);

  /** A catalog whose SSP is exchange.example, and whose campaign buys from authorised sellers. */
  async function begin(): Promise<void> {
    mkdirSync(join(folder(), "my"));
    await edgebid("init", "my/first.json", "--yes");
    renameSync(join(folder(), "my/request.json"), join(folder(), "request.json"));
    const document = JSON.parse(readFileSync(join(folder(), "my/first.json"), "utf8"));
    document.ssps[0].domain = "Exchange.example";
    document.campaigns[0].target.supply = { authorised: "require" };
    write("my/first.json", JSON.stringify(document));
    write("files/ads/news.example/ads.txt", "exchange.example, pub-1, RESELLER\nother.example, 7, DIRECT\n");
    write("files/ads/Blog.example/ads.txt", "placeholder.example.com, placeholder, DIRECT, placeholder");
    write("files/app-ads/com.acme.app/app-ads.txt", "exchange.example, pub-2, DIRECT\n");
    write(
      "files/sellers/exchange.example/sellers.json",
      '{"sellers":[{"seller_id":"pub-1","seller_type":"PUBLISHER"}]}',
    );
  }

  /** The explanation of a request from a site. */
  async function explained(domain: string, seller: string): Promise<string> {
    const request = JSON.parse(readFileSync(join(folder(), "request.json"), "utf8"));
    write("asked.json", JSON.stringify({ ...request, site: { domain, publisher: { id: seller } } }));
    return (await edgebid("explain", "asked.json", "--catalog", "my"))[1];
  }

  test("files are compiled, and say who gets a bid", async () => {
    await begin();
    expect(await compile()).toEqual([
      0,
      expect.stringContaining("✓ my/supply.json: 2 sites and 1 app with 2 accounts; 1 in sellers.json"),
      "",
    ]);
    expect(written()).toMatchObject({
      systems: [{ domain: "exchange.example", sellers: ["P:pub-1"] }],
      ads: ["blog.example", "news.example,0R:pub-1"],
      app_ads: ["com.acme.app,0D:pub-2"],
    });
    expect(await explained("news.example", "pub-1")).toContain("bid (");
    expect(await explained("news.example", "pub-9")).toContain("sellers.json of the system does not have it");
    expect(await explained("blog.example", "pub-1")).toContain("ads.txt does not name it");
    expect(await explained("unknown.example", "pub-1")).toContain("there is no ads.txt");
  });

  test("partners and subdomains lead to other files", async () => {
    await begin();
    write("files/ads/news.example/ads.txt", "exchange.example, pub-1, RESELLER\nSUBDOMAIN=own.news.example");
    write("files/ads/own.news.example/ads.txt", "exchange.example, pub-1, DIRECT");
    write("files/ads/other.news.example/ads.txt", "exchange.example, pub-2, DIRECT\nSUBDOMAIN=x.other.news.example");
    write("files/ads/x.other.news.example/ads.txt", "exchange.example, pub-2, DIRECT");
    write("files/ads/same.news.example/ads.txt", "exchange.example, pub-1, RESELLER");
    const app =
      "exchange.example, pub-2, DIRECT\nInventoryPartnerDomain=news.example\nINVENTORYPARTNERDOMAIN=http://none.example/";
    write("files/app-ads/com.acme.app/app-ads.txt", app);
    const [, out] = await compile();
    for (const name of ["other", "x.other"])
      expect(out).toContain(`ads/${name}.news.example/ads.txt: the file of news.example counts instead`);
    expect(out).not.toContain("same.news.example");
    expect(written()).toMatchObject({
      ads: ["blog.example", "news.example,0R:pub-1", "own.news.example,0D:pub-1"],
      app_ads: ["com.acme.app,0D:pub-2,=news.example,=none.example"],
    });
    expect(await explained("x.other.news.example", "pub-1")).toContain("✓");
    const request = JSON.parse(readFileSync(join(folder(), "request.json"), "utf8"));
    const ofApp = async (inventorypartnerdomain: string) => {
      const { site, ...rest } = request;
      const app = { bundle: "com.acme.app", publisher: { id: "pub-1" }, inventorypartnerdomain };
      write("asked.json", JSON.stringify({ ...rest, app }));
      return (await edgebid("explain", "asked.json", "--catalog", "my"))[1];
    };
    expect(await ofApp("news.example")).toContain("✓");
    expect(await ofApp("")).toContain("app-ads.txt does not name it");
    expect(await ofApp("none.example")).toContain("or no ads.txt of its partner none.example");
  });

  test("a file that cannot be used leaves what is known, and changes are counted", async () => {
    await begin();
    await compile("--system", "zone.example");
    write("files/ads/news.example/ads.txt", "<html>");
    const accounts = Array.from({ length: 20_001 }, (_, n) => `exchange.example, ${n}, RESELLER\n`);
    write("files/ads/Blog.example/ads.txt", accounts.join(""));
    write("files/sellers/exchange.example/sellers.json", "gone");
    write("files/app-ads/com.acme.app/app-ads.txt", "exchange.example, pub-3, DIRECT\nexchange.example, pub-4\n");
    // Another order of the systems must not change whose account it is.
    write(
      "my/first.json",
      readFileSync(join(folder(), "my/first.json"), "utf8").replace('"Exchange.example"', '"zone.example"'),
    );
    const [code, out] = await compile("--system", "exchange.example");
    expect(code).toBe(0);
    for (const text of [
      "1 have lost an account, 1 have a new one",
      "files/ads/news.example/ads.txt".slice("files/".length),
      "HTML or XML",
      "ads/Blog.example/ads.txt: 20001 accounts; expected at most 20000",
      "sellers/exchange.example/sellers.json: not JSON",
      "app-ads/com.acme.app/app-ads.txt: line 2: no account",
    ]) {
      expect(out).toContain(text);
    }
    expect(written().ads).toEqual(["blog.example", "news.example,1R:pub-1"]);
    expect(written().systems[1]).toEqual({ domain: "exchange.example", sellers: ["P:pub-1"] });
  });

  test("files that are too old are a finding of compile, validate and push", async () => {
    await begin();
    for (const file of ["ads/news.example/ads.txt", "ads/Blog.example/ads.txt", "app-ads/com.acme.app/app-ads.txt"])
      utimesSync(join(folder(), "files", file), 1_790_000_000, 1_790_000_000);
    utimesSync(join(folder(), "files/sellers/exchange.example/sellers.json"), 1_790_000_000, 1_790_000_000);
    const text = "supply.date: the files of supply are too old since 2026-10-06, so";
    expect((await compile())[1]).toContain(text);
    expect((await edgebid("catalog", "validate", "my"))[1]).toContain(`supply.json: ${text}`);
    const pushed = await edgebid("catalog", "push", "my", "--local", "--persist-to", "kv");
    expect([pushed[0], pushed[1]]).toEqual([0, expect.stringContaining(text)]);
    expect((await compile("--max-age", "3650"))[1]).not.toContain("too old");
  });

  test("a campaign that needs the files is refused without them", async () => {
    await begin();
    const [code, , error] = await edgebid("catalog", "validate", "my");
    expect([code, error]).toEqual([1, expect.stringContaining("a campaign targets supply")]);
  });

  test("an empty folder, and a catalog without domains, are refused", async () => {
    await begin();
    mkdirSync(join(folder(), "none"));
    const none = await edgebid("supply", "compile", "none", "--catalog", "my");
    expect(none).toEqual([2, "", expect.stringContaining("none has no ads/DOMAIN/ads.txt")]);
    write(
      "my/first.json",
      readFileSync(join(folder(), "my/first.json"), "utf8").replace('"domain":"Exchange.example"', '"nbr":true'),
    );
    const nobody = [2, "", expect.stringContaining("no SSP of the catalog has a domain")];
    expect(await compile()).toEqual(nobody);
    write("my/first.json", '{"ssps":[null]}');
    expect(await compile()).toEqual(nobody);
  });
});
