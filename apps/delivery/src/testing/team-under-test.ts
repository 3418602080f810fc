import { randomUUID } from 'node:crypto';
import { waitFor } from '@rapporteur/testbed';
import { startDeliveryUnderTest, startSurroundings } from './delivery-under-test.ts';
import type { Api, Surroundings } from './delivery-under-test.ts';
import { startReceiver } from '@rapporteur/testbed/receiver';
import type { ReceivedCall, Receiver } from '@rapporteur/testbed/receiver';

/** Delivery with its dependencies, and a new team with one receiver for each test. */
export interface TeamUnderTest {
  readonly surroundings: Surroundings;
  readonly delivery: { readonly url: string };
  readonly teamId: string;
  readonly api: Api;
  readonly receiver: Receiver;
  /** Resolves once the receiver got that many calls. */
  calls(count: number): Promise<ReceivedCall[]>;
  messagesOf(endpointId: string): Promise<Record<string, unknown>[]>;
  /** Resolves once an endpoint has that many messages and none is pending. */
  settled(endpointId: string, count: number): Promise<Record<string, unknown>[]>;
  /** Resolves once these events are handled. */
  handled(...eventIds: readonly string[]): Promise<unknown>;
}

export interface TeamStage {
  /** A new team; closes the receiver of the previous one. */
  next(): Promise<TeamUnderTest>;
  stop(): Promise<void>;
}

export async function startTeamStage(): Promise<TeamStage> {
  const surroundings = await startSurroundings();
  const delivery = await startDeliveryUnderTest(surroundings);
  let last: Receiver | undefined;
  return {
    next: async () => {
      await last?.close();
      last = await startReceiver();
      surroundings.storage.requested = 0;
      return newTeam(surroundings, delivery, last);
    },
    stop: async () => {
      await last?.close();
      await delivery.stop();
      await surroundings.stop();
    },
  };
}

function newTeam(surroundings: Surroundings, delivery: { readonly url: string }, receiver: Receiver): TeamUnderTest {
  const teamId = randomUUID();
  const api = surroundings.api(delivery.url, teamId);
  const messagesOf = async (endpointId: string): Promise<Record<string, unknown>[]> =>
    (await api.call('GET', `/endpoints/${endpointId}/messages`)).body['data'] as Record<string, unknown>[];
  return {
    surroundings,
    delivery,
    teamId,
    api,
    receiver,
    messagesOf,
    calls: (count) =>
      waitFor(() => (receiver.calls.length >= count ? receiver.calls : null), { what: `${count} calls` }),
    settled: (endpointId, count) =>
      waitFor(
        async () => {
          const messages = await messagesOf(endpointId);
          const done = messages.length === count && messages.every((message) => message['state'] !== 'pending');
          return done ? messages : null;
        },
        { what: `${count} settled messages` },
      ),
    handled: (...eventIds) =>
      waitFor(
        async () => {
          const found = await surroundings.database.query('select 1 from inbox where event_id = any($1)', [eventIds]);
          return found.length === eventIds.length;
        },
        { what: 'the events to be handled' },
      ),
  };
}

export function bodyOf(call: ReceivedCall | undefined): Record<string, unknown> {
  return JSON.parse(String(call?.body)) as Record<string, unknown>;
}
