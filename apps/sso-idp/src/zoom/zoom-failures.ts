/** Zoom refused the request: a retry changes nothing. `sentence` may be shown to the customer. */
export class ZoomRefusal extends Error {
  readonly status: number;
  /** Zoom's own error code, when it has the usual form; null otherwise. */
  readonly reason: string | null;

  constructor(status: number, reason: string | null) {
    super(`Zoom refused it (HTTP status ${status}${reason === null ? '' : `, ${reason}`})`);
    this.name = 'ZoomRefusal';
    this.status = status;
    this.reason = reason;
  }
}

/** Zoom gave no usable response: too many requests, an error on its side, or none. Retryable. */
export class ZoomTimeout extends Error {
  /** The delay that Zoom requested. */
  readonly retryAfterMs: number | null;

  constructor(what: string, options: { readonly retryAfterMs?: number | null; readonly cause?: unknown } = {}) {
    super(what, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'ZoomTimeout';
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
