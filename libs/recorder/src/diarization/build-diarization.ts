export interface Speaker {
  /** Shown only: several participants may have it. Null while the participant is unknown. */
  readonly name: string | null;
  /** The participant in the recording's lists; null: unknown, or one of `candidates`. */
  readonly speakerId?: number | null;
  /** The participants between which the platform does not distinguish. */
  readonly candidates?: readonly number[];
}

/** One span of speech of a participant, as the platform reports it. */
export interface SpeakerSpan extends Speaker {
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
export interface OwnSpeech extends Speaker {
  readonly participantId: string;
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
  const stopsAtMs = clock.pauses.find(({ endMs }) => endMs === null)?.startMs ?? Infinity;
  const atMs = Math.min(epochMs, stopsAtMs);
  let pausedMs = 0;
  for (const { startMs, endMs } of clock.pauses) {
    if (atMs > startMs) pausedMs += Math.min(atMs, endMs ?? atMs) - startMs;
  }
  return Math.min(Math.max(0, atMs - clock.startedAtMs - pausedMs), clock.durationMs);
}

/** How far the platform's report of a turn may exceed the speech in the participant's own audio. */
const reportMarginMs = 1_000;

/**
 * The diarization artifact: JSON Lines of `speaker`, `start_time`, `end_time` (seconds of the recording, to the
 * millisecond) and `speaker_id`, ordered by beginning, with `speaker_candidates` instead of an id where the speaker is
 * one of several, and `user_id` where known. Speech in a pause or outside the recording is omitted; two spans of one
 * participant that touch in the recording are joined. Speech from a participant's own audio replaces the platform's
 * report from a second before to a second after it; the rest of a reported turn is kept, because that audio may be
 * incomplete.
 */
export function buildDiarization(
  spans: readonly SpeakerSpan[],
  clock: RecordingClock,
  own: readonly OwnSpeech[] = [],
): string {
  const ownOf = Map.groupBy(own, ({ participantId }) => participantId);
  const reported = spans.flatMap((span) => {
    const startMs = mediaTimeOf(span.startMs, clock);
    const endMs = mediaTimeOf(span.endMs ?? Infinity, clock);
    const said = (ownOf.get(span.participantId ?? '') ?? []).flatMap((one) => one.spans);
    return without({ startMs, endMs }, said).map((rest) => ({ ...span, ...rest }));
  });
  const recorded = own.flatMap(({ spans: said, ...speaker }) =>
    said.map((span) => ({
      ...speaker,
      startMs: Math.min(span.startMs, clock.durationMs),
      endMs: Math.min(span.endMs, clock.durationMs),
    })),
  );
  const placed: Placed[] = [...reported, ...recorded]
    .filter((span) => span.endMs > span.startMs)
    .sort((left, right) => left.startMs - right.startMs || left.endMs - right.endMs);
  const joined: Placed[] = [];
  const lastOf = new Map<string, { endMs: number }>();
  for (const span of placed) {
    const key = JSON.stringify([span.speakerId ?? span.name, span.candidates ?? [], span.userId]);
    const open = lastOf.get(key);
    if (open && span.startMs <= open.endMs) open.endMs = Math.max(open.endMs, span.endMs);
    else {
      const next = { ...span };
      joined.push(next);
      lastOf.set(key, next);
    }
  }
  return joined
    .map(({ name, speakerId, candidates = [], userId, startMs, endMs }) => {
      const line = { speaker: name ?? 'Unknown', start_time: seconds(startMs), end_time: seconds(endMs) };
      const oneOf = candidates.length > 0 ? candidates : undefined;
      return `${JSON.stringify({ ...line, speaker_id: speakerId, speaker_candidates: oneOf, user_id: userId })}\n`;
    })
    .join('');
}

interface MediaSpan {
  readonly startMs: number;
  readonly endMs: number;
}

type Placed = Speaker & MediaSpan & Pick<SpeakerSpan, 'userId'>;

/** What own speech does not cover of a reported turn. */
function without(turn: MediaSpan, said: readonly MediaSpan[]): MediaSpan[] {
  const within = said.filter(({ startMs, endMs }) => startMs < turn.endMs && endMs > turn.startMs);
  const rest: MediaSpan[] = [];
  let fromMs = turn.startMs;
  for (const { startMs, endMs } of within.toSorted((one, other) => one.startMs - other.startMs)) {
    if (startMs - reportMarginMs > fromMs) rest.push({ startMs: fromMs, endMs: startMs - reportMarginMs });
    fromMs = Math.max(fromMs, endMs + reportMarginMs);
  }
  return fromMs < turn.endMs ? [...rest, { startMs: fromMs, endMs: turn.endMs }] : rest;
}

function seconds(ms: number): number {
  return Math.round(ms) / 1_000;
}
