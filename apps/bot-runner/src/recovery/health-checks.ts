import type { SessionHealth } from '@rapporteur/meeting-platforms';
import { firstFrameMs } from '@rapporteur/recorder';
import type { RecorderHealth } from '@rapporteur/recorder';

/** The recovery action. bear: logged without an action. */
export type RecoveryAction = 'renew-capture' | 'new-page' | 'new-browser' | 'end' | 'bear';

export interface FunctionObservation {
  readonly nowMs: number;
  /** Since when the bot is in the call with this page. */
  readonly inCallSinceMs: number;
  /** Since when it records without a pause or a break; null while it does not. */
  readonly recordsSinceMs: number | null;
  readonly withVideo: boolean;
  readonly session: SessionHealth;
  readonly recorder: RecorderHealth;
  /** Whether the bot may rejoin with another page once more. */
  readonly mayReturn: boolean;
}

export interface Finding {
  readonly trouble: Trouble;
  readonly what: string;
  readonly lastsMs: number;
  readonly action: RecoveryAction;
}

interface HealthCheck {
  readonly what: string;
  /** At most 15 s, including the second between two polls. */
  readonly noticedAfterMs: number;
  /** Applied one after the other while the trouble lasts. */
  readonly actions: readonly RecoveryAction[];
}

/**
 * Faults of a running page, ordered so that an earlier one explains the later ones. Without page and audio there is no
 * recording; a lesser fault does not justify many rejoins, which participants in the meeting see.
 */
const healthChecks = {
  'page-unresponsive': {
    what: 'The browser page of the meeting stopped responding.',
    noticedAfterMs: 10_000,
    actions: ['new-page', 'new-browser', 'end'],
  },
  'refused-in-vain': {
    what: 'The call does not come up while its video is refused.',
    noticedAfterMs: 12_000,
    actions: ['new-page', 'bear'],
  },
  'audio-frozen': {
    what: 'The audio of the recording stalls.',
    noticedAfterMs: 8_000,
    actions: ['renew-capture', 'new-page', 'new-browser', 'end'],
  },
  'recording-stuck': {
    what: 'The recording does not grow.',
    noticedAfterMs: 10_000,
    actions: ['renew-capture', 'new-page', 'new-browser', 'end'],
  },
  'video-frozen': {
    what: 'The video of the recording stalls.',
    noticedAfterMs: 8_000,
    actions: ['renew-capture', 'new-page', 'bear'],
  },
  'audio-silent': {
    what: 'The page reports a speaker, but the captured audio is silent.',
    noticedAfterMs: 8_000,
    actions: ['renew-capture', 'new-page', 'bear'],
  },
  'roster-unreadable': {
    what: 'The page no longer shows who is there.',
    noticedAfterMs: 12_000,
    // A quiet call without a change looks the same: the bot does not give up its place for it.
    actions: ['bear'],
  },
} as const satisfies Readonly<Record<string, HealthCheck>>;

export type Trouble = keyof typeof healthChecks;

/** An action takes this long to have an effect. */
const recoveryTakesMs = 8_000;
/** While the page gets its connection back, a fault of this time explains nothing; a banner that stays proves nothing. */
const reconnectsMs = 60_000;
/** A fault that was absent this long starts again with its first action. */
const forgottenAfterMs = 120_000;
/** A share of full scale: below any connection that carries speech. */
const silentPeak = 0.001;
/** Polls come every second; a longer interval means that this process itself was suspended. */
const longestPollMs = 3_000;
/**
 * After this interval between two polls (a suspended machine, a frozen container) every fault has its full time again.
 */
const suspendedMs = 5_000;

interface Course {
  next: number;
  actedAtMs: number;
  seenAtMs: number;
}

/** Detects whether the bot functions, and returns the recovery action when it does not. Pure but for its own state. */
export class HealthChecks {
  readonly #courses = new Map<Trouble, Course>();
  #polls = { atMs: 0, fragments: -1, grewAtMs: 0, silentMs: 0, resumedAtMs: 0 };

