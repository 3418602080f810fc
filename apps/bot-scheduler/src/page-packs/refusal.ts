/**
 * unreachable: the source cannot be read. unsigned: no configured key signed the document. invalid: it is no overlay, or
 * does not fit the built-in pack.
 */
export const refusalReasons = ['unreachable', 'unsigned', 'invalid'] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** A reading of the source that is not used. Its message is a sentence for the operator. */
export class PagePackRefusal extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'PagePackRefusal';
    this.reason = reason;
  }
}
