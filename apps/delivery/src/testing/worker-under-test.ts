import { randomBytes, randomUUID } from 'node:crypto';
import { createSecretBox } from '@rapporteur/secret-box';
import { createLogger } from '@rapporteur/service-runtime';
import { createEndpointSecrets } from '../endpoints/endpoint-secrets.ts';
import { createEndpoints } from '../endpoints/endpoints.store.ts';
import type { Endpoints } from '../endpoints/endpoints.store.ts';
import { statusMessage } from '../messages/message-body.ts';
import type { StatusChanged } from '../messages/message-body.ts';
import { storeMessages } from '../messages/messages.store.ts';
import type { AttemptRow, DeliveryRow } from '../schema/entities.ts';
import type { ClaimedDelivery } from '../sending/deliveries.store.ts';
import { deliveryQueue } from '../sending/delivery-queue.ts';
import { sendDelivery } from '../sending/send-delivery.ts';
import { startAttemptHarness } from './attempt-harness.ts';
import type { AttemptHarness } from './attempt-harness.ts';
import { statusChanged } from './bot-events.ts';

/** The part of delivery that sends to endpoints. */
export interface WorkerUnderTest extends AttemptHarness<ClaimedDelivery> {
  readonly endpoints: Endpoints;
  /** A new team with one endpoint. */
  endpoint(url: string, teamId?: string): Promise<{ teamId: string; endpointId: string; secret: string }>;
  /** Stores one message of a team and returns its id. */
  message(teamId: string, more?: number | Partial<StatusChanged>): Promise<string>;
  delivery(endpointId: string, messageId: string): Promise<DeliveryRow>;
  attempts(messageId: string): Promise<AttemptRow[]>;
}

export async function startWorkerUnderTest(): Promise<WorkerUnderTest> {
  const secrets = createEndpointSecrets(createSecretBox({ current: randomBytes(32).toString('base64') }));
  const requestBotSecret = (): Promise<null> => Promise.resolve(null);
  const harness = await startAttemptHarness<ClaimedDelivery>((ground) => ({
    queue: deliveryQueue(ground.database, createLogger('test', 'silent')),
    send: (delivery, signal) => sendDelivery({ ...ground, secrets, requestBotSecret }, delivery, signal),
  }));
  const { clock, database } = harness;
  const endpoints = createEndpoints(database, secrets, () => clock.now());
  return {
    ...harness,
    endpoints,
    endpoint: async (url, teamId = randomUUID()) => {
      const wanted = {
        url,
        name: null,
        events: ['bot.status_change'],
        enabled: true,
        format: 'v2' as const,
        headers: null,
      };
      const { endpoint, secret } = await endpoints.create(teamId, wanted);
      return { teamId, endpointId: endpoint.endpoint_id, secret };
    },
    message: async (teamId, more = 1) => {
      const now = new Date(clock.now());
      const change = statusChanged(teamId, typeof more === 'number' ? { sequence: more } : more);
      const message = statusMessage(change, now.toISOString());
      await database.transaction((transaction) => storeMessages(transaction, [message], now));
      return message.messageId;
    },
    delivery: async (endpointId, messageId) => {
      const rows = await database.query<DeliveryRow>(
        'select * from deliveries where endpoint_id = $1 and message_id = $2',
        [endpointId, messageId],
      );
      return rows[0] as DeliveryRow;
    },
    attempts: (messageId) =>
      database.query<AttemptRow>(
        'select a.* from attempts a join deliveries using (delivery_id) where message_id = $1 order by number',
        [messageId],
      ),
  };
}
