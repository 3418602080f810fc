/**
 * How a runner's process is started, beside its ticket. Node lets its young objects grow to 48 MB before it looks which of
 * them live, and keeps an arena of memory for every thread: a bot that hands on small pieces for hours pays for
 * both all the time and gains nothing.
 */
export const runnerStart = {
  nodeArguments: ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=1'],
  environment: { MALLOC_ARENA_MAX: '1' },
} as const;
