import { randomBytes, randomUUID } from 'node:crypto';
import { fail } from '@rapporteur/failures';
import { createSecretBox } from '@rapporteur/secret-box';
import { createLogger } from '@rapporteur/service-runtime';
import { createEndpointSecrets } from '../endpoints/endpoint-secrets.ts';
import { insertCallback } from '../messages/callbacks.store.ts';
import { finalMessage } from '../messages/message-body.ts';
import type { NewCallback } from '../messages/new-callback.ts';
import type { AttemptRow, DeliveryRow } from '../schema/entities.ts';
import type { ClaimedDelivery } from '../sending/deliveries.store.ts';
import { deliveryQueue } from '../sending/delivery-queue.ts';
import { sendDelivery } from '../sending/send-delivery.ts';
import { startAttemptHarness } from './attempt-harness.ts';
import type { AttemptHarness } from './attempt-harness.ts';
import { botEndedWith } from './bot-events.ts';

/** A delivery to an address of a bot, with its message and the status of its last attempt. */
export interface CallbackRow extends DeliveryRow {
  readonly body: Buffer;
  readonly last_status: number | null;
}

/** The part of delivery that sends to addresses of bots. */
export interface CallbacksUnderTest extends AttemptHarness<ClaimedDelivery> {
  /** Secrets of bot-scheduler, by field; `away` makes it unreachable. */
  readonly scheduler: { readonly secrets: Map<string, string>; away: boolean };
  /** Stores a callback and returns its bot. */
  call(more: Partial<Omit<NewCallback, 'message'>> & Pick<NewCallback, 'url'>, teamId?: string): Promise<string>;
  row(botId: string): Promise<CallbackRow>;
  attempts(botId: string): Promise<AttemptRow[]>;
}

export async function startCallbacksUnderTest(): Promise<CallbacksUnderTest> {
  const scheduler = { secrets: new Map<string, string>(), away: false };
  const requestBotSecret = async ({ field }: { field: string }): Promise<string | null> => {
    if (scheduler.away) throw fail('UNAVAILABLE');
    return scheduler.secrets.get(field) ?? null;
  };
  const secrets = createEndpointSecrets(createSecretBox({ current: randomBytes(32).toString('base64') }));
  const harness = await startAttemptHarness<ClaimedDelivery>((ground) => ({
    queue: deliveryQueue(ground.database, createLogger('test', 'silent')),
    send: (delivery, signal) => sendDelivery({ ...ground, secrets, requestBotSecret }, delivery, signal),
    random: () => 0.5,
  }));
  const { clock, database } = harness;
  return {
    ...harness,
    scheduler,
    call: async (more, teamId = randomUUID()) => {
      const ended = botEndedWith(teamId, { botId: randomUUID() });
      const now = new Date(clock.now());
      const times = { createdAt: now.toISOString(), sentAt: now.toISOString() };
      const message = finalMessage(ended, times, null);
      const usual = { kind: 'callback', trigger: 'end', method: 'POST', secretField: null, previous: null } as const;
      const callback = { message, ownerId: ended.botId, ...usual, ...more };
      await database.transaction((transaction) => insertCallback(transaction, callback, now));
      return ended.botId;
    },
    row: async (botId) => {
      const rows = await database.query<CallbackRow>(
        `select d.*, m.body, a.status_code as last_status from deliveries d join messages m using (message_id)
           left join attempts a on a.delivery_id = d.delivery_id and a.number = d.attempts where m.bot_id = $1`,
        [botId],
      );
      return rows[0] as CallbackRow;
    },
    attempts: (botId) =>
      database.query<AttemptRow>(
        'select a.* from attempts a join deliveries d using (delivery_id) where d.bot_id = $1 order by number',
        [botId],
      ),
  };
}
