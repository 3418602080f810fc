import { randomUUID } from 'node:crypto';
import { fail } from '@rapporteur/failures';
import { callQueue } from '../calls/call-queue.ts';
import { insertCall } from '../calls/calls.store.ts';
import type { ClaimedCall } from '../calls/calls.store.ts';
import type { NewCall } from '../calls/new-call.ts';
import { sendCall } from '../calls/send-call.ts';
import { finalMessage } from '../messages/message-body.ts';
import type { CallAttemptRow, CallRow } from '../schema/rows.ts';
import { startAttemptRig } from './attempt-rig.ts';
import type { AttemptRig } from './attempt-rig.ts';
import { botEndedWith } from './bot-events.ts';

/** The half of delivery that calls the bots' own addresses. */
export interface CallsUnderTest extends AttemptRig<ClaimedCall> {
  /** What bot-scheduler keeps, by field; `away` makes it unreachable. */
  readonly scheduler: { readonly secrets: Map<string, string>; away: boolean };
  /** Stores a call and gives its bot. */
  call(more: Partial<Omit<NewCall, 'message'>> & Pick<NewCall, 'url'>, teamId?: string): Promise<string>;
  row(botId: string): Promise<CallRow>;
  attempts(botId: string): Promise<CallAttemptRow[]>;
}

export async function startCallsUnderTest(): Promise<CallsUnderTest> {
  const scheduler = { secrets: new Map<string, string>(), away: false };
  const askBotSecret = async ({ field }: { field: string }): Promise<string | null> => {
    if (scheduler.away) throw fail('UNAVAILABLE');
    return scheduler.secrets.get(field) ?? null;
  };
  const rig = await startAttemptRig<ClaimedCall>(({ database, clock, outbound, timeoutMs }) => ({
    queue: callQueue(database),
    send: (call, signal) => sendCall({ outbound, askBotSecret, clock, timeoutMs }, call, signal),
    random: () => 0.5,
  }));
  const { clock, database } = rig;
  return {
    ...rig,
    scheduler,
    call: async (more, teamId = randomUUID()) => {
      const ended = botEndedWith(teamId, { botId: randomUUID() });
      const now = new Date(clock.now());
      const times = { createdAt: now.toISOString(), sentAt: now.toISOString() };
      const message = { ...finalMessage(ended, times, null), botId: ended.botId };
      const usual = { kind: 'callback', occasion: 'end', method: 'POST', secretField: null, previous: null } as const;
      const call = { message, ...usual, ...more };
      await database.transaction((transaction) => insertCall(transaction, call, now));
      return ended.botId;
    },
    row: async (botId) => {
      const rows = await database.query<CallRow>('select * from calls where bot_id = $1', [botId]);
      return rows[0] as CallRow;
    },
    attempts: (botId) =>
      database.query<CallAttemptRow>(
        'select a.* from call_attempts a join calls c using (call_id) where c.bot_id = $1 order by number',
        [botId],
      ),
  };
}
