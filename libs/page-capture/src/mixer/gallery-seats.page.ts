import { participantsBesideScreenMax, participantsMax } from './gallery-layout.page.ts';

/** A candidate for the video. */
export interface GalleryCandidate {
  readonly id: string;
  readonly kind: 'camera' | 'screen';
  readonly participantName: string | null;
  readonly hasVideo: boolean;
  readonly speaking: boolean;
}

export interface GallerySeat {
  readonly id: string;
  readonly kind: 'camera' | 'screen';
  readonly name: string | null;
  readonly speaking: boolean;
}

/** The content of the recorded video. */
export interface GalleryView {
  /** A large shared screen comes first. */
  readonly seats: readonly GallerySeat[];
  /** Participants without a place. */
  readonly leftOut: number;
}

interface Known {
  candidate: GalleryCandidate;
  readonly arrival: number;
  seenAtMs: number;
  spokeAtMs: number;
}

/** A page that repaints omits a participant for a moment: the video does not follow that. */
const keptMs = 1_500;
/** Participants pause between words. */
const frameHeldMs = 800;
/** Who spoke within this time has priority over participants with a camera only. */
const spokeRecentlyMs = 60_000;

/**
 * Chooses the participants in the video, in order of arrival, with stable places. With more participants than places,
 * speakers precede cameras and these precede the rest; a seated participant keeps its place until one of higher
 * priority replaces it there. Pure: time is given.
 */
export class GallerySeats {
  readonly #known = new Map<string, Known>();
  #seated: string[] = [];
  #screen: string | null = null;
  #arrivals = 0;

  update(candidates: readonly GalleryCandidate[], nowMs: number): GalleryView {
    this.#note(candidates, nowMs);
    const screens = this.#ofKind('screen');
    if (!screens.some(({ candidate }) => candidate.id === this.#screen))
      this.#screen = screens.at(-1)?.candidate.id ?? null;
    const others = screens.filter(({ candidate }) => candidate.id !== this.#screen);
    const participants = this.#ofKind('camera');
    const most = this.#screen === null ? participantsMax : Math.max(0, participantsBesideScreenMax - others.length);
    this.#seat(participants, most, nowMs);
    const shown = [
      ...(this.#screen === null ? [] : [this.#screen]),
      ...others.slice(0, participantsBesideScreenMax).map(({ candidate }) => candidate.id),
      ...this.#seated,
    ];
    return {
      seats: shown.flatMap((id) => this.#seatOf(id, nowMs) ?? []),
      leftOut: participants.length - this.#seated.length,
    };
  }

  #note(candidates: readonly GalleryCandidate[], nowMs: number): void {
    for (const candidate of candidates) {
      const known = this.#known.get(candidate.id);
      const spokeAtMs = candidate.speaking ? nowMs : (known?.spokeAtMs ?? -Infinity);
      if (known?.candidate.kind === candidate.kind) Object.assign(known, { candidate, seenAtMs: nowMs, spokeAtMs });
      else this.#known.set(candidate.id, { candidate, arrival: this.#arrivals++, seenAtMs: nowMs, spokeAtMs });
    }
    for (const [id, { seenAtMs }] of this.#known) if (nowMs - seenAtMs > keptMs) this.#known.delete(id);
  }

  #ofKind(kind: 'camera' | 'screen'): Known[] {
    return [...this.#known.values()]
      .filter(({ candidate }) => candidate.kind === kind)
      .sort((one, other) => one.arrival - other.arrival);
  }

  #seat(participants: readonly Known[], most: number, nowMs: number): void {
    const weight = (known: Known): number =>
      nowMs - known.spokeAtMs <= spokeRecentlyMs ? 2 : known.candidate.hasVideo ? 1 : 0;
    if (participants.length <= most) {
      this.#seated = participants.map(({ candidate }) => candidate.id);
      return;
    }
    const byId = new Map(participants.map((known) => [known.candidate.id, known]));
    const seated = this.#seated.flatMap((id) => byId.get(id) ?? []);
    /** The one of lowest priority, the last to arrive among equals. */
    const leastOf = (list: readonly Known[]): Known | undefined =>
      list.toReversed().toSorted((one, other) => weight(one) - weight(other) || one.spokeAtMs - other.spokeAtMs)[0];
    while (seated.length > most) seated.splice(seated.indexOf(leastOf(seated)!), 1);
    const waiting = participants
      .filter((known) => !seated.includes(known))
      .sort((one, other) => weight(other) - weight(one) || one.arrival - other.arrival);
    const newcomers = waiting.splice(0, most - seated.length);
    seated.push(...newcomers.sort((one, other) => one.arrival - other.arrival));
    for (const known of waiting) {
      const least = leastOf(seated);
      if (least === undefined || weight(least) >= weight(known)) break;
      seated[seated.indexOf(least)] = known;
    }
    this.#seated = seated.map(({ candidate }) => candidate.id);
  }

  #seatOf(id: string, nowMs: number): GallerySeat | null {
    const known = this.#known.get(id);
    if (known === undefined) return null;
    const { kind, participantName } = known.candidate;
    return { id, kind, name: participantName, speaking: kind === 'camera' && nowMs - known.spokeAtMs <= frameHeldMs };
  }
}
