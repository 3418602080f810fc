import { plainName } from './display-name.ts';
import type { TeamsFrame, TeamsParticipant } from './signalling.ts';

type RosterFrame = Extract<TeamsFrame, { kind: 'roster' }>;

/** A login is shared by some twenty bots at most. */
const mostCalls = 32;
const mostParticipants = 2_000;

/**
 * The calls whose rosters reach this session: of an account that several bots share, those of its other bots too. The
 * bot's own is the one whose participants the page shows; until it shows any, a call is the bot's own if it is the only
 * one. The client may open its call anew, with another id.
 */
export class TeamsCalls {
  readonly #calls = new Map<string | null, Map<string, TeamsParticipant>>();
  #own: string | null | undefined;

  /** False: of another call, or not decided yet; the frame is kept. */
  isOwn({ callId, participants }: RosterFrame): boolean {
    const call = this.#calls.get(callId) ?? new Map<string, TeamsParticipant>();
    // The latest last.
    this.#calls.delete(callId);
    this.#calls.set(callId, call);
    for (const participant of participants) {
      const before = call.get(participant.id);
      if (before !== undefined || call.size < mostParticipants) call.set(participant.id, merged(before, participant));
    }
    const oldest = [...this.#calls.keys()].find((id) => id !== this.#own && id !== callId);
    if (this.#calls.size > mostCalls && oldest !== undefined) this.#calls.delete(oldest);
    return callId === this.#own;
  }

  /** An end of this call is one of the bot's. A request that is denied in the lobby has had no roster. */
  mayEnd(callId: string | null): boolean {
    return this.#own === undefined ? !this.#calls.has(callId) || this.#calls.size === 1 : callId === this.#own;
  }

  /**
   * Call while the page shows the call.
   * @param names those on its tiles
   * @param selfId of the account, which is in all of its calls; null: unknown
   * @returns what a frame of the bot's own call would have; null: it is the same call as before
   */
  choose(names: readonly string[], selfId: string | null): readonly TeamsParticipant[] | null {
    const shown = new Set(names);
    const fitting = (call: ReadonlyMap<string, TeamsParticipant>): string[] =>
      [...call.values()]
        .filter(
          ({ id, present, displayName }) =>
            id !== selfId && present !== false && shown.has(plainName(displayName) ?? ''),
        )
        .map(({ id }) => id);
    const own = this.#own === undefined ? undefined : this.#calls.get(this.#own);
    const before = own === undefined ? [] : fitting(own);
    let isNewer = true;
    for (const [callId, call] of [...this.#calls].toReversed()) {
      if (callId === this.#own) isNewer = false;
      if (callId === this.#own) continue;
      const fits = fitting(call);
      const isOnly = own === undefined && this.#calls.size === 1;
      const isSame = before.length > 0 && fits.length === before.length && before.every((id) => fits.includes(id));
      const isReopened = isNewer && isSame;
      if (!isOnly && !isReopened && !(fits.length > before.length && this.#isBest(fits.length, fitting))) continue;
      this.#own = callId;
      const gone = [...(own?.values() ?? [])].filter(({ id }) => !call.has(id));
      return [...gone.map((one) => ({ ...one, present: false })), ...call.values()];
    }
    return null;
  }

  #isBest(fits: number, fitting: (call: ReadonlyMap<string, TeamsParticipant>) => string[]): boolean {
    return [...this.#calls.values()].every((call) => fitting(call).length <= fits);
  }
}

function merged(before: TeamsParticipant | undefined, next: TeamsParticipant): TeamsParticipant {
  if (before === undefined) return next;
  return { ...next, displayName: next.displayName ?? before.displayName, present: next.present ?? before.present };
}
