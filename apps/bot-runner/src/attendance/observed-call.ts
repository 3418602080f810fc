import type { ObservedCall } from '@rapporteur/contracts';
import type { MeetingSession } from '@rapporteur/meeting-platforms';

/** Collects what the page of the call let the bot read, at any time. */
export class CallObserver {
  readonly #ownName: string;
  #seen: ObservedCall | null = null;

  constructor(ownName: string) {
    this.#ownName = ownName.trim();
  }

  /** While the bot is in the call. `hasAudio`: other participants spoke, or the recording has audio. */
  note(participants: ReturnType<MeetingSession['participants']>, hasAudio: boolean): void {
    const before = this.#seen ?? { audio: false, ownName: false, roster: false };
    this.#seen = {
      audio: before.audio || hasAudio,
      ownName: before.ownName || participants.some(({ isSelf, name }) => isSelf && name?.trim() === this.#ownName),
      roster: before.roster || participants.length > 0,
    };
  }

  /** Null: the bot was in no call. */
  get seen(): ObservedCall | null {
    return this.#seen;
  }
}
