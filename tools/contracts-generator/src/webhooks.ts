import { webhookEventNames } from '@rapporteur/contracts';

type Json = Record<string, unknown>;

interface Document extends Json {
  readonly paths: unknown;
  readonly webhooks: Record<string, { post: Json }>;
  readonly components: { readonly schemas: Record<string, Json> };
}

const parameters = ['WebhookId', 'WebhookTimestamp', 'WebhookSignature'].map((name) => ({
  $ref: `#/components/parameters/${name}`,
}));

/** The member `webhooks` of the source of `public.v2`: the payload of every event, and of the test. */
export function webhookSources(): Json {
  return Object.fromEntries(
    [...webhookEventNames, 'webhook.test'].map((event) => {
      const schema = { $ref: `schemas/${wordsOf(event)}Payload.yaml` };
      return [event, { post: { requestBody: { required: true, content: { 'application/json': { schema } } } } }];
    }),
  );
}

/**
 * The document with the rest of each webhook: what all have in common, and the summary, the description and the example
 * of its payload's `x-webhook`. Throws for a payload without it.
 */
export function withWebhooks(bundle: unknown): unknown {
  const { paths, webhooks, components, ...head } = structuredClone(bundle) as Document;
  for (const [event, item] of Object.entries(webhooks)) {
    const name = `${wordsOf(event)}Payload`;
    const payload = components.schemas[name];
    const words = payload?.['x-webhook'] as Json | undefined;
    if (payload === undefined || words === undefined)
      throw new Error(`${name} needs the words of ${event}: x-webhook.`);
    delete payload['x-webhook'];
    const { example, ...described } = words;
    const { requestBody } = item.post as { requestBody: { content: Record<string, Json> } };
    if (example !== undefined) Object.assign(requestBody.content['application/json'] ?? {}, { example });
    item.post = {
      operationId: `on${wordsOf(event.replace(/^(bot|webhook)\./, ''))}`,
      ...described,
      tags: ['Webhooks'],
      security: [],
      parameters,
      requestBody,
      responses: {
        '2XX': { description: 'Taken. Any other answer, a redirect included, is a failure and is tried again.' },
      },
    };
  }
  return { ...head, paths, webhooks, components };
}

/** `BotStatusChange` of `bot.status_change`. */
function wordsOf(event: string): string {
  return event
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
