import { Webhook } from 'standardwebhooks';
import type { WebhookEvent } from './generated/operations.ts';

/** A delivery that must not be trusted. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/** A `Headers` object, or the plain object of a server framework. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Gives the event of a delivery, once its signature shows that it comes from the service and is not older than 5 minutes.
 * Throws WebhookVerificationError otherwise.
 *
 * Deliveries may be repeated: keep `id` and skip what you know. Events that are newer than this SDK come through as they are,
 * so let a `switch` over `event` have a default.
 *
 * @param body Exactly as it arrived, before any parsing.
 * @param secret The endpoint's `whsec_…`; several while one is being replaced by another.
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
