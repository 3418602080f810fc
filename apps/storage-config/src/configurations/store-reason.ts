import { Failure } from '@rapporteur/failures';
import { failureFrom, OutboundFailure } from '@rapporteur/outbound-http';

/** Why an object store failed, in a message for the customer: it contains no address, header or body. */
export function storeReason(error: unknown): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutboundFailure) return cause.message;
    if (cause instanceof Failure && cause.code === 'ADDRESS_REFUSED') return cause.message;
    // Node's connection errors have a code, the store's responses none.
    if (typeof (cause as NodeJS.ErrnoException).code === 'string' && !(cause instanceof Failure))
      return failureFrom(cause, false).message;
  }
  if (!(error instanceof Failure)) return 'The object store did not respond as it should.';
  const status = httpStatusOf(error);
  return status === null ? error.message : `${error.message} (HTTP ${status}${codeOf(error.cause)})`;
}

/** The code of an S3 error, such as NotImplemented; empty for text of any other form. */
function codeOf(cause: unknown): string {
  const name = cause instanceof Error ? cause.name : '';
  return /^[A-Z][A-Za-z0-9]{2,60}$/.test(name) && name !== 'Error' ? `, ${name}` : '';
}

function httpStatusOf(error: Error): number | null {
  const { $metadata: metadata } = (error.cause ?? {}) as { $metadata?: { httpStatusCode?: number } };
  return metadata?.httpStatusCode ?? null;
}