  /**
   * Call it every second while the bot is in the call. Null while no fault is found, or an action has yet to take
   * effect.
   */
  poll(observation: FunctionObservation): Finding | null {
    this.#remember(observation);
    const lostMs = observation.session.connectionLostSinceMs ?? null;
    if (lostMs !== null && observation.nowMs - lostMs < reconnectsMs) {
      this.#polls.resumedAtMs = observation.nowMs;
      return null;
    }
    for (const trouble of Object.keys(healthChecks) as Trouble[]) {
      const lastsMs = this.#lastsMs(trouble, observation);
      if (lastsMs < healthChecks[trouble].noticedAfterMs) continue;
      const action = this.#recoveryActionFor(trouble, observation);
      if (action === 'none-left') continue;
      // One at a time: a later entry may be a symptom of the same fault.
      return action === 'wait' ? null : { trouble, what: healthChecks[trouble].what, lastsMs, action };
    }
    return null;
  }

  #remember({ nowMs, recorder, session, recordsSinceMs }: FunctionObservation): void {
    const { atMs, fragments, silentMs, resumedAtMs } = this.#polls;
    const elapsedMs = Math.min(nowMs - atMs, longestPollMs);
    const grew = recorder.fragmentsClosed !== fragments;
    const speechAtMs = session.certainSpeechAtMs;
    const speech = speechAtMs !== null && speechAtMs > nowMs - elapsedMs;
    const hasAudio = recordsSinceMs === null || recorder.audioLevel.peak >= silentPeak;
    this.#polls = {
      atMs: nowMs,
      fragments: recorder.fragmentsClosed,
      grewAtMs: grew ? nowMs : this.#polls.grewAtMs,
      silentMs: hasAudio ? 0 : silentMs + (speech ? elapsedMs : 0),
      resumedAtMs: atMs > 0 && nowMs - atMs > suspendedMs ? nowMs : resumedAtMs,
    };
  }

  #lastsMs(trouble: Trouble, observation: FunctionObservation): number {
    const { nowMs, inCallSinceMs, recordsSinceMs, withVideo, session, recorder } = observation;
    const since = (beganMs: number | null, lastMs: number | null): number =>
      beganMs === null ? 0 : nowMs - Math.max(beganMs, lastMs ?? beganMs, this.#polls.resumedAtMs);
    switch (trouble) {
      case 'page-unresponsive':
        return since(inCallSinceMs, session.pageRespondedAtMs);
      case 'refused-in-vain':
        return since(session.refusalIneffectiveSinceMs ?? null, inCallSinceMs);
      case 'audio-frozen': {
        const { tracks, lastDataAtMs } = recorder.audioLevel;
        const mixMs = since(recordsSinceMs, recorder.lastAudioChunkAtMs);
        return tracks === 0 ? mixMs : Math.max(mixMs, since(recordsSinceMs, lastDataAtMs));
      }
      // For a recording that is short of CPU another capture would cost audio, and more CPU than the present one.
      case 'video-frozen':
        return withVideo && recorder.degraded === null ? since(recordsSinceMs, recorder.lastVideoChunkAtMs) : 0;
      case 'recording-stuck':
        return since(recordsSinceMs, this.#polls.grewAtMs) - (recorder.degraded === null ? 0 : firstFrameMs);
      case 'audio-silent':
        return recordsSinceMs === null ? 0 : this.#polls.silentMs;
      case 'roster-unreadable': {
        const readMs = session.rosterReadAtMs;
        // A page that never showed a participant is one the runner cannot read: a rejoin would not change that.
        return readMs === null || readMs < inCallSinceMs ? 0 : since(inCallSinceMs, readMs);
      }
    }
  }

  #recoveryActionFor(
    trouble: Trouble,
    { nowMs, mayReturn }: FunctionObservation,
  ): RecoveryAction | 'wait' | 'none-left' {
    const known = this.#courses.get(trouble);
    const fresh = known === undefined || nowMs - known.seenAtMs > forgottenAfterMs;
    const course = fresh ? { next: 0, actedAtMs: -Infinity, seenAtMs: nowMs } : known;
    this.#courses.set(trouble, course);
    course.seenAtMs = nowMs;
    if (nowMs - course.actedAtMs < recoveryTakesMs) return 'wait';
    const actions: readonly RecoveryAction[] = healthChecks[trouble].actions;
    const possible = actions.slice(course.next).find((action) => mayReturn || !isReturn(action));
    if (possible === undefined) return 'none-left';
    course.next = actions.indexOf(possible) + 1;
    course.actedAtMs = nowMs;
    return possible;
  }
}

function isReturn(action: RecoveryAction): boolean {
  return action === 'new-page' || action === 'new-browser';
}
