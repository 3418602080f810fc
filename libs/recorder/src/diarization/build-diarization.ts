/** One span of speech of a participant, as the platform reports it. */
export interface SpeakerSpan {
  /** Null while the participant is unknown. */
  readonly name: string | null;
  /** The platform's own number of the participant, where customers use it. */
  readonly userId?: number;
  /** The participant according to the platform, whose own audio is more exact. */
  readonly participantId?: string | null;
  /** Epoch ms. */
  readonly startMs: number;
  /** Epoch ms; null while it is open. */
  readonly endMs: number | null;
}

/** Speech spans of a participant, from their own audio. */
export interface OwnSpeech {
  readonly participantId: string;
  readonly name: string | null;
  /** Media time. */
  readonly spans: readonly { readonly startMs: number; readonly endMs: number }[];
}

export interface RecordingClock {
  /** Epoch ms of media time zero. */
  readonly startedAtMs: number;
  /** Epoch ms; `endMs` null: until the end. */
  readonly pauses: readonly { readonly startMs: number; readonly endMs: number | null }[];
  /** Media time. */
  readonly durationMs: number;
}

/**
 * Media time of an epoch time: since the start, without pauses, limited to the recording. For the times of chat
 * messages and speakers.
 */
export function mediaTimeOf(epochMs: number, clock: RecordingClock): number {
  let pausedMs = 0;
  for (const pause of clock.pauses) {
    if (epochMs > pause.startMs) pausedMs += Math.min(epochMs, pause.endMs ?? epochMs) - pause.startMs;
  }
  return Math.min(Math.max(0, epochMs - clock.startedAtMs - pausedMs), clock.durationMs);
}

/**
 * The diarization artifact: JSON Lines of `speaker`, `start_time`, `end_time` (seconds of the recording, to the
 * millisecond), ordered by beginning, with `user_id` where known. Speech in a pause or outside the recording is
 * omitted; two spans of one participant that touch in the recording are joined. Speech from a participant's own audio
 * replaces the platform's report; a report without own audio at that time is kept, because that audio may be
 * incomplete.
 */
export function buildDiarization(
  spans: readonly SpeakerSpan[],
  clock: RecordingClock,
  own: readonly OwnSpeech[] = [],
): string {
  const ownOf = new Map(own.map(({ participantId, spans: said }) => [participantId, said]));
  const isSaid = ({ participantId }: SpeakerSpan, startMs: number, endMs: number): boolean =>
    (ownOf.get(participantId ?? '') ?? []).some((said) => said.startMs < endMs && said.endMs > startMs);
  const reported = spans.flatMap((span) => {
    const startMs = mediaTimeOf(span.startMs, clock);
    const endMs = mediaTimeOf(span.endMs ?? Infinity, clock);
    if (isSaid(span, startMs, endMs)) return [];
    return [{ speaker: span.name ?? 'Unknown', userId: span.userId, startMs, endMs }];
  });
  const heard = own.flatMap(({ name, spans: said }) =>
    said.map((span) => ({
      speaker: name ?? 'Unknown',
      userId: undefined,
      startMs: Math.min(span.startMs, clock.durationMs),
      endMs: Math.min(span.endMs, clock.durationMs),
    })),
  );
  const placed = [...reported, ...heard]
    .filter((span) => span.endMs > span.startMs)
    .sort((left, right) => left.startMs - right.startMs || left.endMs - right.endMs);
  const joined: (typeof placed)[number][] = [];
  for (const span of placed) {
    const open = joined.findLast((earlier) => earlier.speaker === span.speaker && earlier.userId === span.userId);
    if (open && span.startMs <= open.endMs) open.endMs = Math.max(open.endMs, span.endMs);
    else joined.push({ ...span });
  }
  return joined
    .map(
      ({ speaker, userId, startMs, endMs }) =>
        `${JSON.stringify({ speaker, start_time: seconds(startMs), end_time: seconds(endMs), user_id: userId })}\n`,
    )
    .join('');
}

function seconds(ms: number): number {
  return Math.round(ms) / 1_000;
}
