export interface TileStreamPorts {
  /** A newer frame is there. */
  arrived(): void;
  /** The stream gave its last frame. */
  ended(): void;
  report(error: unknown): void;
}

/** Reads one participant's frames and keeps the newest. */
export class TileStream {
  readonly #ports: TileStreamPorts;
  #reader: ReadableStreamDefaultReader<VideoFrame> | null;
  #newest: VideoFrame | null;
  /** The newest frame has not been painted yet. */
  fresh = false;

  /** @param first shown until a frame arrives; taken over */
  constructor(frames: ReadableStream<VideoFrame>, ports: TileStreamPorts, first: VideoFrame | null) {
    this.#newest = first;
    this.#ports = ports;
    this.#reader = frames.getReader();
    void this.#read(this.#reader);
  }

  /** Open until the next one arrives: clone it to use it across an `await`. */
  get newest(): VideoFrame | null {
    return this.#newest;
  }

  /** Returns its newest frame, and closes. */
  release(): VideoFrame | null {
    const frame = this.#newest;
    this.#newest = null;
    this.close();
    return frame;
  }

  close(): void {
    const reader = this.#reader;
    this.#reader = null;
    this.#newest?.close();
    this.#newest = null;
    void reader?.cancel().catch((error: unknown) => this.#ports.report(error));
  }

  async #read(reader: ReadableStreamDefaultReader<VideoFrame>): Promise<void> {
    try {
      for (;;) {
        const { value: frame, done } = await reader.read();
        if (done) break;
        if (reader !== this.#reader) {
          frame.close();
          continue;
        }
        this.#newest?.close();
        this.#newest = frame;
        this.fresh = true;
        this.#ports.arrived();
      }
    } catch (error) {
      this.#ports.report(error);
    }
    if (reader === this.#reader) this.#ports.ended();
  }
}
