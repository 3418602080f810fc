import { Failure } from '@rapporteur/failures';
import { storeRefusal } from '@rapporteur/object-store';
import { failureFrom, OutboundFailure } from '@rapporteur/outbound-http';

/** Why a team's object store failed, with the store's own sentence, in a message for the customer. */
export function storeReason(error: unknown): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutboundFailure) return cause.message;
    if (cause instanceof Failure && cause.code === 'ADDRESS_REFUSED') return cause.message;
    // Node's connection errors have a code, the store's responses none.
    if (typeof (cause as NodeJS.ErrnoException).code === 'string' && !(cause instanceof Failure))
      return failureFrom(cause, false).message;
  }
  if (!(error instanceof Failure)) return 'The object store did not respond as it should.';
  const refusal = storeRefusal(error.cause);
  return refusal === null ? error.message : `${error.message} (${refusal})`;
}
