/** Allocations of this size are returned to the system when freed. Bytes. */
const givenBackBytes = String(128 * 1_024);

/**
 * Node arguments and environment of a runner's process. By default Node's young generation grows to 48 MB, and glibc
 * keeps a memory arena for each thread: a bot that forwards small chunks for hours pays for both without a benefit.
 * Without fixed limits glibc raises its thresholds with the first large buffer freed, and then keeps the memory of
 * every part that was uploaded.
 */
export const runnerStart = {
  nodeArguments: ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=1'],
  environment: {
    MALLOC_ARENA_MAX: '1',
    MALLOC_MMAP_THRESHOLD_: givenBackBytes,
    MALLOC_TRIM_THRESHOLD_: givenBackBytes,
  },
} as const;
