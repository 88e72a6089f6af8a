//! A question on a terminal is shown as it is, and its end without an answer is one clear line.

import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { EXIT } from "../../build/failure.mjs";
import { asking } from "../ask.ts";
import { guard } from "../terminal.ts";

/** A terminal, and what it shows. */
function terminal() {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
  const output = Object.assign(new PassThrough(), { isTTY: true });
  let shown = "";
  output.on("data", (chunk) => {
    shown += chunk;
  });
  guard(output);
  return { input, ask: asking(input, output), shown: () => shown };
}

test("the guarded terminal shows no cursor movements", async () => {
  const { input, ask, shown } = terminal();
  const answer = ask?.("go on? ");
  input.write("yes\n");
  expect([await answer, shown()]).toEqual(["yes", "go on? "]);
});

test("the end of the input is no answer", async () => {
  const { input, ask } = terminal();
  const answer = ask?.("go on? ");
  input.end();
  await expect(answer).rejects.toMatchObject({
    message: "no answer, and nothing was changed",
    status: EXIT.interrupted,
  });
});

test("nobody is asked without a terminal", () => {
  expect(asking(new PassThrough(), new PassThrough())).toBeNull();
});
