import { S3ServiceException } from '@aws-sdk/client-s3';
import { fail, Failure } from '@rapporteur/failures';

/** The meaning of a failed condition (HTTP 412) depends on the operation. */
export type OnCondition = 'OBJECT_ALREADY_EXISTS' | 'OBJECT_CHANGED';

export function isNoSuchKey(error: unknown): boolean {
  return error instanceof S3ServiceException && (error.name === 'NoSuchKey' || error.name === 'NotFound');
}

/** An outage or an overload of the store: the same request may succeed later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof Failure || !isOfStore(error)) return false;
  const status = error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 500) : 500;
  return status >= 500 || status === 408 || status === 429;
}

const refusals: Record<string, string> = {
  NoSuchBucket: 'The bucket of the object store does not exist.',
  AccessDenied: 'The object store refuses this access key the request.',
  ObjectLocked: 'An object lock of the bucket retains the object.',
  InvalidAccessKeyId: 'The object store does not recognise this access key.',
  SignatureDoesNotMatch: 'The object store refuses the secret of this access key.',
  RequestTimeTooSkewed: 'The clocks of this machine and of the object store differ too much.',
  QuotaExceeded: 'The quota of the object store is used up.',
};

/**
 * Converts errors of the SDK into failures of the catalogue. An error that is not about the object itself is
 * UNAVAILABLE, with the SDK's error as the cause for the log. An abort by the caller is unchanged.
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
  // AWS responds 409 to concurrent conditional writes of one key: the other one may have succeeded; a retry is
  // permitted.
  if (status === 412) return fail(onCondition, { cause: error });
  const message = refusals[error.name] ?? 'The object store returned an unexpected response.';
  return fail('UNAVAILABLE', { message, cause: error });
}

const networkErrors = /^(E[A-Z_]+|TimeoutError)$/;

function isOfStore(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return '$metadata' in error || networkErrors.test(code) || networkErrors.test(error.name);
}
