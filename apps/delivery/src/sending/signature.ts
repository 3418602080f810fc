import { createHmac } from 'node:crypto';

export interface Signed {
  readonly messageId: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: Buffer;
}

const prefix = 'whsec_';

/** One `v1,<base64>` signature per secret, as Standard Webhooks writes them. Secrets are `whsec_` and base64. */
export function signatures(message: Signed, secrets: readonly string[]): string {
  const head = Buffer.from(`${message.messageId}.${message.timestamp}.`);
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(prefix.length), 'base64');
      return `v1,${createHmac('sha256', key).update(head).update(message.body).digest('base64')}`;
    })
    .join(' ');
}

/** The headers of one attempt: Standard Webhooks, and the same values under the names Svix receivers look for. */
export function signedHeaders(message: Signed, secrets: readonly string[]): Record<string, string> {
  const values = {
    id: message.messageId,
    timestamp: String(message.timestamp),
    signature: signatures(message, secrets),
  };
  const named = (family: string): [string, string][] =>
    Object.entries(values).map(([name, value]) => [`${family}-${name}`, value]);
  return {
    'content-type': 'application/json',
    'user-agent': 'Rapporteur-Webhooks/1',
    ...Object.fromEntries([...named('webhook'), ...named('svix')]),
  };
}
