//! The package as a person uses it who has only Node: install it, `edgebid init`, the folder's own test, `npm start`, a
//! bid, a push, the new price. The network is not used: what the package depends on is linked from the clone.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";
import { crates, RUST_NOTICES } from "../../build/licences.mjs";
import { pack } from "../../build/pack.mjs";
import { ROOT } from "../../build/tools.mjs";
import { folderFor } from "./edgebid.ts";
import { freePort } from "./free-port.ts";
import { Npm } from "./npm.ts";

const run = promisify(execFile);
/** The libraries that the package names, and what wrangler itself needs. */
const LINKED = readdirSync(join(ROOT, "node_modules")).filter((name) => !name.startsWith(".") && name !== "edgebid");

const home = folderFor("package");
let tarball: string;
/** The folder of the person's bidder. */
let folder: string;
let bidder: Npm | undefined;

/** A file of a person that git does not track. */
const SECRETS = join(ROOT, "template/.dev.vars");

beforeAll(async () => {
  const isOwn = existsSync(SECRETS);
  if (!isOwn) writeFileSync(SECRETS, "NOTICE_KEYS=secret\n");
  try {
    tarball = await pack(home);
  } finally {
    if (!isOwn) rmSync(SECRETS);
  }
  folder = join(home, "my-bidder");
  await install(home);
  await edgebid(home, "init", "my-bidder");
  await install(folder);
});

afterAll(() => bidder?.interrupt());

