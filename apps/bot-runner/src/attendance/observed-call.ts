import { participantKind } from '@rapporteur/bot-lifecycle';
import type { LeaveConfiguration, LeaveObservation } from '@rapporteur/bot-lifecycle';
import type { BotInvocation, ObservedCall } from '@rapporteur/contracts';
import type { MeetingParticipant, MeetingSession, SessionSignal } from '@rapporteur/meeting-platforms';

export function leaveConfigurationOf({ configuration }: BotInvocation): LeaveConfiguration {
  const { timeout_config: timeouts, ignored_participant_names, bot_name, other_bot_names: others } = configuration;
  return { ...timeouts, ignored_participant_names, bot_names: [bot_name, ...others] };
}

/** Collects what the bot could read of the call at any time, and which participants are or were present. */
export class CallObserver {
  readonly #session: Pick<MeetingSession, 'participants' | 'health'>;
  readonly #ownName: string;
  readonly #names: LeaveConfiguration;
  readonly #speakers = new Set<string>();
  #seen: ObservedCall | null = null;
  #speechSinceMs: number | null = null;
  #speechBeganAtMs: number | null = null;

  constructor(session: Pick<MeetingSession, 'participants' | 'health'>, ownName: string, names: LeaveConfiguration) {
    this.#session = session;
    this.#ownName = ownName.trim();
    this.#names = names;
  }

  /** Null: the bot was in no call. */
  get seen(): ObservedCall | null {
    return this.#seen;
  }

  onSignal(signal: SessionSignal): void {
    if (signal.kind !== 'speaker' || signal.change !== 'started') return;
    const { participantId, name, startMs } = signal.turn;
    if (this.#kind(name) === 'program') return;
    if (participantId !== null) this.#speakers.add(participantId);
    this.#speechBeganAtMs = Math.max(this.#speechBeganAtMs ?? startMs, startMs);
  }

  /** While the bot is in the call. `hasAudio`: the last second of the recording held audio. */
  note(hasAudio: boolean): void {
    const participants = this.#session.participants();
    const before = this.#seen ?? { audio: false, ownName: false, roster: false };
    this.#seen = {
      audio: before.audio || hasAudio || this.#session.health().speechAtMs !== null,
      ownName: before.ownName || participants.some(({ isSelf, name }) => isSelf && name?.trim() === this.#ownName),
      roster: before.roster || participants.length > 0,
    };
  }

  /** A participant is present who may speak: all but programs. */
  hasParticipants(): boolean {
    return this.#others().some(({ present, name }) => present && this.#kind(name) !== 'program');
  }

  observe(): Pick<LeaveObservation, 'participants' | 'speechBeganAtMs' | 'rosterReadAtMs'> {
    const { speechAtMs, rosterReadAtMs } = this.#session.health();
    this.#speechSinceMs ??= speechAtMs;
    return { participants: this.#participants(), speechBeganAtMs: this.#speechBeganAtMs, rosterReadAtMs };
  }

  /** Speech counts as a participant where the page has no readable participant list. */
  #participants(): LeaveObservation['participants'] {
    const others = this.#others();
    if (others.length === 0 && this.#speechSinceMs !== null)
      return [{ name: '', firstSeenAtMs: this.#speechSinceMs, leftAtMs: null, hasSpoken: true }];
    return others.map(({ id, name, appearedAtMs, present, leftAtMs }) => ({
      name: name ?? '',
      firstSeenAtMs: appearedAtMs,
      leftAtMs: present ? null : leftAtMs,
      hasSpoken: this.#speakers.has(id),
    }));
  }

  #others(): MeetingParticipant[] {
    return this.#session.participants().filter(({ isSelf }) => !isSelf);
  }

  #kind(name: string | null) {
    return participantKind(name ?? '', this.#names);
  }
}
