/** Status of the bot that determines its image. */
export type ImageStage = 'joined' | 'recording' | 'paused';

/** Which images each stage shows, best first: without a third one, a pause keeps the image of the recording. */
const statusImages: Readonly<Record<ImageStage, readonly number[]>> = {
  joined: [0],
  recording: [1, 0],
  paused: [2, 1, 0],
};

/** Number of images used of a list. */
export function usedImages(given: number, loopMode: 'auto' | 'bot_status'): number {
  return loopMode === 'bot_status' ? Math.min(given, 3) : given;
}

/** Selects the image to show, in rotation or by status. Missing images are skipped. Pure. */
export class ImageRotation {
  readonly #byStatus: boolean;
  readonly #available = new Set<number>();
  #stage: ImageStage = 'joined';
  #turn: number | null = null;

  constructor(loopMode: 'auto' | 'bot_status') {
    this.#byStatus = loopMode === 'bot_status';
  }

  /** Null: no image is available. */
  get current(): number | null {
    const [first] = this.#inOrder();
    if (!this.#byStatus) return this.#turn ?? first ?? null;
    return statusImages[this.#stage].find((image) => this.#available.has(image)) ?? first ?? null;
  }

  arrived(image: number): void {
    this.#available.add(image);
  }

  lost(image: number): void {
    this.#available.delete(image);
    if (this.#turn === image) this.#turn = null;
  }

  enter(stage: ImageStage): void {
    this.#stage = stage;
  }

  /** The next image, or the first one after the last. */
  next(): void {
    const { current } = this;
    const inOrder = this.#inOrder();
    this.#turn = inOrder.find((image) => current !== null && image > current) ?? inOrder[0] ?? null;
  }

  #inOrder(): number[] {
    return [...this.#available].toSorted((one, other) => one - other);
  }
}
