import type { Participant } from '@rapporteur/contracts';
import type { ParticipantList } from './participant-list.ts';
import type { AttemptStory } from './speaker-spans.ts';

/** One entry of the participants_file artifact. Times are seconds of the recording. */
export interface ParticipantEntry extends Participant {
  readonly spoke: boolean;
  /** When the participant was present, as observed by the bot; empty for presence only while nothing was recorded. */
  readonly present: readonly { readonly start_time: number; readonly end_time: number }[];
}

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * All participants but the bot, in order of appearance, with the times of their presence. Presence ends with the
 * attempt; the next attempt begins a new one.
 */
export function participantEntries(
  attempts: readonly AttemptStory[],
  participants: ParticipantList,
  mediaMsOf: (epochMs: number) => number,
): ParticipantEntry[] {
  const spans = new Map<number, Span[]>();
  for (const attempt of attempts) {
    for (const { id, startMs, endMs } of presenceIn(attempt, participants)) {
      const span = { startMs: mediaMsOf(startMs), endMs: mediaMsOf(endMs) };
      if (span.endMs > span.startMs) spans.set(id, [...(spans.get(id) ?? []), span]);
    }
  }
  const spoke = new Set(participants.speakers.map(({ id }) => id));
  return participants.participants.map((participant) => ({
    ...participant,
    spoke: spoke.has(participant.id),
    present: joined(spans.get(participant.id ?? 0) ?? []).map(({ startMs, endMs }) => ({
      start_time: Math.round(startMs) / 1_000,
      end_time: Math.round(endMs) / 1_000,
    })),
  }));
}

/** Epoch ms. One participant may be present with more than one device at once. */
function presenceIn(
  { events, endsAtMs }: AttemptStory,
  participants: ParticipantList,
): (Span & { readonly id: number })[] {
  const found: (Span & { id: number })[] = [];
  const since = new Map<string, number>();
  const close = (participantId: string, endMs: number): void => {
    const startMs = since.get(participantId);
    const id = participants.idOf(participantId);
    since.delete(participantId);
    if (startMs !== undefined && id !== null) found.push({ id, startMs, endMs });
  };
  for (const event of events) {
    if (event.kind !== 'participant') continue;
    if (event.change === 'left') close(event.participantId, event.atMs);
    else if (!since.has(event.participantId)) since.set(event.participantId, event.atMs);
  }
  for (const participantId of since.keys()) close(participantId, endsAtMs);
  return found;
}

/** Merges spans that overlap or touch. */
function joined(spans: readonly Span[]): Span[] {
  const ordered = spans.toSorted((one, other) => one.startMs - other.startMs);
  const result: Span[] = [];
  for (const span of ordered) {
    const last = result.at(-1);
    if (last && span.startMs <= last.endMs)
      result[result.length - 1] = { startMs: last.startMs, endMs: Math.max(last.endMs, span.endMs) };
    else result.push(span);
  }
  return result;
}
