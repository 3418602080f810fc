import type { SpokenWord } from './word-alignment.ts';

/** A sentence in the loop; all times are milliseconds since the loop's start. */
export type ScheduledSentence = {
  participantIndex: number;
  /** At the beginning of the meeting. */
  name: string;
  /** Index among the people at the participant's microphone. */
  voice: number;
  sentence: string;
  /** Omitted: English. */
  language?: string | undefined;
  startMs: number;
  endMs: number;
  words: SpokenWord[];
};

export type SpeakableParticipant = {
  name: string;
  language?: string | undefined;
  sentences: { text: string; voice?: number; durationMs: number; words: SpokenWord[] }[];
};

export type ScheduleOptions = { loopSeconds: number; firstSentenceAtMs: number; overlap: boolean };

const GAPS_MS = [500, 800, 600, 400, 700];
const OVERLAP_MS = 1200;
/** Silence at the loop's end, so that no speech is cut off when the loop restarts. */
const QUIET_END_MS = 500;

/**
 * Lets the participants speak one after another until the loop is full: participant 0, 1, 2, ... then 0 again, each
 * with their sentences in order. A sentence that does not fit is left out, and so is all after it. With `overlap`,
 * every second sentence begins before the previous one has ended.
 */
export function planSchedule(
  participants: readonly SpeakableParticipant[],
  options: ScheduleOptions,
): ScheduledSentence[] {
  const schedule: ScheduledSentence[] = [];
  const lastEndMs = options.loopSeconds * 1000 - QUIET_END_MS;
  const speakers = participants
    .map((participant, index) => ({ participant, index }))
    .filter((entry) => entry.participant.sentences.length > 0);
  if (speakers.length === 0) return schedule;
  let nextMs = options.firstSentenceAtMs;
  for (let turn = 0; ; turn += 1) {
    const speaker = speakers[turn % speakers.length];
    if (speaker === undefined) return schedule;
    const { sentences, name, language } = speaker.participant;
    const next = sentences[Math.floor(turn / speakers.length) % sentences.length];
    if (next === undefined || nextMs + next.durationMs > lastEndMs) return schedule;
    const startMs = nextMs;
    schedule.push({
      participantIndex: speaker.index,
      name,
      voice: next.voice ?? 0,
      sentence: next.text,
      ...(language === undefined ? {} : { language }),
      startMs,
      endMs: startMs + next.durationMs,
      words: next.words.map((word) => ({ ...word, startMs: word.startMs + startMs, endMs: word.endMs + startMs })),
    });
    const early = options.overlap && turn % 2 === 0 && speakers.length > 1;
    nextMs = startMs + next.durationMs + (early ? -Math.min(OVERLAP_MS, next.durationMs / 2) : gapAfter(turn));
    nextMs = Math.round(nextMs);
  }
}

function gapAfter(turn: number): number {
  return GAPS_MS[turn % GAPS_MS.length] ?? 500;
}

/** The participant whose audio has the beep of each second of the loop: the current speaker, else participant 0. */
export function beepOwners(schedule: readonly ScheduledSentence[], loopSeconds: number): number[] {
  return Array.from({ length: loopSeconds }, (_, second) => {
    const atMs = second * 1000;
    return schedule.find((entry) => entry.startMs <= atMs && atMs < entry.endMs)?.participantIndex ?? 0;
  });
}
