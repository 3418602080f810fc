/** Maps a session's time to the streamed audio, of which it may have received only parts. */
export class SessionPositions {
  readonly #anchors: { readonly sessionMs: number; readonly positionMs: number }[] = [];
  #sentMs = 0;

  sent(positionMs: number, lengthMs: number): void {
    if (this.#anchors.length === 0 || this.of(this.#sentMs) !== positionMs) {
      this.#anchors.push({ sessionMs: this.#sentMs, positionMs });
    }
    this.#sentMs += lengthMs;
  }

  of(sessionMs: number): number {
    const anchor = this.#anchors.findLast((one) => one.sessionMs <= sessionMs) ?? this.#anchors[0];
    return anchor === undefined ? sessionMs : anchor.positionMs + sessionMs - anchor.sessionMs;
  }
}
