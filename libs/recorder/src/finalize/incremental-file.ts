import { spansLength, splitSpans } from '@rapporteur/media-container';
import type { ByteSpan } from '@rapporteur/media-container';

/** Minimum size of the head of a file: object stores accept smaller parts only at the end. */
export const heldBytes = 6 * 1024 * 1024;
export const partBytes = 8 * 1024 * 1024;

/** A file uploaded in parts while it grows, except its head, which is complete last. */
export class IncrementalFile {
  readonly #onPart: (number: number, spans: readonly ByteSpan[]) => void;
  #held: ByteSpan[] = [];
  #waiting: ByteSpan[] = [];
  #waitingBytes = 0;
  #parts = 0;

  constructor(onPart: (number: number, spans: readonly ByteSpan[]) => void) {
    this.#onPart = onPart;
  }

  append(spans: readonly ByteSpan[]): void {
    this.#waiting.push(...spans);
    this.#waitingBytes += spansLength(spans);
    if (this.#held.length === 0 && this.#waitingBytes >= heldBytes) this.#held = this.#take(heldBytes);
    while (this.#held.length > 0 && this.#waitingBytes >= partBytes) {
      this.#parts += 1;
      this.#onPart(this.#parts, this.#take(partBytes));
    }
  }

  /** The bytes that were not uploaded yet, preceded by the head. */
  finish(head: Buffer): { readonly head: ByteSpan[]; readonly parts: number; readonly tail: ByteSpan[] } {
    return { head: [{ bytes: head }, ...this.#held], parts: this.#parts, tail: this.#waiting };
  }

  #take(length: number): ByteSpan[] {
    const { first, rest } = splitSpans(this.#waiting, length);
    this.#waiting = rest;
    this.#waitingBytes -= length;
    return first;
  }
}
