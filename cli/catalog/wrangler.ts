//! Uses a KV namespace on an account through `wrangler kv`, which handles the login and the protocol.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { EXIT, Failure } from "../../build/failure.mjs";
import { configuration, TOOL_ENV, toolNode, wranglerProgram } from "../../build/tools.mjs";
import type { Store } from "./store.ts";

const NOT_FOUND = "Value not found\n";

/** A store that wrangler reaches with these options, such as `["--remote", "--env", "staging"]`. */
export function wranglerStore(where: string[]): Store {
  const kv = (...args: string[]) => runWrangler(["kv", ...args, "--binding", "CATALOG", ...where]);
  const list: Store["list"] = async (prefix) =>
    JSON.parse((await kv("key", "list", "--prefix", prefix)).toString("utf8"));
  return {
    where: where.join(" "),
    list,
    async get(key) {
      try {
        const value = await kv("key", "get", key);
        return value.toString("latin1") === NOT_FOUND ? null : new Uint8Array(value);
      } catch (error) {
        // On an account, wrangler fails in the same way for a missing key and for other problems. The list shows
        // whether the key exists.
        if ((await list(key)).some(({ name }) => name === key)) throw error;
        return null;
      }
    },
    async put(key, value, metadata) {
      await withFile(value, (path) =>
        kv("key", "put", key, "--path", path, ...(metadata ? ["--metadata", JSON.stringify(metadata)] : [])),
      );
    },
    async delete(keys) {
      await withFile(JSON.stringify(keys), (path) => kv("bulk", "delete", path, "--force"));
    },
  };
}

async function withFile(content: string | Uint8Array, work: (path: string) => Promise<unknown>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "edgebid-"));
  try {
    const path = join(folder, "value.json");
    writeFileSync(path, content);
    await work(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs wrangler and returns its output. Throws {@link Failure} with the end of the output if it fails. */
export async function runWrangler(args: string[]): Promise<Buffer<ArrayBuffer>> {
  const child = spawn(toolNode(), [wranglerProgram(), ...args], {
    cwd: dirname(configuration()),
    env: TOOL_ENV,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed: Buffer[] = [];
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => printed.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString("utf8");
  });
  const code = await new Promise<number | null>((done, fail) => child.on("error", fail).on("close", done));
  const stdout = Buffer.concat(printed);
  if (code === 0) return stdout;
  const words = `${stdout.toString("utf8").slice(-2000)}\n${said}`;
  throw wranglerFailure(`${args.slice(0, 4).join(" ")} failed`, words, "wrangler.toml has the namespace's id");
}

/** A failure of wrangler with the end of its output. */
export function wranglerFailure(what: string, said: string, check: string): Failure {
  // Wrangler's hint about `--temporary` does not apply: this program has no such option.
  const lines = stripVTControlCharacters(said)
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.includes("`--temporary`"));
  return new Failure(
    `wrangler ${what}:\n${lines.slice(-8).join("\n")}\n` +
      `Check that you are logged in (\`npx wrangler whoami\`) or CLOUDFLARE_API_TOKEN is set, and that ${check}.`,
    EXIT.unreachable,
  );
}