test("the package has no Rust, no TypeScript, no tests and nothing that git does not track", async () => {
  const { stdout } = await run("tar", ["-tzf", tarball]);
  const files = stdout.trim().split("\n");
  expect(files.filter((file) => file.includes(".dev.vars"))).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(["package/README.md", "package/LICENSE", "package/SECURITY.md"]));
  expect(files.filter((file) => /\.(rs|ts)$/.test(file) && !/\.d\.ts$|\/template\//.test(file))).toEqual([]);
  expect(files.filter((file) => /test|Cargo/.test(file) && !/\/template\//.test(file))).toEqual([]);
});

test("the package has the notice of each library that is compiled into it", () => {
  const own = join(folder, "node_modules/edgebid");
  const text = readFileSync(join(own, "THIRD-PARTY-NOTICES"), "utf8");
  const all = crates();
  expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(["bumpalo", "sha2", "serde", "html5gum"]));
  for (const { name, version, licence } of all) {
    expect(text).toContain(`  ${name} ${version}: ${licence}\n`);
    expect(text.slice(text.indexOf("-".repeat(80)))).toContain(`${name} ${version}`);
  }
  expect(text).toContain("Permission is hereby granted, free of charge");
  expect(text).toContain("UNICODE LICENSE V3");
  expect(readFileSync(join(own, RUST_NOTICES), "utf8")).toContain("Copyright notices for The Rust Standard Library");
});

test("the same sources give the same bytes in another folder", async () => {
  const again = await pack(join(home, "again"));
  expect(readFileSync(again).equals(readFileSync(tarball))).toBe(true);
});

test("the folder has the same bindings, variables and limits as the clone", () => {
  const [own, clone] = [folder, ROOT].map((where) => settingsOf(join(where, "wrangler.toml")));
  expect(own).toEqual(clone);
});

test("the folder has its own copy of the package, so it can be moved, and the wrangler of the clone", () => {
  const { devDependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { devDependencies: ours } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect(devDependencies).toEqual({ edgebid: `file:${basename(tarball)}`, wrangler: ours.wrangler });
  expect(readFileSync(join(folder, basename(tarball))).equals(readFileSync(tarball))).toBe(true);
});

test("init overwrites nothing", async () => {
  mkdirSync(join(home, "other"));
  writeFileSync(join(home, "other/request.json"), "{}");
  await expect(edgebid(home, "init", "other")).rejects.toThrow("request.json exists; edgebid init overwrites no file");
  expect(readdirSync(join(home, "other"))).toEqual(["request.json"]);
});

test("the folder's own test passes, and fails after a change of a price", async () => {
  await inFolder("npm", "test");
  const catalog = readFileSync(join(folder, "catalog.json"), "utf8");
  writeFileSync(join(folder, "catalog.json"), catalog.replace('"2.50"', '"2.40"'));
  await expect(inFolder("npm", "test")).rejects.toThrow();
  writeFileSync(join(folder, "catalog.json"), catalog);
});

test("every command is there", async () => {
  const { stdout } = await edgebid(folder, "--help");
  const { stdout: ours } = await run(process.execPath, [join(ROOT, "cli/edgebid.ts"), "--help"], { cwd: folder });
  expect(stdout).toBe(ours);
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect((await edgebid(folder, "--version")).stdout).toBe(`${version}\n`);
});

test("commands take the folder's catalog and request", async () => {
  expect((await edgebid(folder, "explain", "request.json")).stdout).toContain("✓ shoes-autumn / shoes-300x250: 2.5");
  expect((await edgebid(join(folder, "test"), "explain", "../request.json")).stdout).toContain("✓ shoes-autumn");
  const { stdout } = await edgebid(folder, "catalog", "explain", "shoes-autumn", "--catalog", "catalog.json");
  expect(stdout).toContain("campaign shoes-autumn");
  await edgebid(folder, "validate", "--strict", "request.json");
  expect((await edgebid(folder, "costs", "--rate", "1000")).stdout).toContain("a million requests");
  const outside = edgebid(home, "catalog", "show", "--local");
  await expect(outside).rejects.toThrow("there is no wrangler.toml in this folder or above it");
});

test("the doctor's advice names pages that the folder has", async () => {
  const { stdout } = await edgebid(folder, "doctor", "--json").catch((error) => error);
  const { findings } = JSON.parse(stdout) as { findings: { mend?: string }[] };
  const pages = findings.flatMap(({ mend = "" }) => /[\w./-]+\.md/.exec(mend) ?? []);
  expect(pages.length).toBeGreaterThan(2);
  for (const page of pages) expect(readFileSync(join(folder, page), "utf8")).toMatch(/^# /);
});

test("npm start bids, and follows a pushed catalog", async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  bidder = new Npm(["start", "--", "--port", String(port)], folder, ENV);
  await bidder.prints("Ctrl-C stops it");
  const { output } = bidder;
  expect(output).toContain("It serves catalog.json.");
  const [hint = ""] = output.match(/curl .*bid\.json$/m) ?? [];
  expect(hint).toContain(`--data @request.json ${url}/bid/demo`);
  const price = async () => {
    const { stdout } = await run("bash", ["-c", hint], { cwd: folder });
    return JSON.parse(stdout).seatbid[0].bid[0].price;
  };
  expect(await price()).toBe(2.5);
  const page = await fetch(`${url}/inspect/`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<script")]);
  const catalog = readFileSync(join(folder, "catalog.json"), "utf8").replace('"2.50"', '"2.70"');
  writeFileSync(join(folder, "catalog.json"), catalog);
  const [push = ""] = output.match(/npx edgebid catalog push .*/) ?? [];
  await inFolder("bash", "-c", push);
  await vi.waitFor(async () => expect(await price()).toBe(2.7), { timeout: 10_000, interval: 500 });
  const { stdout } = await edgebid(folder, "smoke", url);
  expect(stdout).not.toContain("✗");
});

test("wrangler can deploy the folder", async () => {
  await inFolder("npx", "wrangler", "deploy", "--dry-run", "--outdir", "dist");
  const modules = readdirSync(join(folder, "dist")).filter((name) => name.endsWith(".wasm"));
  expect(modules).toHaveLength(3);
  const map = JSON.parse(readFileSync(join(folder, "dist/index.js.map"), "utf8"));
  expect(map.sources.filter((source: string) => source.endsWith("worker/src/routes/bid.ts"))).toHaveLength(1);
});

/** No compiler is on the path: only the folder of this Node, and the programs of the system. */
const ENV = {
  PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
  HOME: tmpdir(),
  WRANGLER_SEND_METRICS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
};

function edgebid(cwd: string, ...args: string[]) {
  return run("npx", ["edgebid", ...args], { cwd, env: ENV });
}

function inFolder(program: string, ...args: string[]) {
  return run(program, args, { cwd: folder, env: ENV });
}

/** Does what `npm install` of the tarball does, but takes every other package from the clone. */
async function install(into: string): Promise<void> {
  const modules = join(into, "node_modules");
  const own = join(modules, "edgebid");
  mkdirSync(join(modules, ".bin"), { recursive: true });
  mkdirSync(own);
  await run("tar", ["-xzf", tarball, "--strip-components=1", "-C", own]);
  for (const name of LINKED) symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  symlinkSync("../edgebid/cli/edgebid.js", join(modules, ".bin/edgebid"));
  symlinkSync("../wrangler/bin/wrangler.js", join(modules, ".bin/wrangler"));
  const resolved = `file:${join(into === home ? "" : "..", basename(tarball))}`;
  const lock = { lockfileVersion: 3, packages: { "node_modules/edgebid": { resolved } } };
  writeFileSync(join(modules, ".package-lock.json"), JSON.stringify(lock));
}

/** What a configuration says, without the names and paths in which a folder differs from the clone. */
function settingsOf(file: string) {
  const { name, main, build, assets, configPath, userConfigPath, topLevelName, ...settings } = readConfig({
    config: file,
  });
  return { ...settings, assets: assets && { ...assets, directory: "" } };
}
