/** Why a request to a customer's address had no response. */
export type OutboundFailureKind =
  | 'address-refused'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'too-large'
  | 'closed'
  | 'protocol'
  | 'cancelled';

/**
 * A request without a response. `message` may be shown to the customer: it contains no address, header or body, and it
 * is the same for an unknown name and one that resolves to an internal address, so that it does not disclose the
 * network. `reason` is for the operator's log only.
 */
export class OutboundFailure extends Error {
  readonly kind: OutboundFailureKind;
  readonly reason: string;

  constructor(kind: OutboundFailureKind, message: string, reason: string) {
    super(message);
    this.name = 'OutboundFailure';
    this.kind = kind;
    this.reason = reason;
  }
}

/** One text for all failures that depend on the addresses of a host. */
export const refusalSentence = 'This address may not be called from here: it does not lead to a public address.';

export function refused(reason: string): OutboundFailure {
  return new OutboundFailure('address-refused', refusalSentence, reason);
}

export function notResolved(reason: string): OutboundFailure {
  return new OutboundFailure('dns', refusalSentence, reason);
}

export function timedOut(timeoutMs: number): OutboundFailure {
  return new OutboundFailure(
    'timeout',
    `There was no complete response within ${Math.ceil(timeoutMs / 1_000)} s.`,
    'deadline',
  );
}

export function tooLarge(maxResponseBytes: number): OutboundFailure {
  return new OutboundFailure('too-large', `The response is larger than ${maxResponseBytes} bytes.`, 'size');
}

export function cancelled(): OutboundFailure {
  return new OutboundFailure('cancelled', 'The request was cancelled on our side.', 'cancelled');
}

export function closedEarly(reason: string): OutboundFailure {
  return new OutboundFailure('closed', 'The connection was closed before the response was complete.', reason);
}

/** The other side responded, but not with a WebSocket. */
export function noSocket(status: number | null): OutboundFailure {
  const said = status === null ? 'its response is no WebSocket handshake' : `it responded with HTTP status ${status}`;
  return new OutboundFailure('protocol', `The address accepts no WebSocket: ${said}.`, `status ${status ?? 'none'}`);
}

const certificateWords: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is not signed by a known authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is not signed by a known authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate chain is incomplete or not signed by a known authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
};
const connectCodes = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
  'ETIMEDOUT',
  'ERR_SOCKET_CONNECTION_TIMEOUT',
]);

/**
 * Converts an error of Node into a failure. Node's own error is dropped: it can contain bytes of the request or the
 * response.
 */
export function failureFrom(error: unknown, connected: boolean): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  const code = errorCode(error);
  if (isTlsCode(code)) {
    const words = certificateWords[code] ?? 'the other side speaks no TLS we accept, or its certificate does not hold';
    return new OutboundFailure('tls', `The secure connection failed: ${words}.`, code);
  }
  if (code.startsWith('HPE_')) return new OutboundFailure('protocol', 'The response is not valid HTTP.', code);
  if (code === 'ERR_INVALID_CHAR' || code === 'ERR_UNESCAPED_CHARACTERS')
    return new OutboundFailure('protocol', 'The request cannot be written as HTTP.', code);
  if (!connected || connectCodes.has(code))
    return new OutboundFailure('connect', 'No connection could be opened to this address.', code);
  return closedEarly(code);
}

/** Node's code of an error, for the log. */
export function errorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : 'unknown';
}

function isTlsCode(code: string): boolean {
  return (
    code in certificateWords || /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO_|INVALID_CA|EPROTO)/.test(code)
  );
}
