import { randomUUID } from 'node:crypto';
import { fail } from '@rapporteur/failures';
import { callbackDeliveryQueue } from '../callback-deliveries/callback-delivery-queue.ts';
import { insertCallbackDelivery } from '../callback-deliveries/callback-deliveries.store.ts';
import type { ClaimedCallbackDelivery } from '../callback-deliveries/callback-deliveries.store.ts';
import type { NewCallbackDelivery } from '../callback-deliveries/new-callback-delivery.ts';
import { sendCallbackDelivery } from '../callback-deliveries/send-callback-delivery.ts';
import { finalMessage } from '../messages/message-body.ts';
import type { CallbackAttemptRow, CallbackDeliveryRow } from '../schema/rows.ts';
import { startAttemptHarness } from './attempt-harness.ts';
import type { AttemptHarness } from './attempt-harness.ts';
import { botEndedWith } from './bot-events.ts';

/** The half of delivery that calls the bots' own addresses. */
export interface CallbackDeliveriesUnderTest extends AttemptHarness<ClaimedCallbackDelivery> {
  /** What bot-scheduler keeps, by field; `away` makes it unreachable. */
  readonly scheduler: { readonly secrets: Map<string, string>; away: boolean };
  /** Stores a call and gives its bot. */
  call(
    more: Partial<Omit<NewCallbackDelivery, 'message'>> & Pick<NewCallbackDelivery, 'url'>,
    teamId?: string,
  ): Promise<string>;
  row(botId: string): Promise<CallbackDeliveryRow>;
  attempts(botId: string): Promise<CallbackAttemptRow[]>;
}

export async function startCallbackDeliveriesUnderTest(): Promise<CallbackDeliveriesUnderTest> {
  const scheduler = { secrets: new Map<string, string>(), away: false };
  const requestBotSecret = async ({ field }: { field: string }): Promise<string | null> => {
    if (scheduler.away) throw fail('UNAVAILABLE');
    return scheduler.secrets.get(field) ?? null;
  };
  const harness = await startAttemptHarness<ClaimedCallbackDelivery>(({ database, clock, outbound, timeoutMs }) => ({
    queue: callbackDeliveryQueue(database),
    send: (call, signal) => sendCallbackDelivery({ outbound, requestBotSecret, clock, timeoutMs }, call, signal),
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
      const message = { ...finalMessage(ended, times, null), botId: ended.botId };
      const usual = { kind: 'callback', trigger: 'end', method: 'POST', secretField: null, previous: null } as const;
      const call = { message, ...usual, ...more };
      await database.transaction((transaction) => insertCallbackDelivery(transaction, call, now));
      return ended.botId;
    },
    row: async (botId) => {
      const rows = await database.query<CallbackDeliveryRow>('select * from calls where bot_id = $1', [botId]);
      return rows[0] as CallbackDeliveryRow;
    },
    attempts: (botId) =>
      database.query<CallbackAttemptRow>(
        'select a.* from call_attempts a join calls c using (call_id) where c.bot_id = $1 order by number',
        [botId],
      ),
  };
}
