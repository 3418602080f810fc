/** A participant with audio in this 20 ms; `levelDbov` 0 is loudest, 127 is no speech. */
export type Speaker = { participantIndex: number; levelDbov: number };

type Slot = { participantIndex: number | null; freeSince: number };

/**
 * The fixed pool of audio tracks: each slot carries one participant at a time and is reassigned when that participant
 * is silent, or to a louder one when all slots are taken. A speaker keeps the slot.
 */
export class AudioSlots {
  readonly #slots: Slot[];
  #round = 0;

  constructor(count: number) {
    this.#slots = Array.from({ length: count }, (_, index) => ({ participantIndex: null, freeSince: index - count }));
  }

  /** Called for every 20 ms; returns the slot of each audible speaker. */
  assign(speakers: readonly Speaker[]): Map<number, number> {
    this.#round += 1;
    const loudest = speakers.toSorted((one, other) => one.levelDbov - other.levelDbov).slice(0, this.#slots.length);
    for (const slot of this.#slots) {
      if (
        slot.participantIndex === null ||
        loudest.some((speaker) => speaker.participantIndex === slot.participantIndex)
      )
        continue;
      slot.participantIndex = null;
      slot.freeSince = this.#round;
    }
    for (const { participantIndex } of loudest) {
      if (this.#slots.some((slot) => slot.participantIndex === participantIndex)) continue;
      const free = this.#slots.filter((slot) => slot.participantIndex === null);
      // The slot that has been free longest: its last audio has been played.
      const oldest = free.reduce<Slot | undefined>(
        (best, slot) => (best && best.freeSince <= slot.freeSince ? best : slot),
        undefined,
      );
      if (oldest !== undefined) oldest.participantIndex = participantIndex;
    }
    return new Map(
      this.#slots.flatMap((slot, index) =>
        slot.participantIndex === null ? [] : [[slot.participantIndex, index] as const],
      ),
    );
  }
}
