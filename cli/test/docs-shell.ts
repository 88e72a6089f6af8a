//! Runs the documents' shell examples against a bidder of its own, with its own local KV and port.
//!
//! Commands that need an account or build Rust do not run. Instead, the program must know the subcommand and options.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { ROOT, TOOL_ENV } from "../../build/tools.mjs";
import { commandsOf } from "./docs-pages.ts";
import { type Ended, edgebidIn, ranToEnd } from "./edgebid.ts";
import { freePort } from "./free-port.ts";

const EDGEBID = join(ROOT, "cli/edgebid.ts");
const WRANGLER = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
/** The keys of prices that docs/connect-ssp.md tells readers to write into `.dev.vars`. */
const PRICE_KEYS = {
  north: { encryption: btoa("north encrypts prices with this."), integrity: btoa("north signs its prices with this") },
};
export const EXAMPLE_CATALOG = join(ROOT, "fixtures/catalog.json");

/** A command that needs no shell, so that it can run in this process. */
const PLAIN = /^npx edgebid [^|>$`;&<*\n]*$/;
/** Commands of which later ones in the same shell depend, or that go over several lines. */
const IN_ONE_SHELL = /^cd |^\w+=|<<|&$/m;
/** The servers that the documents name. */
const SERVERS = /http:\/\/127\.0\.0\.1:878[78]|https:\/\/bidder\.example/g;

export class Shell {
  readonly #folder: string;
  readonly #state: string;
  /** The help of wrangler's commands. */
  readonly #help = new Map<string, Promise<string>>();
  #origin = "";
  #bidder: ChildProcess | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    this.#state = join(folder, "state");
  }

  /** Starts a bidder with the example catalog. */
  async start(): Promise<void> {
    await this.pushExample();
    // The Worker's own configuration, but without the build step, because the modules are built before the tests run.
    const config = readFileSync(join(ROOT, "wrangler.toml"), "utf8");
    const main = `main = ${JSON.stringify(join(ROOT, "worker/src/index.ts"))}`;
    const page = `directory = ${JSON.stringify(join(ROOT, "worker/inspect/dist"))}`;
    const own = config
      .replace(/^main = .*$/m, main)
      .replace(/^directory = .*$/m, page)
      .replace(/^\[build\]\n(.+\n)*/m, "");
    writeFileSync(join(this.#folder, "wrangler.toml"), own);
    // As in a clone, where commands without a catalog take the example.
    symlinkSync(join(ROOT, "fixtures"), join(this.#folder, "fixtures"));
    writeFileSync(join(this.#folder, ".dev.vars"), `PRICE_KEYS='${JSON.stringify(PRICE_KEYS)}'\n`);
    const port = String(await freePort());
    this.#origin = `http://127.0.0.1:${port}`;
    const args = ["dev", "--ip", "127.0.0.1", "--port", port, "--inspector-port", "0", "--persist-to", this.#state];
    // As `npm start` does.
    const all = ["CATALOG_REFRESH_SECONDS:1", "OPERATOR:local", `NOTICE_KEYS:${"k".repeat(32)}`];
    const vars = all.flatMap((one) => ["--var", one]);
    const options = { cwd: this.#folder, env: TOOL_ENV, stdio: "ignore" } as const;
    this.#bidder = spawn(process.execPath, [WRANGLER, ...args, ...vars], options);
    const isUp = async () => expect((await fetch(`${this.#origin}/healthz`)).status).toBe(200);
    await vi.waitFor(isUp, { timeout: 60_000, interval: 200 });
  }

  async stop(): Promise<void> {
    const bidder = this.#bidder;
    if (bidder === undefined || bidder.exitCode !== null) return;
    const closed = new Promise((done) => bidder.on("close", done));
    bidder.kill("SIGINT");
    await closed;
  }

  /** Serves the example again, whatever a page has pushed. Returns when the bidder, if it runs, serves it. */
  async pushExample(): Promise<void> {
    const where = ["--local", "--persist-to", this.#state, "--force"];
    const [code, stdout, stderr] = await this.edgebid("catalog", "push", EXAMPLE_CATALOG, ...where);
    if (code !== 0) throw new Error(stderr);
    if (this.#bidder === undefined) return;
    const [version] = /[0-9a-f]{16}/.exec(stdout) ?? [];
    const isServed = async () => {
      const health = (await (await fetch(`${this.#origin}/healthz`)).json()) as { catalog: { version: string } };
      expect(health.catalog.version).toBe(version);
    };
    await vi.waitFor(isServed, { timeout: 30_000, interval: 200 });
  }

  /** The folder in which a page's examples run, one after the other. */
  homeOf(page: string): string {
    const home = join(this.#folder, page.replace(/\W/g, "-"));
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home);
    symlinkSync(join(ROOT, "fixtures"), join(home, "fixtures"));
    return home;
  }

  edgebid(...args: string[]): Promise<Ended> {
    return edgebidIn(this.#folder)(...args);
  }

  /**
   * Runs an example against the bidder or another server, and returns what it prints. Throws when a command fails.
   */
  async example(text: string, home: string, origin = this.#origin): Promise<string> {
    const commands: string[] = [];
    for (const command of commandsOf(text)) {
      if (!(await this.#isLookedUp(command))) commands.push(command);
    }
    const parts = IN_ONE_SHELL.test(commands.join("\n")) ? [commands.join("\n")] : commands;
    const printed: string[] = [];
    for (const part of parts) {
      const run = PLAIN.test(part) ? this.#inThisProcess(part, home, origin) : this.#inBash(part, home, origin);
      const [code, stdout, stderr] = await run;
      if (code !== 0) throw new Error(`${part}\nends with ${code}:\n${stdout}${stderr}`);
      printed.push(stdout, stderr);
    }
    return printed.join("\n");
  }

  #inBash(script: string, home: string, origin: string): Promise<Ended> {
    return ranToEnd(["bash", "-euo", "pipefail", "-c", `${this.#prelude(origin)}\n${script}`], home);
  }

  #inThisProcess(command: string, home: string, origin: string): Promise<Ended> {
    const words = command.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
    const args = words.slice(2).map((word) => word.replace(/^(["'])(.*)\1$/s, "$2").replace(SERVERS, origin));
    if (args.includes("--local")) {
      args.push("--persist-to", this.#state);
      writeFileSync(join(home, "pushed"), "");
    }
    return edgebidIn(home, { OPERATOR_TOKEN: "docs", EDGEBID_URL: origin })(...args);
  }

  /**
   * Defines the readers' commands for this server and the bidder's KV. After a push, `curl` first waits for the new
   * catalog.
   */
  #prelude(origin: string): string {
    return `
      export OPERATOR_TOKEN=docs EDGEBID_URL=${origin}
      npx() {
        shift
        local where=()
        case " $* " in *" --local "*) where=(--persist-to "${this.#state}"); touch pushed;; esac
        local args=("\${@//http:\\/\\/127.0.0.1:8787/${origin}}")
        args=("\${args[@]//https:\\/\\/bidder.example/${origin}}")
        "${process.execPath}" "${EDGEBID}" "\${args[@]}" "\${where[@]}"
      }
      curl() {
        if [ -e pushed ]; then
          rm pushed
          for pause in 1.2 0.5; do command curl -s -o pause.txt ${this.#origin}/healthz; sleep $pause; done
        fi
        local args=("\${@//http:\\/\\/127.0.0.1:8787/${origin}}")
        command curl -sS --fail --max-time 20 "\${args[@]//https:\\/\\/bidder.example/${origin}}"
        echo
      }`;
  }

  /** Whether a command is only looked up, not run. */
  async #isLookedUp(command: string): Promise<boolean> {
    const [program, tool = "", ...words] = command.match(/"[^"]*"|\S+/g) ?? [];
    if (program === "npm") {
      // Of a folder that `edgebid init` writes. `package.test.ts` installs the package.
      if (tool === "install") return true;
      const script = tool === "run" ? words.find((word) => !word.startsWith("-")) : tool;
      const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
      expect(Object.keys(scripts)).toContain(script);
      return true;
    }
    if (program !== "npx") return false;
    const options = words.filter((word) => word.startsWith("--"));
    const firstOption = words.findIndex((word) => word.startsWith("-"));
    const names = firstOption < 0 ? words : words.slice(0, firstOption);
    if (tool === "wrangler") {
      const stdout = await this.#helpOf(names);
      const usage = /^wrangler (.*)$/m.exec(stdout)?.[1]?.split(" ") ?? [];
      const literal = usage.filter((word) => !/[[<]/.test(word));
      expect(names.slice(0, literal.length), stdout).toEqual(literal);
      expect(stdout, `wrangler ${names.join(" ")} is no command`).not.toMatch(/^COMMANDS$/m);
      expect(names.length, stdout).toBeLessThanOrEqual(usage.length);
      for (const option of options) expect(stdout).toContain(`${option} `);
      return true;
    }
    expect(tool, "npx").toBe("edgebid");
    if (!options.includes("--remote") && !options.includes("--env")) return false;
    const [group = "", name = ""] = names;
    const [, stdout] = await this.edgebid(group, name, "--help");
    expect(stdout).toContain(`Usage: edgebid ${group === "catalog" ? `${group} ${name}` : group} `);
    for (const option of options) expect(stdout).toMatch(new RegExp(`${option}[ ,]`));
    return true;
  }

  #helpOf(names: string[]): Promise<string> {
    const key = names.join(" ");
    const known = this.#help.get(key);
    const help =
      known ?? ranToEnd([process.execPath, WRANGLER, ...names, "--help"], this.#folder).then(([, text]) => text);
    this.#help.set(key, help);
    return help;
  }
}
