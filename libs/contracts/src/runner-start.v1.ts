/** What is this large is given back to the system as soon as nobody needs it. Bytes. */
const givenBackBytes = String(128 * 1_024);

/**
 * How a runner's process is started, beside its ticket. Node lets its young objects grow to 48 MB before it looks which of
 * them live, and keeps an arena of memory for every thread: a bot that hands on small chunks for hours pays for
 * both all the time and gains nothing. glibc, where nobody sets its limits, raises them with the first large buffer that is
 * freed, and from then on keeps what every part of a recording took that was sent away.
 */
export const runnerStart = {
  nodeArguments: ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=1'],
  environment: {
    MALLOC_ARENA_MAX: '1',
    MALLOC_MMAP_THRESHOLD_: givenBackBytes,
    MALLOC_TRIM_THRESHOLD_: givenBackBytes,
  },
} as const;
