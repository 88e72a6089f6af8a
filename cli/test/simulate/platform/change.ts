//! A change of the code, such as a defect that is planted.

/** `from` stands exactly once in `file`, a path from the root of a checkout. */
export interface Change {
  file: string;
  from: string;
  to: string;
}

/** The text of a file with the change. Throws if what it replaces does not stand there exactly once. */
export function changed(text: string, { file, from, to }: Change): string {
  if (text.split(from).length !== 2) throw new Error(`${file} does not have exactly one ${from}`);
  return text.replace(from, () => to);
}
