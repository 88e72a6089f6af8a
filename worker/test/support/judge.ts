//! Runs the judge crate, compiled to WebAssembly, in workerd.

import { initSync, judge as judgeToJson } from "../../../crates/judge/pkg/judge.js";
import module from "../../../crates/judge/pkg/judge_bg.wasm";

initSync({ module });

/** The rules of OpenRTB that the response breaks, in itself or as the answer to the request. */
export function judge(request: string, response: string): string[] {
  return JSON.parse(judgeToJson(request, response));
}
