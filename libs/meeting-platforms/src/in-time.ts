/**
 * What `work` gives; null when it fails or gives nothing within this time. A page that is frozen, gone or just going elsewhere
 * responds late or never: nothing asked of one is waited for without a limit. The work itself is not stopped.
 */
export async function inTime<T>(work: Promise<T>, limitMs: number): Promise<T | null> {
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
