//! `npm start` the way a person uses it: start, bid, push another catalog, bid again, Ctrl-C. On a
//! port and a local KV of its own, so that it runs beside a bidder that is already up.

import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const CATALOG = join(ROOT, "fixtures/catalog.json");
const REQUEST = readFileSync(join(ROOT, "fixtures/bid/simple-banner/request.json"));

interface Catalog {
  campaigns: { cid: string; max_cpm: string }[];
}

interface Bid {
  cid: string;
  price: number;
}

let state: string;
let running: Npm | undefined;

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "edgebid-start-"));
});

afterEach(async () => {
  await running?.interrupt();
  running = undefined;
  rmSync(state, { recursive: true, force: true });
});

test("npm start bids, follows a pushed catalog and leaves nothing behind", async () => {
  const port = await freePort();
  running = new Npm(["start", "--", "--port", String(port), "--persist-to", state]);
  await running.prints("Ctrl-C stops it");

  const first = await bid(port);
  const catalog: Catalog = JSON.parse(readFileSync(CATALOG, "utf8"));
  const campaign = catalog.campaigns.find(({ cid }) => cid === first.cid);
  if (!campaign) throw new Error(`no campaign ${first.cid} in ${CATALOG}`);
  const raised = Number(campaign.max_cpm) + 1;
  campaign.max_cpm = raised.toFixed(2);
  await push(catalog);
  await expect
    .poll(() => bid(port), { timeout: 10_000, interval: 200 })
    .toMatchObject({ cid: first.cid, price: raised });

  const started = running.descendants();
  expect(started.length).toBeGreaterThan(3);
  await running.interrupt();
  const left = () => processes().filter(({ pid }) => started.includes(pid));
  await expect.poll(left, { timeout: 2_000 }).toEqual([]);
});

test("a busy port is one clear line", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.on("listening", resolve));
  const { port } = server.address() as AddressInfo;
  running = new Npm(["start", "--silent", "--", "--port", String(port), "--persist-to", state]);
  expect(await running.ended).toBe(1);
  expect(running.output).toBe(`edgebid: port ${port} is in use; choose another: npm start -- --port ${port + 1}\n`);
  server.close();
});

/** A running npm in a process group of its own, as a shell would start it. */
class Npm {
  output = "";
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;

  constructor(args: string[]) {
    const child = spawn("npm", args, {
      cwd: ROOT,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.output += text;
      });
    }
    this.ended = new Promise((resolve) => child.on("close", resolve));
    this.#child = child;
  }

  async prints(text: string): Promise<void> {
    const early = this.ended.then((code) => {
      throw new Error(`npm ended with ${code}:\n${this.output}`);
    });
    const printed = expect.poll(() => this.output, { timeout: 150_000 }).toContain(text);
    await Promise.race([printed, early]);
  }

  /** What Ctrl-C in a terminal does: the signal goes to the whole group. */
  async interrupt(): Promise<void> {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid && exitCode === null && signalCode === null) process.kill(-pid, "SIGINT");
    await this.ended;
  }

  descendants(): number[] {
    const found = [this.#child.pid];
    const all = processes();
    for (const parent of found) {
      found.push(...all.filter(({ ppid }) => ppid === parent).map(({ pid }) => pid));
    }
    return found.filter((pid) => pid !== undefined);
  }
}

/** Every living process of this machine; without `ps` where the kernel says it itself. */
function processes(): { pid: number; ppid: number }[] {
  if (!existsSync("/proc/self/stat")) {
    const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).split("\n");
    return lines.map((line) => {
      const [pid = 0, ppid = 0] = line.trim().split(/\s+/).map(Number);
      return { pid, ppid };
    });
  }
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // pid (name) state ppid …, and the name may hold spaces and brackets.
        const [state, ppid] = readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
        // A zombie has ended; in some containers nobody collects it.
        return state === "Z" ? [] : [{ pid: Number(name), ppid: Number(ppid) }];
      } catch {
        return []; // It ended meanwhile.
      }
    });
}

async function bid(port: number): Promise<Bid> {
  const response = await fetch(`http://127.0.0.1:${port}/bid/demo`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: REQUEST,
  });
  expect(response.status).toBe(200);
  const answer = (await response.json()) as { seatbid: { bid: Bid[] }[] };
  const first = answer.seatbid[0]?.bid[0];
  if (!first) throw new Error("200 without a bid");
  return first;
}

async function push(catalog: Catalog): Promise<void> {
  const file = join(state, "pushed.json");
  writeFileSync(file, JSON.stringify(catalog));
  const where = ["--binding", "CATALOG", "--local", "--persist-to", state];
  await promisify(execFile)("npx", ["wrangler", "kv", "key", "put", "catalog", "--path", file, ...where], {
    cwd: ROOT,
    env: { ...process.env, WRANGLER_SEND_METRICS: "false", WRANGLER_HIDE_BANNER: "true" },
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.on("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
