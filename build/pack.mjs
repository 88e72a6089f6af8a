//! `npm run pack`: makes the package that a person installs instead of cloning: target/package/edgebid-VERSION.tgz. It
//! has the built modules, the Worker and the commands as JavaScript, the template of `edgebid init`, the documents, and
//! the notices of the libraries in the modules. Every file has the same path as its source in the repository, so the
//! code finds its files in both.
//!
//!     node build/pack.mjs                  makes the package of what is built
//!     node build/pack.mjs --check [FILE]   builds the modules again from their sources, and compares every file
//!
//! The package.json of the package is made here from that of the clone, which is never published itself.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { crates, notices, RUST_NOTICES, rustNotices } from "./licences.mjs";
import { EXIT, Failure, runScript, step } from "./process.mjs";
import { NODE_FOR_TOOLS, ownPackage, ROOT, TOOL_ENV } from "./tools.mjs";

const OUT = join(ROOT, "target/package");
const WORKER = "worker/src/index.ts";
const ENTRIES = ["cli/edgebid.ts", WORKER];
/** The oldest Node on which the commands run. */
const NODE = NODE_FOR_TOOLS.join(".");
/** Libraries of the commands. Only these are installed with the package. */
export const DEPENDENCIES = ["commander", "csv-parse", "toml", "yaml"];
/**
 * The bidder's folder names its own wrangler, the only one, and deploys with it. It is optional, because a person who
 * only explains decisions does not need its 150 MB.
 */
const PEERS = ["wrangler"];
/** Files and folders for the package, but only the files that git tracks: a folder may also have a person's secrets. */
const FILES = [
  ...["CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md", "docs", "template"],
  ...["fixtures/init", "fixtures/catalog.json", "fixtures/catalog.schema.json", "fixtures/bid/simple-banner.json"],
  ...["cli/deploy/counts.json", "cli/deploy/prices.json"],
];
/** Built files, which git does not track. */
const BUILT = [...["bidder", "compiler", "pacer"].map((name) => `crates/${name}-wasm/pkg`), "worker/inspect/dist"];
/** Pages for the web only, which the package does not need. */
const LEFT_OUT = ["docs/code/", "docs/decisions/", "docs/pictures/"];

/**
 * Makes the package in a folder, and returns the path of its file.
 *
 * @param {string} out
 */
export async function pack(out) {
  const folder = join(out, "edgebid");
  await stage(folder);
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", out];
  const [{ filename }] = JSON.parse(await step("packing", "npm", args, { cwd: folder }));
  return join(out, filename);
}

/**
 * Writes the files of the package into a folder.
 *
 * @param {string} folder
 */
async function stage(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const tracked = execFileSync("git", ["ls-files", "-z", "--", ...FILES], { cwd: ROOT, encoding: "utf8" });
  const shipped = tracked.split("\0").filter((path) => path && !LEFT_OUT.some((left) => path.startsWith(left)));
  for (const path of [...shipped, ...BUILT]) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  await transpile(folder);
  writeFileSync(join(folder, "THIRD-PARTY-NOTICES"), notices(crates()));
  cpSync(rustNotices(), join(folder, RUST_NOTICES));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
}

/**
 * Turns the TypeScript of the commands and of the Worker into JavaScript, file by file.
 *
 * @param {string} folder
 */
async function transpile(folder) {
  const { metafile } = await build({ ...OPTIONS, entryPoints: ENTRIES, metafile: true });
  const worker = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint === WORKER);
  mkdirSync(join(folder, "worker/src"), { recursive: true });
  writeFileSync(join(folder, "worker/src/index.d.ts"), typesOf(worker?.exports ?? []));
  const sources = Object.keys(metafile.inputs);
  // The scripts that a clone runs are JavaScript already.
  for (const path of sources.filter((source) => source.endsWith(".mjs"))) {
    cpSync(join(ROOT, path), join(folder, path));
  }
  const { outputFiles } = await build({
    ...OPTIONS,
    entryPoints: sources.filter((source) => source.endsWith(".ts")),
    sourcemap: true,
    plugins: [{ name: "file by file", setup: keepImports }],
  });
  for (const { path, contents } of outputFiles) {
    const file = join(folder, relative(ROOT, path));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, contents);
  }
  chmodSync(join(folder, "cli/edgebid.js"), 0o755);
}

/** @type {import("esbuild").BuildOptions & { write: false }} */
const OPTIONS = {
  absWorkingDir: ROOT,
  outbase: ROOT,
  // Nothing is written there. It is only the base of the paths in source maps, so that they are the same in any folder.
  outdir: ROOT,
  bundle: true,
  format: "esm",
  platform: "neutral",
  target: `node${NODE}`,
  packages: "external",
  external: ["node:*", "cloudflare:*"],
  loader: { ".wasm": "empty" },
  logLevel: "error",
  write: false,
};

