import type { MissingVideo } from '@rapporteur/page-capture';

/** Bounds the memory of a page whose video comes and goes without end. */
const spansKept = 500;

/** The spans of one recording in which the page showed a video that is not recorded. */
export class MissingVideoRecord {
  readonly #spans: MissingVideo[] = [];

  /** A span that lasts is reported again, with a later end. */
  add(spans: readonly MissingVideo[]): void {
    for (const span of spans) {
      if (this.#spans.at(-1)?.startMs === span.startMs) this.#spans.pop();
      if (this.#spans.length < spansKept) this.#spans.push(span);
    }
  }

  get spans(): readonly MissingVideo[] {
    return this.#spans;
  }
}
