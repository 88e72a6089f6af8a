//! A gradual deployment: half of the objects and isolates get the newer of two builds, and later the others.

import { Dice } from "./platform/dice.ts";
import type { Programs } from "./platform/program.ts";

export class Deployment {
  /** The part of objects and isolates that run the newer build. */
  part = 0;
  readonly #seed: number;
  readonly #older: Programs;
  readonly #newer: Programs;

  constructor(seed: number, older: Programs, newer: Programs) {
    [this.#seed, this.#older, this.#newer] = [seed, older, newer];
  }

  /** The build that the object or isolate with this name has in `part` of the deployment. */
  of(name: string, part = this.part): Programs {
    return Dice.of(this.#seed, `build of ${name}`).chance(part) ? this.#newer : this.#older;
  }
}
