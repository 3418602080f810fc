import type { VisitHealth } from '@rapporteur/meeting-platforms';
import type { RecorderHealth } from '@rapporteur/recorder';

/** What stopped functioning although everything still runs. In the order in which one explains the next. */
export type Trouble =
  | 'page-silent'
  | 'refused-in-vain'
  | 'sound-still'
  | 'recording-stuck'
  | 'picture-still'
  | 'sound-unheard'
  | 'shown-picture-still'
  | 'roster-unreadable';

/** What is done about it. bear: it is noted and lived with. */
export type Remedy = 'renew-capture' | 'new-page' | 'new-browser' | 'end' | 'bear';

export interface FunctionObservation {
  readonly nowMs: number;
  /** Since when the bot is in the call with this page. */
  readonly inCallSinceMs: number;
  /** Since when it records without a pause or a break; null while it does not. */
  readonly recordsSinceMs: number | null;
  readonly withPicture: boolean;
  readonly visit: VisitHealth;
  readonly recorder: RecorderHealth;
  /** Whether the bot may come back with a page of its own once more. */
  readonly mayReturn: boolean;
}

export interface Finding {
  readonly trouble: Trouble;
  readonly what: string;
  readonly lastsMs: number;
  readonly remedy: Remedy;
}

/** Nothing takes longer to be noticed than 15 s, the second between two looks included. */
const noticedAfterMs: Readonly<Record<Trouble, number>> = {
  'page-silent': 10_000,
  'refused-in-vain': 12_000,
  'sound-still': 8_000,
  'picture-still': 8_000,
  'recording-stuck': 10_000,
  'sound-unheard': 8_000,
  'shown-picture-still': 12_000,
  'roster-unreadable': 12_000,
};

/**
 * One after the other, as long as the trouble lasts. Without page and sound there is no recording; all else is worth less than
 * the peace of the people in the meeting, who see the bot leave and come back.
 */
const remedies: Readonly<Record<Trouble, readonly Remedy[]>> = {
  'page-silent': ['new-page', 'new-browser', 'end'],
  'refused-in-vain': ['new-page', 'bear'],
  'sound-still': ['renew-capture', 'new-page', 'new-browser', 'end'],
  'recording-stuck': ['renew-capture', 'new-page', 'new-browser', 'end'],
  'picture-still': ['renew-capture', 'new-page', 'bear'],
  'sound-unheard': ['renew-capture', 'new-page', 'bear'],
  'shown-picture-still': ['renew-capture', 'bear'],
  'roster-unreadable': ['new-page', 'bear'],
};

const words: Readonly<Record<Trouble, string>> = {
  'page-silent': 'The browser page of the meeting stopped answering.',
  'refused-in-vain': 'The call does not come up while its pictures are refused.',
  'sound-still': 'The sound of the recording stands still.',
  'picture-still': 'The picture of the recording stands still.',
  'recording-stuck': 'The recording does not grow.',
  'sound-unheard': 'Somebody speaks, as the page says, but nothing is heard.',
  'shown-picture-still': 'A picture is shown, but no new one arrives.',
  'roster-unreadable': 'The page no longer shows who is there.',
};

/** What was done needs so long to show. */
const remedyShowsMs = 8_000;
/** A trouble that stayed away so long begins with the first remedy again. */
const forgottenAfterMs = 120_000;
/** Of full scale: quieter than any line that carries a voice. */
const silentPeak = 0.001;
/** A look comes every second; more between two says that this process stood still itself. */
const longestLookMs = 3_000;

interface Course {
  next: number;
  actedAtMs: number;
  seenAtMs: number;
}

/** Looks whether the bot does what it is there for, and says what to do when it does not. Pure but for what it remembers. */
export class Watchdog {
  readonly #courses = new Map<Trouble, Course>();
  #looks = { atMs: 0, fragments: -1, grewAtMs: 0, unheardMs: 0 };

