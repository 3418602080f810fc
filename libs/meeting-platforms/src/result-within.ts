/**
 * The result of `work`, or null when it fails or takes longer than `limitMs`. A page that is frozen, closed or navigating
 * responds late or never, so every request to one has a limit. The work itself is not stopped.
 */
export async function resultWithin<T>(work: Promise<T>, limitMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), limitMs);
  });
  try {
    return await Promise.race([work.catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
}
