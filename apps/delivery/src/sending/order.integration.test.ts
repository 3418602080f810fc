import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ok, startReceiver, status } from '@rapporteur/testbed/receiver';
import type { Receiver } from '@rapporteur/testbed/receiver';
import { startWorkerUnderTest } from '../testing/worker-under-test.ts';
import type { WorkerUnderTest } from '../testing/worker-under-test.ts';

let under: WorkerUnderTest;
let receiver: Receiver;
beforeEach(async () => {
  [under, receiver] = await Promise.all([startWorkerUnderTest(), startReceiver()]);
});
afterEach(async () => {
  await under.stop();
  await receiver.close();
});

const at = Date.UTC(2026, 10, 21, 9);
/** A status event of a bot without other events, except those in `previous`. */
const placed = (botId: string, sequence: number, previous: Record<string, number> = {}) => ({
  botId,
  sequence,
  order: {
    event: 'bot.status_change',
    sequence,
    at: new Date(at + sequence).toISOString(),
    previous: sequence === 1 ? previous : { 'bot.status_change': sequence - 1, ...previous },
  },
});
const bodies = () =>
  receiver.calls.map(({ body }) => JSON.parse(body.toString('utf8')) as { sequence: number; created_at: string });
const sequences = () => bodies().map(({ sequence }) => sequence);

describe('the events of one bot', () => {
  test('reach an endpoint in the order of their sequence, in whatever order they were stored', async () => {
    const { teamId } = await under.endpoint(receiver.url);
    const botId = randomUUID();
    for (const sequence of [4, 2, 5, 1, 3]) await under.message(teamId, placed(botId, sequence));
    await under.after(0);
    expect(bodies().map(({ sequence, created_at }) => [sequence, created_at])).toEqual(
      [1, 2, 3, 4, 5].map((sequence) => [sequence, new Date(at + sequence).toISOString()]),
    );
  });

  test('wait for one that is not stored yet, at most 10 seconds', async () => {
    const { teamId } = await under.endpoint(receiver.url);
    await under.message(teamId, placed(randomUUID(), 3));
    await under.after(9_999);
    expect(sequences()).toEqual([]);
    await under.after(1);
    expect(sequences()).toEqual([3]);
  });

  test('do not wait for what the endpoint is not subscribed to', async () => {
    const { teamId } = await under.endpoint(receiver.url);
    const botId = randomUUID();
    await under.message(teamId, placed(botId, 1));
    await under.message(teamId, placed(botId, 9, { 'bot.chat_message': 8, 'bot.status_change': 1 }));
    await under.after(0);
    expect(sequences()).toEqual([1, 9]);
  });

  test('wait for an attempt that is in progress, in every process, and overtake one that failed', async () => {
    const { teamId } = await under.endpoint(receiver.url);
    const [botId, other] = [randomUUID(), randomUUID()];
    const { promise, resolve } = Promise.withResolvers<void>();
    receiver.response((call, response, count) => {
      if (count > 1) return ok(call, response, count);
      void promise.then(() => status(500)(call, response, count));
    });
    await under.message(teamId, placed(botId, 1));
    await under.message(teamId, placed(botId, 2));
    expect(await under.worker.sweep()).toBe(1);
    expect([await under.worker.sweep(), await under.anotherWorker().sweep()]).toEqual([0, 0]);
    await under.message(teamId, placed(other, 1));
    expect(await under.worker.sweep()).toBe(1);
    resolve();
    await under.worker.idle();
    await under.after(0);
    expect(sequences()).toEqual([1, 1, 2]);
    await under.after(7_000);
    expect(sequences()).toEqual([1, 1, 2, 1]);
  });
});
