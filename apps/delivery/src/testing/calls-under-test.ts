import { randomUUID } from 'node:crypto';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import { createLogger, createMetrics } from '@rapporteur/service-runtime';
import { FakeClock } from '@rapporteur/service-runtime/testing';
import { createTestDatabase } from '@rapporteur/testbed';
import { callQueue } from '../calls/call-queue.ts';
import { insertCall } from '../calls/calls.store.ts';
import type { ClaimedCall } from '../calls/calls.store.ts';
import type { NewCall } from '../calls/new-call.ts';
import { sendCall } from '../calls/send-call.ts';
import { finalMessage } from '../messages/message-body.ts';
import { openDeliveryDatabase } from '../schema/open-delivery-database.ts';
import type { CallAttemptRow, CallRow } from '../schema/rows.ts';
import { AttemptWorker } from '../sending/attempt-worker.ts';
import { botEndedWith } from './bot-events.ts';

const attemptTimeoutMs = 500;

/** The half of delivery that calls the bots' own addresses, on a clock that stands still. */
export interface CallsUnderTest {
  readonly clock: FakeClock;
  readonly database: Database;
  readonly worker: AttemptWorker<ClaimedCall>;
  /** What bot-scheduler keeps, by field; `away` makes it unreachable. */
  readonly scheduler: { readonly secrets: Map<string, string>; away: boolean };
  anotherWorker(): AttemptWorker<ClaimedCall>;
  /** Stores a call and gives its bot. */
  call(more: Partial<Omit<NewCall, 'message'>> & Pick<NewCall, 'url'>, teamId?: string): Promise<string>;
  /** Moves the clock, sends what is due then and waits until it is done. */
  after(ms: number): Promise<void>;
  row(botId: string): Promise<CallRow>;
  attempts(botId: string): Promise<CallAttemptRow[]>;
  stop(): Promise<void>;
}

export async function startCallsUnderTest(): Promise<CallsUnderTest> {
  const server = await createTestDatabase();
  const database = await openDeliveryDatabase(server.url, 10);
  const clock = new FakeClock(Date.UTC(2026, 10, 21));
  const outbound = createOutboundHttp({ allow: ['loopback'], requireHttps: false });
  const scheduler = { secrets: new Map<string, string>(), away: false };
  const askBotSecret = async ({ field }: { field: string }): Promise<string | null> => {
    if (scheduler.away) throw fail('UNAVAILABLE');
    return scheduler.secrets.get(field) ?? null;
  };
  const workers: AttemptWorker<ClaimedCall>[] = [];
  const newWorker = (): AttemptWorker<ClaimedCall> => {
    const worker = new AttemptWorker({
      queue: callQueue(database),
      clock,
      logger: createLogger('test', 'silent'),
      metrics: createMetrics('test'),
      send: (call: ClaimedCall, signal) =>
        sendCall({ outbound, askBotSecret, clock, timeoutMs: attemptTimeoutMs }, call, signal),
      concurrency: 50,
      laneConcurrency: 5,
      attemptTimeoutMs,
      pollMs: 1_000,
      random: () => 0.5,
    });
    workers.push(worker);
    return worker;
  };
  const worker = newWorker();
  return {
    clock,
    database,
    worker,
    scheduler,
    anotherWorker: newWorker,
    call: async (more, teamId = randomUUID()) => {
      const ended = botEndedWith(teamId, { botId: randomUUID() });
      const now = new Date(clock.now());
      const times = { createdAt: now.toISOString(), sentAt: now.toISOString() };
      const message = { ...finalMessage(ended, times, null), botId: ended.botId };
      const call = { message, kind: 'callback', occasion: 'end', method: 'POST', secretField: null, ...more } as const;
      await database.transaction((transaction) => insertCall(transaction, call, now));
      return ended.botId;
    },
    after: async (ms) => {
      await clock.advance(ms);
      while ((await worker.sweep()) > 0) await worker.idle();
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
    stop: async () => {
      await Promise.all(workers.map((each) => each.stop()));
      outbound.close();
      await database.close();
      await server.drop();
    },
  };
}
