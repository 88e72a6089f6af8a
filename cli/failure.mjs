//! The failures that programs show to people. JavaScript, because the scripts before the first build throw them too.

/** A failure that the person can solve. It is shown as one line without a stack. */
export class Failure extends Error {}
