//! The local KV is the one of `wrangler dev`, for every way to name the namespace, and also while a bidder runs on it.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { getPlatformProxy } from "wrangler";
import { withLocalStore } from "../catalog/local.ts";
import { eachInFolder } from "./edgebid.ts";

const folder = eachInFolder("local-kv");
const HEAD = 'name = "bidder"\ncompatibility_date = "2026-10-20"\n';

/** Writes a configuration, and returns its path. */
function configured(text: string, name = "wrangler.toml"): string {
  const path = join(folder(), name);
  writeFileSync(path, text);
  return path;
}

test.each([
  ["an id", "wrangler.toml", `${HEAD}[[kv_namespaces]]\nbinding = "CATALOG"\nid = "a1"\n`],
  ["a preview_id", "wrangler.toml", `${HEAD}kv_namespaces = [{ binding = "CATALOG", id = "a1", preview_id = "b2" }]\n`],
  [
    "JSON with comments",
    "wrangler.jsonc",
    '{ "name": "bidder", // ours\n "compatibility_date": "2026-10-20", "kv_namespaces": [{ "binding": "CATALOG", "id": "c3" }] }',
  ],
])("%s: both see at once what the other writes", async (_, name, text) => {
  const configPath = configured(text, name);
  const state = join(folder(), "state");
  const running = await getPlatformProxy<{
    CATALOG: { get(key: string): Promise<string | null>; put(key: string, value: string): Promise<void> };
  }>({ configPath, persist: { path: join(state, "v3") }, remoteBindings: false });
  try {
    await running.env.CATALOG.put("catalog", "first");
    await withLocalStore(
      state,
      async (store) => {
        expect(Buffer.from((await store.get("catalog")) ?? []).toString()).toBe("first");
        await store.put("catalog", new TextEncoder().encode("second"));
        expect(await running.env.CATALOG.get("catalog")).toBe("second");
      },
      configPath,
    );
    expect(await running.env.CATALOG.get("catalog")).toBe("second");
  } finally {
    await running.dispose();
  }
});

test("keys and metadata of any text, and a value that KV refuses", async () => {
  const config = configured(`${HEAD}[[kv_namespaces]]\nbinding = "CATALOG"\nid = "a1"\n`);
  await withLocalStore(
    folder(),
    async (store) => {
      const [key, metadata] = ["ü k/1?&=#%", { pushed: "now", campaigns: 1, bytes: 1, note: "ü\n&" }];
      await store.put(key, new Uint8Array([0, 255]), metadata);
      expect(await store.list("ü")).toEqual([{ name: key, metadata }]);
      expect(await store.get(key)).toEqual(new Uint8Array([0, 255]));
      await store.delete([key]);
      expect([await store.list(""), await store.get(key)]).toEqual([[], null]);
      await expect(store.put("big", new Uint8Array((25 << 20) + 1))).rejects.toThrow(
        /the local KV cannot do this: .*413/s,
      );
    },
    config,
  );
});

test.each([
  ["no namespace", HEAD, "has no [[kv_namespaces]] with the binding CATALOG"],
  ["a mistake", `${HEAD}[[kv_namespaces]\n`, /wrangler\.toml:3: /],
])("%s in wrangler.toml is named", async (_, text, message) => {
  await expect(withLocalStore(folder(), async () => {}, configured(text))).rejects.toThrow(message);
});
