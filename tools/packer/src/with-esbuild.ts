import type * as Esbuild from 'esbuild';

let running = 0;

/**
 * Runs `work` with esbuild, whose process ends with the last of these calls: otherwise it runs as long as this one,
 * with 200 MB.
 */
export async function withEsbuild<T>(work: (esbuild: typeof Esbuild) => Promise<T>): Promise<T> {
  const esbuild = await import('esbuild');
  running += 1;
  try {
    return await work(esbuild);
  } finally {
    running -= 1;
    if (running === 0) await esbuild.stop();
  }
}
