import { Webhook } from 'standardwebhooks';
import type { WebhookEvent } from './generated/operations.ts';

/** A delivery with an invalid signature or timestamp. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/** A `Headers` object, or the plain object of a server framework. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Verifies the signature of a delivery and returns its event. Throws WebhookVerificationError for an invalid signature
 * or one older than 5 minutes.
 *
 * Deliveries may be repeated: store `id` and skip known ones. Events newer than this SDK are returned unchanged, so a
 * `switch` over `event` needs a default.
 *
 * @param body The raw request body, before any parsing.
 * @param secret The endpoint's `whsec_…`; several during a rotation.
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
): WebhookEvent {
  const text = typeof body === 'string' ? body : decode(body);
  const signed = {
    'webhook-id': header(headers, 'webhook-id'),
    'webhook-timestamp': header(headers, 'webhook-timestamp'),
    'webhook-signature': header(headers, 'webhook-signature'),
  };
  const secrets = [secret].flat();
  if (secrets.length === 0) throw new TypeError('There is no secret to verify the delivery with.');
  const problems = secrets.map((one) => problemOf(one, text, signed));
  if (!problems.includes(null)) {
    throw new WebhookVerificationError(`This delivery cannot be trusted: ${problems.join('; ')}.`);
  }
  return parseEvent(text);
}

/** The reason why this secret does not verify the delivery; null when it does. */
function problemOf(secret: string, text: string, signed: Record<string, string>): string | null {
  const webhook = new Webhook(secret);
  try {
    webhook.verify(text, signed, { jsonParse: false });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function decode(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch (cause) {
    throw new WebhookVerificationError('This delivery is not UTF-8 text.', { cause });
  }
}

function header(headers: WebhookHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const found = Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : (found?.join(' ') ?? '');
}

function parseEvent(text: string): WebhookEvent {
  const event: unknown = parse(text);
  if (typeof event === 'object' && event !== null && 'event' in event && typeof event.event === 'string') {
    return event as WebhookEvent;
  }
  throw new WebhookVerificationError('This delivery is signed, but is no event of a Rapporteur service.');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
