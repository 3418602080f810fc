/**
 * Attempts of a capture in its page before the page is replaced; also of the first browser of a run, which then fails.
 */
const attemptsInPlace = 2;

/**
 * Attempts a step in place before a stronger action follows. Unlike `retry` without a pause and without a clock: the
 * step has a deadline of its own, and each failure is reported.
 * @throws the error of the last attempt, or the signal's reason
 */
export async function attemptInPlace<T>(
  step: (attempt: number) => Promise<T>,
  onFailure: (error: unknown, attempt: number) => void,
  signal?: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      return await step(attempt);
    } catch (error) {
      onFailure(error, attempt);
      if (attempt >= attemptsInPlace) throw error;
    }
  }
}
