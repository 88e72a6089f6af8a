//! The types of `failure.mjs` for the project of the Worker's tests, which reads no JavaScript.

export const EXIT: { ok: 0; found: 1; misused: 2; unreachable: 3; interrupted: 130 };

export class Failure extends Error {
  constructor(message: string, status?: number);
  readonly status: number;
}
