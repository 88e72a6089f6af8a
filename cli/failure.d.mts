//! The types of `failure.mjs` for the project of the Worker's tests, which reads no JavaScript.

export class Failure extends Error {}
