//! Trying again: after a while that doubles, by chance somewhat shorter, so that those who failed together do not come
//! back together.

/** What `work` gives, after `attempts` failures at most; then, or at one that `isPassing` does not hold for, its error. */
export async function retrying<T>(
  attempts: number,
  backoffMs: number,
  work: () => Promise<T>,
  isPassing: (error: unknown) => boolean = () => true,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= attempts || !isPassing(error)) throw error;
      await pause(jittered(backoffMs * 2 ** (attempt - 1)));
    }
  }
}

/** Between half and all of it. */
export function jittered(ms: number): number {
  return ms * (0.5 + Math.random() / 2);
}

export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
