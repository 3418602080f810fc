/** Stores the recording's init segment, and retries on failure: no fragment can be played without it. */
export class InitOutlet {
  readonly #keep: (bytes: Uint8Array) => void | Promise<void>;
  readonly #onFailure: (error: unknown) => void;
  #bytes: Uint8Array | null = null;
  #kept: Promise<void> | null = null;

  constructor(keep: (bytes: Uint8Array) => void | Promise<void>, onFailure: (error: unknown) => void) {
    this.#keep = keep;
    this.#onFailure = onFailure;
  }

  put(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#kept = null;
    // Reported already; the next fragment retries.
    this.kept().catch(() => undefined);
  }

  /** Resolves when the init segment is stored; a failed one is tried once more. */
  async kept(): Promise<void> {
    const bytes = this.#bytes;
    if (bytes === null) return;
    const kept = (this.#kept ??= this.#try(bytes));
    try {
      await kept;
    } catch (error) {
      if (this.#kept === kept) this.#kept = null;
      throw error;
    }
  }

  async #try(bytes: Uint8Array): Promise<void> {
    try {
      await this.#keep(bytes);
    } catch (error) {
      this.#onFailure(error);
      throw error;
    }
  }
}
