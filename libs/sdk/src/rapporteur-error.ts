/** A refusal by the service, or a failure without a response. */
export class RapporteurError extends Error {
  override readonly name = 'RapporteurError';
  /**
   * The service's stable code, for example `FST_ERR_BOT_STATUS`. Without a response one of the SDK's own: `SDK_TIMEOUT`,
   * `SDK_ABORTED`, `SDK_NETWORK`, `SDK_UNEXPECTED_RESPONSE`.
   */
  readonly code: string;
  /** HTTP status; null when no response came. */
  readonly statusCode: number | null;
  /** Seconds after which the service suggests a retry; null: no suggestion. */
  readonly retryAfter: number | null;
  /** The id to quote to the operator; null when no response came. */
  readonly requestId: string | null;
  /** Details, where the service gives them. */
  readonly details: string | null;

  constructor(
    message: string,
    facts: {
      readonly code: string;
      readonly statusCode?: number;
      readonly retryAfter?: number | null;
      readonly requestId?: string | null;
      readonly details?: string | null;
      readonly cause?: unknown;
    },
  ) {
    super(message, facts.cause === undefined ? {} : { cause: facts.cause });
    this.code = facts.code;
    this.statusCode = facts.statusCode ?? null;
    this.retryAfter = facts.retryAfter ?? null;
    this.requestId = facts.requestId ?? null;
    this.details = facts.details ?? null;
  }
}