/**
 * Keeps each import, except for the file extension of TypeScript.
 *
 * @param {import("esbuild").PluginBuild} build
 */
function keepImports(build) {
  build.onResolve({ filter: /^\.\.?\// }, ({ path, kind }) => {
    return kind === "entry-point" ? null : { path: path.replace(/\.ts$/, ".js"), external: true };
  });
}

/**
 * The types of the Worker for a person who adds code to it. Besides the handlers, it exports only classes of Durable
 * Objects, because the platform allows nothing else.
 *
 * @param {string[]} names what the Worker exports
 */
function typesOf(names) {
  const classes = names.filter((name) => name !== "default");
  return `// \`npx wrangler types\` declares Env and the types of the platform.
import { DurableObject } from "cloudflare:workers";

declare const worker: Required<Pick<ExportedHandler<Env>, "fetch" | "queue">>;
export default worker;
${classes.map((name) => `export declare class ${name} extends DurableObject<Env> {}\n`).join("")}`;
}

/** The package.json of the package. */
function manifest() {
  const { name, version, description, license, type, devDependencies } = ownPackage();
  const repository = process.env["GITHUB_REPOSITORY"];
  /** @param {string[]} names */
  const versions = (names) => Object.fromEntries(names.map((name) => [name, `^${devDependencies[name]}`]));
  return {
    ...{ name, version, description, license, type },
    // The repository that makes the release. npm compares it with the provenance.
    ...(repository && { repository: { type: "git", url: `git+https://github.com/${repository}.git` } }),
    engines: { node: `>=${NODE}` },
    bin: { edgebid: "cli/edgebid.js" },
    exports: {
      "./worker": { types: "./worker/src/index.d.ts", default: "./worker/src/index.js" },
      "./package.json": "./package.json",
    },
    dependencies: versions(DEPENDENCIES),
    peerDependencies: versions(PEERS),
    peerDependenciesMeta: Object.fromEntries(PEERS.map((name) => [name, { optional: true }])),
  };
}

/**
 * Builds the modules from their sources in an empty folder, makes the package again, and compares its files with those
 * of a package.
 *
 * @param {string} file
 */
async function check(file) {
  if (!existsSync(file)) throw new Failure(`there is no ${file}; npm run pack makes one`);
  const rebuilt = join(OUT, "rebuilt");
  rmSync(rebuilt, { recursive: true, force: true });
  const env = { ...TOOL_ENV, CARGO_TARGET_DIR: join(rebuilt, "target") };
  await step("building the modules again", "cargo", ["xtask", "wasm"], { cwd: ROOT, env });
  await stage(join(rebuilt, "edgebid"));
  const given = join(rebuilt, "given");
  mkdirSync(given);
  await step("unpacking", "tar", ["-xzf", file, "-C", given], { cwd: ROOT });
  const [expected, found] = [hashesIn(join(rebuilt, "edgebid")), hashesIn(join(given, "package"))];
  const names = [...new Set([...expected.keys(), ...found.keys()])].sort();
  const different = names.filter((name) => expected.get(name) !== found.get(name));
  for (const name of names.filter((name) => name.endsWith(".wasm") || different.includes(name))) {
    const mark = different.includes(name) ? "✗" : "✓";
    process.stdout.write(`${mark} ${found.get(name) ?? "is missing".padEnd(64)}  ${name}\n`);
  }
  if (different.length > 0)
    throw new Failure(`${different.length} of ${names.length} files differ from their sources`, EXIT.found);
  process.stdout.write(`✓ all ${names.length} files of ${relative(process.cwd(), file)} come from these sources\n`);
}

/**
 * The SHA-256 of each file of a folder, by its path.
 *
 * @param {string} folder
 */
function hashesIn(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return new Map(
    files.map((name) => [
      name,
      createHash("sha256")
        .update(readFileSync(join(folder, name)))
        .digest("hex"),
    ]),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runScript(async () => {
    const [option, file, ...rest] = process.argv.slice(2);
    if (option === "--check" && rest.length === 0) {
      await check(resolve(file ?? join(OUT, `edgebid-${manifest().version}.tgz`)));
    } else if (option !== undefined) {
      throw new Failure("usage: npm run pack, or npm run pack -- --check [FILE]");
    } else {
      const made = await pack(OUT);
      process.stdout.write(`✓ ${relative(process.cwd(), made)}, ${(statSync(made).size / 1e6).toFixed(1)} MB\n`);
    }
  });
}
