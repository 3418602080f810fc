/**
 * When the content of the recording's time zero was sent, in epoch milliseconds. The frame counter says where the room's
 * loop stood, the API's second of the start says in which round.
 */
export function contentStartMs(facts: {
  readonly startTimeSeconds: number;
  readonly clockZeroMs: number;
  readonly loopSeconds: number;
  readonly roomAtZeroMs: number;
}): number {
  const loopMs = facts.loopSeconds * 1000;
  const inFirstRoundMs = facts.clockZeroMs + facts.roomAtZeroMs;
  return inFirstRoundMs + Math.round((facts.startTimeSeconds * 1000 - inFirstRoundMs) / loopMs) * loopMs;
}