  /** Call it every second while the bot is in the call. Null while all is well, or a remedy has still to show. */
  look(observation: FunctionObservation): Finding | null {
    this.#remember(observation);
    for (const trouble of Object.keys(remedies) as Trouble[]) {
      const lastsMs = this.#lastsMs(trouble, observation);
      if (lastsMs < noticedAfterMs[trouble]) continue;
      const remedy = this.#remedyFor(trouble, observation);
      if (remedy === 'none-left') continue;
      // One at a time: what comes later in the order may be the same trouble in other clothes.
      return remedy === 'wait' ? null : { trouble, what: words[trouble], lastsMs, remedy };
    }
    return null;
  }

  #remember({ nowMs, recorder, visit, recordsSinceMs }: FunctionObservation): void {
    const { atMs, fragments, unheardMs } = this.#looks;
    const elapsedMs = Math.min(nowMs - atMs, longestLookMs);
    const grew = recorder.fragmentsClosed !== fragments;
    const voiceAtMs = visit.sureVoiceHeardAtMs;
    const speech = voiceAtMs !== null && voiceAtMs > nowMs - elapsedMs;
    const heard = recordsSinceMs === null || recorder.audioLevel.peak >= silentPeak;
    this.#looks = {
      atMs: nowMs,
      fragments: recorder.fragmentsClosed,
      grewAtMs: grew ? nowMs : this.#looks.grewAtMs,
      unheardMs: heard ? 0 : unheardMs + (speech ? elapsedMs : 0),
    };
  }

  #lastsMs(trouble: Trouble, observation: FunctionObservation): number {
    const { nowMs, inCallSinceMs, recordsSinceMs, withPicture, visit, recorder } = observation;
    const since = (beganMs: number | null, lastMs: number | null): number =>
      beganMs === null ? 0 : nowMs - Math.max(beganMs, lastMs ?? beganMs);
    switch (trouble) {
      case 'page-silent':
        return since(inCallSinceMs, visit.pageAnsweredAtMs);
      case 'refused-in-vain':
        return since(visit.refusingInVainSinceMs ?? null, inCallSinceMs);
      case 'sound-still': {
        const { tracks, lastDataAtMs } = recorder.audioLevel;
        const mixMs = since(recordsSinceMs, recorder.lastAudioChunkAtMs);
        return tracks === 0 ? mixMs : Math.max(mixMs, since(recordsSinceMs, lastDataAtMs));
      }
      case 'picture-still':
        return withPicture ? since(recordsSinceMs, recorder.lastVideoChunkAtMs) : 0;
      case 'recording-stuck':
        return since(recordsSinceMs, this.#looks.grewAtMs);
      case 'sound-unheard':
        return recordsSinceMs === null ? 0 : this.#looks.unheardMs;
      case 'shown-picture-still':
        return recorder.shownFrameAtMs === null ? 0 : since(recordsSinceMs, recorder.shownFrameAtMs);
      case 'roster-unreadable': {
        const readMs = visit.rosterReadAtMs;
        // A page that never showed anybody is one we cannot read: it would not be another after coming back.
        return readMs === null || readMs < inCallSinceMs ? 0 : since(inCallSinceMs, readMs);
      }
    }
  }

  #remedyFor(trouble: Trouble, { nowMs, mayReturn }: FunctionObservation): Remedy | 'wait' | 'none-left' {
    const known = this.#courses.get(trouble);
    const fresh = known === undefined || nowMs - known.seenAtMs > forgottenAfterMs;
    const course = fresh ? { next: 0, actedAtMs: -Infinity, seenAtMs: nowMs } : known;
    this.#courses.set(trouble, course);
    course.seenAtMs = nowMs;
    if (nowMs - course.actedAtMs < remedyShowsMs) return 'wait';
    const possible = remedies[trouble].slice(course.next).find((remedy) => mayReturn || !isReturn(remedy));
    if (possible === undefined) return 'none-left';
    course.next = remedies[trouble].indexOf(possible) + 1;
    course.actedAtMs = nowMs;
    return possible;
  }
}

function isReturn(remedy: Remedy): boolean {
  return remedy === 'new-page' || remedy === 'new-browser';
}
