//! Asks a person on a terminal. Without a terminal, commands take their options and the usual answers.

import { createInterface } from "node:readline/promises";
import { EXIT, Failure } from "../build/failure.mjs";

/** Asks a question and resolves to the answer; null if there is no terminal. */
export type Ask = ((question: string) => Promise<string>) | null;

/** A terminal, by default that of this process; null if it is none. */
export function asking(input: Input = process.stdin, output: Output = process.stderr): Ask {
  if (!input.isTTY || !output.isTTY) return null;
  return async (question) => {
    // The terminal itself edits the line. Cursor movements of readline would be shown as escapes: see terminal.ts.
    const lines = createInterface({ input, output, terminal: false });
    const closed = new Promise<never>((_, fail) => {
      lines.once("close", () => fail(new Failure("no answer, and nothing was changed", EXIT.interrupted)));
    });
    try {
      return await Promise.race([lines.question(question), closed]);
    } finally {
      lines.close();
    }
  };
}

type Input = NodeJS.ReadableStream & { isTTY?: boolean };
type Output = NodeJS.WritableStream & { isTTY?: boolean };

/** A question whose answer may also be given as an option. */
export interface Question {
  /** The option, such as `--country`. */
  option: string;
  text: string;
  /** The answer if a person gives none; absent if they must give one. */
  usual?: string;
  /** The form of an answer. */
  form: RegExp;
  /** An example of an answer, for people. */
  example: string;
  /** Whether the earlier answers make this question necessary. Default: always. */
  when?: (earlier: Record<string, string>) => boolean;
}

/**
 * The answers by the names of the questions: from the options, else from the person, else the usual ones. Throws
 * {@link Failure} for an option in a wrong form, and for a missing one without a terminal.
 */
export async function answersTo(
  questions: Record<string, Question>,
  given: Record<string, unknown>,
  ask: Ask = asking(),
): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const [name, question] of Object.entries(questions)) {
    const { option, usual, form, example, when } = question;
    if (when && !when(answers)) continue;
    const expected = `expected one such as ${example}`;
    let answer = given[name] === undefined ? undefined : String(given[name]);
    if (answer !== undefined && !form.test(answer)) throw new Failure(`${option} ${answer}: ${expected}`);
    if (answer === undefined && ask === null) answer = usual;
    if (answer === undefined && ask === null) throw new Failure(`${option} is missing; ${expected}`);
    while (answer === undefined && ask !== null) {
      const text = (await ask(`${question.text} [${usual ?? `such as ${example}`}]: `)).trim() || usual;
      if (text !== undefined && form.test(text)) answer = text;
      else process.stderr.write(`  ${expected}\n`);
    }
    answers[name] = answer ?? "";
  }
  return answers;
}

/** Questions that both a new folder and a new campaign ask. */
export const PRICES = {
  country: {
    option: "--country",
    text: "countries, each as three letters",
    usual: "USA,CAN",
    form: /^[A-Z]{3}(,[A-Z]{3})*$/,
    example: "DEU,AUT",
  },
  cur: { option: "--cur", text: "currency", usual: "USD", form: /^[A-Z]{3}$/, example: "EUR" },
  cpm: {
    option: "--cpm",
    text: "the most to pay for a thousand impressions",
    usual: "2.50",
    form: /^\d+(\.\d{1,6})?$/,
    example: "2.50",
  },
} satisfies Record<string, Question>;
