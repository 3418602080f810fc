/** Exit codes. fenced: another run holds the bot; unfinished: nobody was told how it went on. */
export const exitCodes = { done: 0, unfinished: 1, fenced: 3, configuration: 78 } as const;
