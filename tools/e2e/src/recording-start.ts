/**
 * Time at which the content of the recording's time zero was sent, in epoch milliseconds. The frame counter gives the
 * position in the room's loop, the start time of the API gives the round.
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
