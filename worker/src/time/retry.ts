//! Retries with exponential backoff, and limits on waiting. The pauses are jittered, so that callers that failed
//! together do not return together.

/** The result of `work`, after at most `attempts` attempts. Throws the last error, or at once a permanent one. */
export async function retrying<T>(
  attempts: number,
  backoffMs: number,
  work: () => Promise<T>,
  isTemporary: (error: unknown) => boolean = () => true,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= attempts || !isTemporary(error)) throw error;
      await pause(jittered(backoffMs * 2 ** (attempt - 1)));
    }
  }
}

/** A random time between half of `ms` and `ms`. */
export function jittered(ms: number): number {
  return ms * (0.5 + Math.random() / 2);
}

export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

/** The work took too long. */
export class TooLate extends Error {
  override name = "TooLate";
}

/** The result of `work`. Throws {@link TooLate} after `ms` milliseconds; the work itself then continues. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooLate(`no answer in ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
