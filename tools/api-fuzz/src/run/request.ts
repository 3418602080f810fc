import type { Operation } from '../document/document.ts';

/** The response that the contract requires for this request. */
export type Expectation =
  /**
   * Matches the contract. `refusal`: the documented rule across fields that may still refuse it with 400; null: none.
   */
  | { readonly kind: 'fits'; readonly refusal: string | null }
  | { readonly kind: 'misfits'; readonly reason: string }
  | { readonly kind: 'forbidden'; readonly reason: string; readonly lacksPermission: boolean }
  /** An id that this team does not have. */
  | { readonly kind: 'unknown id' }
  /** The same request again under the same Idempotency-Key: the same response. */
  | { readonly kind: 'repetition'; readonly status: number; readonly body: string }
  /** Another request under a used Idempotency-Key. */
  | { readonly kind: 'key reused' }
  /** Unusual, and either accepted or refused: only the general rules apply. */
  | { readonly kind: 'odd'; readonly reason: string };

export interface PlannedRequest {
  readonly operation: Operation;
  /** Name of the document the operation is from. */
  readonly generation: string;
  readonly method: string;
  /** Path and query as they are sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  /** The body before it became bytes, where it is JSON. */
  readonly value?: unknown;
  readonly expectation: Expectation;
}

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Undefined where the text is no JSON. */
  readonly json: unknown;
  readonly durationMs: number;
}
