import { RestError } from '@azure/storage-blob';
import { fail, Failure } from '@rapporteur/failures';

/** The meaning of a failed condition depends on the operation. */
export type OnCondition = 'OBJECT_ALREADY_EXISTS' | 'OBJECT_CHANGED';

export function isAbsent(error: unknown): boolean {
  return error instanceof RestError && error.statusCode === 404 && error.code !== 'ContainerNotFound';
}

/** An outage or an overload of the store: the same request may succeed later. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof RestError)) return false;
  const status = error.statusCode ?? 500;
  return status >= 500 || status === 408 || status === 429;
}

const refusals: Record<string, string> = {
  ContainerNotFound: 'The container of the object store does not exist.',
  AuthenticationFailed: 'The object store refuses the key or token of this account.',
  AuthorizationPermissionMismatch: 'The identity has no permission on the data of this container.',
  AuthorizationFailure: 'The object store refuses the key or token of this account, or its firewall this machine.',
  KeyBasedAuthenticationNotPermitted: 'The storage account permits no account keys.',
  BlobImmutableDueToPolicy: 'An immutability policy of the container retains the object.',
  InvalidBlockList: 'Another writer of the same object discarded the parts.',
};

/** Converts errors of the SDK into failures of the catalogue, as the S3 driver does. */
export function asStoreFailure(error: unknown, onCondition: OnCondition, signal?: AbortSignal): unknown {
  if (signal?.aborted === true) return signal.reason as unknown;
  if (error instanceof Failure || !(error instanceof RestError)) return error;
  if (isAbsent(error)) return fail('OBJECT_NOT_FOUND', { cause: error });
  if (error.statusCode === 416) return fail('RANGE_NOT_SATISFIABLE', { cause: error });
  if (error.statusCode === 412 || error.code === 'BlobAlreadyExists') return fail(onCondition, { cause: error });
  const message = refusals[error.code ?? ''] ?? 'The object store returned an unexpected response.';
  return fail('UNAVAILABLE', { message, cause: error });
}
