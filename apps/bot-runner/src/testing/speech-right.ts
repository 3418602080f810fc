import { loopSeconds } from './simulated-meetings.ts';
import type { Room } from './simulated-meetings.ts';

/** Delay of the audio at the bot, and so in the recording: network, jitter buffer, playout. */
const audioDelayMs = 150;

/** Share of the speech time, by the room's schedule, in which the diarization names the right participant. */
export function speechRight(diarization: string, room: Room, startedAtMs: number, durationMs: number): number {
  const turns = diarization
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { speaker: string; start_time: number; end_time: number });
  let spoken = 0;
  let right = 0;
  for (let mediaMs = 0; mediaMs < durationMs; mediaMs += 10) {
    const inLoopMs = (startedAtMs + mediaMs - audioDelayMs - room.clockZero) % (loopSeconds * 1_000);
    const sentence = room.schedule.find((entry) => inLoopMs >= entry.startMs && inLoopMs < entry.endMs);
    if (sentence === undefined) continue;
    spoken += 1;
    const said = turns.filter((turn) => mediaMs >= turn.start_time * 1_000 && mediaMs < turn.end_time * 1_000);
    if (said.length === 1 && said[0]?.speaker === sentence.name) right += 1;
  }
  return right / spoken;
}
