import { S3ServiceException } from '@aws-sdk/client-s3';
import { fail, Failure } from '@rapporteur/failures';

/** What a refused condition (HTTP 412) means depends on who asked. */
export type OnCondition = 'OBJECT_ALREADY_EXISTS' | 'OBJECT_CHANGED';

export function isNoSuchKey(error: unknown): boolean {
  return error instanceof S3ServiceException && (error.name === 'NoSuchKey' || error.name === 'NotFound');
}

const refusals: Record<string, string> = {
  NoSuchBucket: 'The bucket of the object store does not exist.',
  AccessDenied: 'The object store refuses this access key.',
  InvalidAccessKeyId: 'The object store does not know this access key.',
  SignatureDoesNotMatch: 'The object store refuses the secret of this access key.',
  RequestTimeTooSkewed: 'The clocks of this machine and of the object store differ too much.',
  QuotaExceeded: 'The quota of the object store is used up.',
};

/**
 * Turns what the SDK throws into failures of the catalogue. Whatever says nothing about the object itself is
 * UNAVAILABLE, with the SDK's error as the cause for the log. An abort by the caller stays as it is.
 */
export function asStoreFailure(error: unknown, onCondition: OnCondition, signal?: AbortSignal): unknown {
  if (signal?.aborted === true) return signal.reason as unknown;
  if (error instanceof Failure) return error;
  if (!isOfStore(error)) return error;
  if (error.name === 'NoSuchUpload')
    return fail('OBJECT_NOT_FOUND', { message: 'There is no such upload any more.', cause: error });
  if (error.name === 'NoSuchKey' || error.name === 'NotFound') return fail('OBJECT_NOT_FOUND', { cause: error });
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  if (status === 416) return fail('RANGE_NOT_SATISFIABLE', { cause: error });
  // AWS responds 409 when two conditional writes of one key meet: the other one may have won, the same write may be sent again.
  if (status === 412) return fail(onCondition, { cause: error });
  const message = refusals[error.name] ?? 'The object store does not respond as it should.';
  return fail('UNAVAILABLE', { message, cause: error });
}

const networkErrors = /^(E[A-Z_]+|TimeoutError)$/;

function isOfStore(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return '$metadata' in error || networkErrors.test(code) || networkErrors.test(error.name);
}
