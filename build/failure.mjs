//! The failures that programs show to people, and the exit statuses of all commands. JavaScript, because the scripts
//! before the first build throw them too.

/** The exit statuses: docs/run.md explains them. */
export const EXIT = /** @type {const} */ ({
  ok: 0,
  /** The command has done its work and found something: mistakes, a fault, a broken limit, a conflict. */
  found: 1,
  /** The command cannot work like this: a wrong option, a missing file, a campaign that does not exist. */
  misused: 2,
  /** Another program did not do its part: no bidder answers, wrangler has failed. */
  unreachable: 3,
  interrupted: 130,
});

/**
 * What has caused an error, such as the refused connection behind a failed `fetch`; without a cause, the error itself.
 *
 * @param {unknown} error
 */
export function causeOf(error) {
  return error instanceof Error ? (error.cause ?? error) : error;
}

/**
 * Why something has failed, in words. An error with several causes, such as those of all addresses of a host, has a code
 * and no message.
 *
 * @param {unknown} error
 */
export function reasonOf(error) {
  const { message, code, name } = /** @type {NodeJS.ErrnoException} */ (causeOf(error));
  return message || code || name;
}

/** A failure that the person can solve. It is shown as one line without a stack. */
export class Failure extends Error {
  /**
   * @param {string} message
   * @param {number} status the exit status of the command
   */
  constructor(message, status = EXIT.misused) {
    super(message);
    this.status = status;
  }
}
