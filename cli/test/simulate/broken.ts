//! What a judge of a simulated world throws.

/** A rule that does not hold. */
export class Broken extends Error {
  override name = "Broken";
  readonly judge: string;
  /** Texts that lines of the trace about this have. */
  readonly about: string[];

  constructor(judge: string, message: string, about: string[] = []) {
    super(`${judge}: ${message}`);
    [this.judge, this.about] = [judge, about];
  }
}
