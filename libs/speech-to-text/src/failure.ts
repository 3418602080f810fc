/**
 * temporary: the same request may succeed later. credentials: the key is refused or has no credit left. rejected: the
 * provider refuses this audio or these parameters permanently. too-large: it takes shorter audio only. unreadable: the response is not of the documented form.
 * lost: the provider no longer has the job. failed: the provider accepted the job and could not complete it. no-speech:
 * the audio has no speech, which `createBatchProvider` turns into an empty transcript.
 */
export type SpeechToTextFailureKind =
  | 'temporary'
  | 'credentials'
  | 'rejected'
  | 'too-large'
  | 'unreadable'
  | 'lost'
  | 'failed'
  | 'no-speech';

/** `message` names the provider and may be shown to the customer: it has no key, no address and no audio. */
export class SpeechToTextFailure extends Error {
  override readonly name = 'SpeechToTextFailure';
  readonly kind: SpeechToTextFailureKind;
  readonly retryAfterMs: number | null;
  /** True when the provider's response states that it did nothing. */
  readonly refused: boolean;

  constructor(
    kind: SpeechToTextFailureKind,
    message: string,
    options: { readonly retryAfterMs?: number | null; readonly refused?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.refused = options.refused ?? false;
  }

  /** True when the same request may succeed later. */
  get retryable(): boolean {
    return this.kind === 'temporary' || this.kind === 'unreadable';
  }
}
