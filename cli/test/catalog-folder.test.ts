//! A folder of documents is one catalog. Tests what is merged, what is refused, and which locations findings name.

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compiledAside } from "../catalog/compiling.ts";
import { saved } from "../catalog/save.ts";
import { sourceOf } from "../catalog/source.ts";
import { eachInFolder, findingsOn } from "./edgebid.ts";

const folder = eachInFolder("folder");

function write(name: string, document: unknown): void {
  writeFileSync(join(folder(), name), typeof document === "string" ? document : JSON.stringify(document));
}

const head = { format: 1, ssps: [{ id: "demo" }] };
const creative = (crid: string) => ({ crid, banner: { w: 300, h: 250, adm: "<b>ad</b>" } });
const campaign = (cid: string, crid: string, more: object = {}) => {
  return { cid, seat: "s", adomain: ["a.example"], max_cpm: "1.00", creatives: [crid], ...more };
};

const findings = () => findingsOn(folder());

test("documents are merged in the order of their names, and other files are ignored", async () => {
  write("2-de.json", { campaigns: [campaign("c2", "b")], creatives: [creative("b")] });
  const privacy = { bid_unregistered: false };
  write("1-all.json", { $schema: "x", ...head, privacy, creatives: [creative("a")] });
  write("10-fr.json", { format: 1, campaigns: [campaign("c1", "a")] });
  write("notes.txt", "not JSON");
  const { document } = sourceOf(folder());
  expect(JSON.parse(new TextDecoder().decode(document))).toEqual({
    ...{ ...head, privacy },
    creatives: [creative("a"), creative("b")],
    campaigns: [campaign("c1", "a"), campaign("c2", "b")],
  });
  expect(await findings()).toEqual([]);
});

test("findings name the file and the location in it", async () => {
  write("a.json", { ...head, creatives: [creative("a"), creative("b")], campaigns: [campaign("c1", "a")] });
  write("b.json", {
    creatives: [creative("a")],
    campaigns: [campaign("c2", "b"), campaign("c3", "gone", { seet: "s" })],
  });
  write("c.json", { privacy: { vendor_id: 0 } });
  expect(await findings()).toEqual([
    expect.stringMatching(/^c\.json: privacy\.vendor_id: 0; expected 1 to 65535/),
    expect.stringMatching(/^b\.json: creatives\[0\]\.crid: "a" is already used in a\.json creatives\[0\]/),
    expect.stringMatching(/^b\.json: campaigns\[1\]\.seet: .*seat/),
    expect.stringMatching(/^b\.json: campaigns\[1\]\.creatives\[0\]: "gone" does not exist/),
  ]);
});

test("a finding on what a template has names the template's file", async () => {
  write("a.json", { ...head, privacy: { bid_unregistered: false }, creatives: [creative("a")], templates: [] });
  write("b.json", { templates: [{ ...campaign("t", "gone"), cid: undefined, id: "t" }] });
  write("c.json", {
    templates: [],
    campaigns: [
      { cid: "c1", template: "t" },
      { cid: "c2", template: "tt" },
    ],
  });
  expect(await findings()).toEqual([
    expect.stringMatching(/^b\.json: templates\[0\]\.creatives\[0\]: "gone" does not exist.*\(in campaign c1\)$/),
    'c.json: campaigns[1].template: "tt" does not exist; did you mean "t"?',
  ]);
});

test("notes name the file and the location too, and the catalog is accepted", async () => {
  const privacy = { bid_unregistered: false };
  write("a.json", { ...head, privacy, creatives: [creative("a")], campaigns: [campaign("c1", "a")] });
  write("b.json", { campaigns: [campaign("c2", "a", { nurl: "http://x.example/" })] });
  const { notes } = await compiledAside(sourceOf(folder()));
  expect(notes).toMatchObject([{ path: "b.json: campaigns[0].nurl", of: "c2", rule: "plain-http", severity: "note" }]);
});

test("all contradictions between files are reported at once", async () => {
  write("a.json", { ...head, prebid_code: "a" });
  write("b.json", { format: 2, prebid_code: "b" });
  write("c.json", "{ no");
  write("d.json", "[]");
  expect(await findings()).toEqual([
    "b.json: format: 2, and 1 in a.json; expected the same",
    "b.json: prebid_code: is in a.json too; expected in one file only",
    expect.stringMatching(/^c\.json: .*JSON/),
    "d.json: not an object; expected a catalog document",
  ]);
});

test("a list that is no list in one file is refused, although another file has the list", async () => {
  write("a.json", { ...head, campaigns: campaign("c1", "a"), orders: null });
  write("b.json", { creatives: [creative("a")], campaigns: [campaign("c2", "a")], orders: [] });
  expect(await findings()).toEqual(["a.json: campaigns: not a list; expected an array, in YAML a - before each entry"]);
});

test("an attribute that a file has twice is refused, as in a single document", async () => {
  const twice = JSON.stringify(campaign("c1", "a")).replace('"seat":"s"', '"seat":"s","seat":"t"');
  write("a.json", { ...head, creatives: [creative("a")], campaigns: [] });
  write("b.json", `{"campaigns":[${twice}]}`);
  expect(await findings()).toEqual([
    "b.json: campaigns[0].seat: given more than once, the last one counts; expected once",
  ]);
});

