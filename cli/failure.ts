//! The failures that commands show to people.

/** A failure that the person can solve. Only its message is shown. */
export class Failure extends Error {
  override name = "Failure";
}
