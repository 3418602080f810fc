import { expect, test } from '@jest/globals';
import { webhookEventNames, webhookEvents } from '@rapporteur/contracts';
import { previousFor } from './messages.store.ts';

const order = (previous: Record<string, number>) => ({
  order: { event: 'bot.completed', sequence: 9, at: '2026-11-21T09:00:00.000Z', previous },
});

test.each(webhookEventNames)('an endpoint of the legacy format waits for %s only if that format has it', (event) => {
  const message = order({ [event]: 8, 'bot.status_change': 7 });
  const [v2, legacy] = (['v2', 'legacy'] as const).map((format) =>
    previousFor({ format, events: webhookEventNames }, message),
  );
  const placed = event === 'bot.status_change' ? 7 : 8;
  expect([v2, legacy]).toEqual([placed, webhookEvents[event].legacy ? placed : 7]);
});
