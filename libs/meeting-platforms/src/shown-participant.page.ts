/** A participant, or a shared screen, with a video. */
export interface VideoCandidate {
  readonly id: string;
  readonly kind: 'camera' | 'screen';
}

/**
 * Chooses the video of speaker_view: a shared screen first, then the active speaker, then the one shown before, then
 * any. A new speaker takes over only after speaking for `takeOverMs`, so that a cough changes nothing. Pure.
 */
export class ShownParticipantChooser {
  readonly #takeOverMs: number;
  readonly #speakingSinceMs = new Map<string, number>();
  #shownId: string | null = null;

  constructor(takeOverMs: number) {
    this.#takeOverMs = takeOverMs;
  }

  /** @returns the id to show now, or null when there is no video at all */
  choose(candidates: readonly VideoCandidate[], speaking: readonly string[], atMs: number): string | null {
    this.#noteSpeaking(speaking, atMs);
    this.#shownId = this.#next(candidates, atMs);
    return this.#shownId;
  }

  #noteSpeaking(speaking: readonly string[], atMs: number): void {
    for (const id of this.#speakingSinceMs.keys()) if (!speaking.includes(id)) this.#speakingSinceMs.delete(id);
    for (const id of speaking) if (!this.#speakingSinceMs.has(id)) this.#speakingSinceMs.set(id, atMs);
  }

  #next(candidates: readonly VideoCandidate[], atMs: number): string | null {
    const screens = candidates.filter((candidate) => candidate.kind === 'screen');
    if (screens.length > 0) return screens.some(({ id }) => id === this.#shownId) ? this.#shownId : screens.at(-1)!.id;
    const shown = candidates.find((candidate) => candidate.id === this.#shownId);
    if (shown !== undefined && this.#speakingSinceMs.has(shown.id)) return shown.id;
    const speakers = candidates.filter((candidate) => this.#speakingSinceMs.has(candidate.id));
    if (shown === undefined) return speakers[0]?.id ?? candidates[0]?.id ?? null;
    const settled = speakers.find((candidate) => atMs - this.#speakingSinceMs.get(candidate.id)! >= this.#takeOverMs);
    return settled?.id ?? shown.id;
  }
}
