//! Runs the judge crate, compiled to WebAssembly, in Node.

import { readFileSync } from "node:fs";
import { initSync, judge as judgeToJson } from "../crates/judge/pkg/judge.js";

initSync({ module: readFileSync(new URL("../crates/judge/pkg/judge_bg.wasm", import.meta.url)) });

/** The rules of OpenRTB that the response breaks, in itself or as the answer to the request. */
export function judge(request: string, response: string): string[] {
  return JSON.parse(judgeToJson(request, response));
}
