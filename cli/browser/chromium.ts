//! Finds the Chromium that the browser tests run in: one that is there already. Nothing is downloaded.

import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** A started Chromium, headless, for which every name is this machine and every certificate good. */
export interface Chromium {
  context: BrowserContext;
  stop(): Promise<void>;
}

/**
 * Starts one with a profile that is new and goes with it. `partitionedOnly`: of the cookies of other sites it sends and keeps
 * partitioned ones alone; what it does by itself depends on who built it. Throws where there is none.
 */
export async function startChromium({ partitionedOnly }: { partitionedOnly: boolean }): Promise<Chromium> {
  const executablePath = path();
  const profile = mkdtempSync(join(tmpdir(), "edgebid-chromium-"));
  mkdirSync(join(profile, "Default"));
  const cookies = { block_third_party_cookies: partitionedOnly, cookie_controls_mode: Number(partitionedOnly) };
  writeFileSync(join(profile, "Default/Preferences"), JSON.stringify({ profile: cookies }));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: ["--host-resolver-rules=MAP * 127.0.0.1", "--ignore-certificate-errors"],
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
  const { CHROMIUM, PATH = "" } = process.env;
  if (CHROMIUM) return CHROMIUM;
  const places = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const found = places.find(isProgram);
  if (found) return found;
  throw new Error(
    `there is no Chromium on the PATH (${NAMES.join(", ")}): install one, with "apt-get install chromium" or from ` +
      "https://www.google.com/chrome, or set CHROMIUM to the path of its program",
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
