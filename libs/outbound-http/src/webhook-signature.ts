import { createHmac } from 'node:crypto';

export interface Signed {
  readonly messageId: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly body: Buffer;
}

const prefix = 'whsec_';

/** The key in an endpoint's secret (`whsec_` and base64). */
export function endpointKey(secret: string): Buffer {
  return Buffer.from(secret.slice(prefix.length), 'base64');
}

/** The key of a callback: the bytes of its secret as the customer set it. */
export function callbackKey(secret: string): Buffer {
  return Buffer.from(secret, 'utf8');
}

/** One `v1,<base64>` signature per key, in the format of Standard Webhooks. */
export function signatures(message: Signed, keys: readonly Buffer[]): string {
  const head = Buffer.from(`${message.messageId}.${message.timestamp}.`);
  return keys
    .map((key) => `v1,${createHmac('sha256', key).update(head).update(message.body).digest('base64')}`)
    .join(' ');
}

/**
 * The headers of one attempt: Standard Webhooks, and the same values under Svix's header names. Without a key there is
 * no signature, only the id and the time.
 */
export function messageHeaders(message: Signed, keys: readonly Buffer[]): Record<string, string> {
  const values = {
    id: message.messageId,
    timestamp: String(message.timestamp),
    ...(keys.length === 0 ? {} : { signature: signatures(message, keys) }),
  };
  const named = (family: string): [string, string][] =>
    Object.entries(values).map(([name, value]) => [`${family}-${name}`, value]);
  return {
    'content-type': 'application/json',
    'user-agent': 'Rapporteur-Webhooks/1',
    ...Object.fromEntries([...named('webhook'), ...named('svix')]),
  };
}
