/**
 * Exit codes. fenced: another run holds the bot; unfinished: the outcome was not reported; interrupted: SIGTERM or
 * SIGINT ended it early, and everything was saved and reported. An interrupted run must not look complete, as an
 * evicted Job would.
 */
export const exitCodes = { done: 0, unfinished: 1, fenced: 3, configuration: 78, interrupted: 143 } as const;