const excluding = (...lists: string[]) => ({ target: { domain: { exclude_lists: lists } } });

test("text files in lists/ become lists, one value a line", async () => {
  mkdirSync(join(folder(), "lists"));
  write("lists/sites.txt", "\ufeff# not for us\r\n\r\n  tabloid.example\r\nwar.example");
  write("lists/notes.md", "no list");
  const lists = [{ id: "apps", values: ["com.bad.app"] }];
  const campaigns = [campaign("c1", "a", excluding("sites", "apps"))];
  write("a.json", { ...head, privacy: { bid_unregistered: false }, creatives: [creative("a")], lists, campaigns });
  const source = sourceOf(folder());
  expect(JSON.parse(new TextDecoder().decode(source.document)).lists).toEqual([
    ...lists,
    { id: "sites", values: ["tabloid.example", "war.example"] },
  ]);
  expect((await compiledAside(source)).notes).toEqual([]);
});

test("findings on a list name its file and line", async () => {
  mkdirSync(join(folder(), "lists"));
  write("lists/sites.txt", "# head\ntabloid.example\nhttps://war.example/\n\ntabloid.example\n");
  write("lists/empty.txt", "# nothing\n");
  writeFileSync(join(folder(), "lists/a.txt"), "x.example\n");
  const lists = [{ id: "sites", values: ["a b"] }];
  const campaigns = [campaign("c1", "a", excluding("sites", "empty", "a", "gone"))];
  write("a.json", { ...head, creatives: [creative("a")], lists, campaigns });
  expect(await findings()).toEqual([
    expect.stringMatching(/^a\.json: lists\[0\]\.values\[0\]: "a b" matches no domain/),
    expect.stringMatching(/^lists\/empty\.txt: empty; expected at least one entry/),
    expect.stringMatching(/^lists\/sites\.txt: "sites" is already used in a\.json lists\[0\]/),
    expect.stringMatching(/^lists\/sites\.txt:3: "https:\/\/war\.example\/" matches no domain/),
    expect.stringMatching(/^a\.json: campaigns\[0\]\.target\.domain\.exclude_lists\[3\]: "gone" does not exist/),
    expect.stringMatching(/^lists\/sites\.txt:5: "tabloid\.example" is in this list already/),
    expect.stringMatching(/./),
  ]);
});

test("a list that is not UTF-8 is refused", async () => {
  mkdirSync(join(folder(), "lists"));
  write("a.json", head);
  writeFileSync(join(folder(), "lists/latin.txt"), Uint8Array.of(0x62, 0xfc, 0x0a));
  expect(await findings()).toEqual(["lists/latin.txt: not UTF-8; expected a text with one value a line"]);
});

test.each(["1.json", "1.yaml", "lists/1.txt"])(
  "%s that leads out of the folder, or never ends, is refused",
  async (name) => {
    mkdirSync(join(folder(), "lists"));
    mkdirSync(join(folder(), "inside"));
    write("a.json", head);
    const file = join(folder(), name);
    const [out, odd] = [
      "a link out of the folder; expected a file in it",
      "no ordinary file; expected one, not a pipe or a folder",
    ];
    for (const [make, message] of [
      [() => symlinkSync("/etc/hostname", file), out],
      [() => symlinkSync("/dev/zero", file), out],
      [() => symlinkSync("/dev/stdin", file), out],
      [() => symlinkSync(join(folder(), "../"), file), out],
      [() => symlinkSync(`${folder()}2/a.json`, file), "a link to nothing; expected a file"],
      [() => symlinkSync(file, file), "a link to nothing; expected a file"],
      [() => symlinkSync(join(folder(), "inside"), file), odd],
      [() => mkdirSync(file), odd],
      [() => execFileSync("mkfifo", [file]), odd],
    ] as const) {
      make();
      expect(await findings()).toEqual([`${name}: ${message}`]);
      rmSync(file, { recursive: true });
    }
  },
);

test("a link to another file of the folder is followed, as in a mounted folder", () => {
  mkdirSync(join(folder(), "..data"));
  write("..data/a.json", { ...head, campaigns: [campaign("c", "a")] });
  symlinkSync("..data/a.json", join(folder(), "a.json"));
  expect(JSON.parse(new TextDecoder().decode(sourceOf(folder()).document)).campaigns).toHaveLength(1);
});

test("an empty folder is not a catalog", () => {
  expect(() => sourceOf(folder())).toThrow("has no *.json");
});

test("a file of a catalog is written after the catalog has compiled with it, and a refused one never", async () => {
  write("1.json", { ...head, creatives: [creative("a")] });
  const path = join(folder(), "2.json");
  const textOf = (crid: string) => JSON.stringify({ campaigns: [campaign("c", crid)] });
  const saving = saved(path, textOf("a"), folder());
  // The process may be killed while it compiles.
  expect(readdirSync(folder())).toEqual(["1.json"]);
  await saving;
  expect(readFileSync(path, "utf8")).toBe(textOf("a"));
  await expect(saved(path, textOf("b"), folder())).rejects.toThrow('"b"');
  expect(readFileSync(path, "utf8")).toBe(textOf("a"));
  expect(readdirSync(folder())).toEqual(["1.json", "2.json"]);
});
