//! Starts a Chromium for the browser tests. It must be installed already: nothing is downloaded.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** A running headless Chromium. It resolves every name to this machine and accepts every certificate. */
export interface Chromium {
  context: BrowserContext;
  stop(): Promise<void>;
}

/**
 * Starts a Chromium with a temporary profile. With `partitionedOnly`, it blocks third-party cookies that are not
 * partitioned; the default differs between builds. Throws if no Chromium is installed.
 */
export async function startChromium({ partitionedOnly }: { partitionedOnly: boolean }): Promise<Chromium> {
  const executablePath = path();
  const profile = mkdtempSync(join(tmpdir(), "edgebid-chromium-"));
  mkdirSync(join(profile, "Default"));
  const cookies = { block_third_party_cookies: partitionedOnly, cookie_controls_mode: Number(partitionedOnly) };
  writeFileSync(join(profile, "Default/Preferences"), JSON.stringify({ profile: cookies }));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: [
      "--host-resolver-rules=MAP * 127.0.0.1",
      "--ignore-certificate-errors",
      "--disable-features=LocalNetworkAccessChecks",
    ],
  });
  return {
    context,
    async stop() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

function path(): string {
  const { CHROMIUM } = process.env;
  if (CHROMIUM) return CHROMIUM;
  const [found] = spawnSync("which", NAMES, { encoding: "utf8" }).stdout.split("\n");
  if (found) return found;
  throw new Error(
    `there is no Chromium on the PATH (${NAMES.join(", ")}): install one with "apt-get install chromium" or from ` +
      "https://www.google.com/chrome, or set CHROMIUM to the path of its program",
  );
}
