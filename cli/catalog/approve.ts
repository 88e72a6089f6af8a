//! Shows the plan of a push, and asks whether to continue.

import { styleText } from "node:util";
import { EXIT, Failure } from "../../build/failure.mjs";
import { type Plan, planText } from "../../shared/compare/plan.ts";
import { countText } from "../../shared/compare/text.ts";
import { type Ask, asking } from "../ask.ts";

export interface ApproveOptions {
  /** The push goes to the KV on this machine, so it needs no approval. */
  local?: boolean;
  /** Do not ask. */
  yes?: boolean;
}

/**
 * Shows the plan on standard error. A push to an account then needs a yes; without a terminal, it needs `--yes` if the
 * plan has warnings. Throws {@link Failure} without approval.
 */
export async function approve(
  plan: Plan,
  { local = false, yes = false }: ApproveOptions,
  ask: Ask = asking(),
): Promise<void> {
  showPlan(plan, "this changes");
  if (local || yes) return;
  if (ask !== null) {
    const answer = await ask("go on? (y/N) ");
    if (/^y(es)?$/i.test(answer.trim())) return;
    throw new Failure("nothing was changed", EXIT.found);
  }
  const { warnings } = plan;
  if (warnings.length > 0) {
    const why = `because of ${countText(warnings.length, "warning")}; use --yes to go on`;
    throw new Failure(`nothing was changed, ${why}`, EXIT.found);
  }
}

/** Shows the plan on standard error, with a title. Writes nothing if the plan has no changes. */
export function showPlan(plan: Plan, title: string): void {
  const lines = planText(plan).map((line) => `  ${line.startsWith("!") ? styleText("yellow", line) : line}\n`);
  if (lines.length > 0) process.stderr.write(`${title}:\n${lines.join("")}`);
}
