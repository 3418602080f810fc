import { z } from 'zod';
import type { LegacyComponents } from '@rapporteur/contracts/legacy-api';

const event = z.object({
  post: z.object({
    summary: z.string(),
    description: z.string(),
    requestBody: z.object({
      content: z.object({ 'application/json': z.object({ example: z.record(z.string(), z.unknown()) }) }),
    }),
  }),
});
const documentShape = z.object({ webhooks: z.record(z.string(), event) });

/** Every event of a document with its sample. Throws when an event has none. */
export function webhookSamples(document: unknown): LegacyComponents['schemas']['WebhookSamples'] {
  const { webhooks } = documentShape.parse(document);
  return {
    events: Object.entries(webhooks).map(([name, { post }]) => ({
      event: name,
      description: `${post.summary}. ${post.description.trim()}`,
      sample: post.requestBody.content['application/json'].example,
    })),
  };
}
