import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { Webhook } from 'standardwebhooks';
import { startCallbacksUnderTest } from '../testing/callbacks-under-test.ts';
import type { CallbacksUnderTest } from '../testing/callbacks-under-test.ts';
import { hang, ok, startReceiver, status } from '@rapporteur/testbed/receiver';
import type { Respond, Receiver } from '@rapporteur/testbed/receiver';
import { attemptPausesMs } from './schedule.ts';
import { callbackPausesMs } from './delivery-queue.ts';

const hour = 3_600_000;
let under: CallbacksUnderTest;
let receiver: Receiver;
beforeEach(async () => {
  [under, receiver] = await Promise.all([startCallbacksUnderTest(), startReceiver()]);
});
afterEach(async () => {
  // Ends attempts to a receiver that hangs.
  await receiver.close();
  await under.stop();
});

describe('a callback', () => {
  test('is attempted at once, after 1, 5 and 15 s, and then on the schedule of webhooks, the same bytes each time', async () => {
    receiver.response(status(500));
    const botId = await under.call({ url: receiver.url });
    for (const [index, pause] of callbackPausesMs.entries()) {
      if (pause > 0) await under.after(pause - 1);
      expect(receiver.calls).toHaveLength(index);
      await under.after(pause > 0 ? 1 : 0);
      expect(receiver.calls).toHaveLength(index + 1);
    }
    await under.after(24 * hour);
    expect(callbackPausesMs).toEqual([0, 1_000, 5_000, 15_000, 300_000, 900_000, 1_800_000, 7_200_000]);
    expect(receiver.calls).toHaveLength(8);
    expect(new Set(receiver.calls.map((call) => call.body.toString('hex'))).size).toBe(1);
    expect(new Set(receiver.calls.map((call) => call.headers['webhook-id'])).size).toBe(1);
    expect((await under.attempts(botId)).map(({ number, status_code }) => [number, status_code])).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((number) => [number, 500]),
    );
    expect(await under.row(botId)).toMatchObject({
      state: 'failed',
      last_status: 500,
      last_error: 'The callback responded with 500. Only a 2xx response counts as received.',
    });
  });

  test.each<[string, Respond]>([
    ['a wrong request', status(400)],
    ['too many requests', status(429)],
    ['a redirect', status(307, { location: 'http://127.0.0.1:1/' })],
  ])('is not made again after %s', async (_what, reply) => {
    receiver.response(reply);
    const botId = await under.call({ url: receiver.url });
    await under.after(0);
    await under.after(hour);
    expect(receiver.calls).toHaveLength(1);
    expect((await under.row(botId)).state).toBe('failed');
  });

  test.each<[string, Respond]>([
    ['no response in time', hang],
    ['a connection that breaks', (_call, response) => void response.socket?.destroy()],
  ])('is made again after %s', async (_what, reply) => {
    receiver.response((call, response, count) => (count === 1 ? reply : ok)(call, response, count));
    if (reply === hang) under.attemptTimeout(500);
    const botId = await under.call({ url: receiver.url });
    await under.after(0);
    under.attemptTimeout();
    expect(await under.row(botId)).toMatchObject({ state: 'pending', last_status: null });
    await under.after(1_000);
    expect(await under.row(botId)).toMatchObject({ state: 'succeeded', last_error: null, tries: 2 });
  });

  test('never reaches an address inside', async () => {
    const botId = await under.call({ url: 'http://10.255.0.1/' });
    for (const pause of callbackPausesMs) await under.after(pause);
    expect(await under.row(botId)).toMatchObject({
      state: 'failed',
      tries: 8,
      last_error: expect.stringContaining('may not be called from here'),
    });
  });
});

describe("a callback's secret", () => {
  const secret = 'canary-of-the-callback';
  const wanted = () => ({ url: receiver.url, secretField: 'callback_secret' });
  beforeEach(() => void under.scheduler.secrets.set('callback_secret', secret));

  test('goes out in its header and signs the body, and is nowhere in the database', async () => {
    receiver.response((call, response) => void response.writeHead(200).end(String(call.headers['x-service-secret'])));
    const botId = await under.call({ ...wanted(), method: 'PUT' });
    await under.after(0);
    const [call] = receiver.calls;
    expect(call?.method).toBe('PUT');
    expect(call?.headers['x-service-secret']).toBe(secret);
    // The receiver's clock decides about expiry; here it is the clock of the test.
    const at = new Date(Number(call?.headers['webhook-timestamp']) * 1_000);
    const expected = new Webhook(secret, { format: 'raw' }).sign(
      String(call?.headers['webhook-id']),
      at,
      String(call?.body),
    );
    expect(call?.headers['webhook-signature']).toBe(expected);
    const rows = [await under.row(botId), await under.attempts(botId)];
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect((await under.row(botId)).body.includes(secret)).toBe(false);
  });

  test('is waited for while it is not available; the callback never goes out without it', async () => {
    under.scheduler.away = true;
    const botId = await under.call(wanted());
    await under.after(0);
    await under.after(10_000);
    expect(receiver.calls).toHaveLength(0);
    expect(await under.row(botId)).toMatchObject({ state: 'pending', tries: 0 });
    under.scheduler.away = false;
    await under.after(10_000);
    expect(receiver.calls.map((call) => call.headers['x-service-secret'])).toEqual([secret]);
    expect((await under.row(botId)).state).toBe('succeeded');
  });

  test('that is not kept any more ends the callback, and reports it', async () => {
    under.scheduler.secrets.clear();
    const botId = await under.call(wanted());
    await under.after(0);
    await under.after(hour);
    expect(receiver.calls).toHaveLength(0);
    expect(await under.row(botId)).toMatchObject({
      state: 'failed',
      tries: 1,
      last_error: expect.stringContaining('not kept any more'),
    });
  });
});

describe("a legacy bot's own address", () => {
  const wanted = () => ({ url: receiver.url, kind: 'legacy' as const, secretField: 'legacy_api_key' });

  test('gets the schedule of webhooks', async () => {
    receiver.response(status(500));
    const botId = await under.call(wanted());
    for (const pause of attemptPausesMs) await under.after(pause);
    await under.after(24 * hour);
    expect(receiver.calls).toHaveLength(7);
    expect(await under.row(botId)).toMatchObject({ state: 'failed', tries: 7 });
  });

  test('is left alone once it says it is gone', async () => {
    receiver.response(status(410));
    const botId = await under.call(wanted());
    await under.after(0);
    await under.after(24 * hour);
    expect(receiver.calls).toHaveLength(1);
    expect((await under.row(botId)).state).toBe('failed');
  });

  test('gets the API key its bot was made with, or no such header', async () => {
    under.scheduler.secrets.set('legacy_api_key', 'canary-of-the-key');
    await under.call(wanted());
    await under.after(0);
    under.scheduler.secrets.clear();
    await under.call(wanted());
    await under.after(0);
    expect(receiver.calls.map((call) => call.headers['x-service-api-key'])).toEqual(['canary-of-the-key', undefined]);
    expect(receiver.calls.map((call) => call.headers['webhook-signature'])).toEqual([undefined, undefined]);
  });
});

describe('two instances', () => {
  test('together keep to five attempts in progress to one receiver, and make every call once', async () => {
    const other = under.anotherWorker();
    const teamId = randomUUID();
    receiver.response(hang);
    under.attemptTimeout(500);
    for (let count = 0; count < 12; count += 1) await under.call({ url: `${receiver.url}/${count}` }, teamId);
    expect(await under.worker.sweep()).toBe(5);
    expect(await other.sweep()).toBe(0);
    await waitFor(() => receiver.calls.length === 5, { what: 'the first five' });
    receiver.response(ok);
    under.attemptTimeout();
    await Promise.all([under.worker.idle(), other.idle()]);
    await under.clock.advance(2_000);
    await waitFor(
      async () => {
        const started = [await other.sweep(), await under.worker.sweep()];
        await Promise.all([under.worker.idle(), other.idle()]);
        return started.every((count) => count === 0);
      },
      { what: 'both to find nothing more' },
    );
    const states = await under.database.query('select state from deliveries');
    expect(states).toEqual(Array.from({ length: 12 }, () => ({ state: 'succeeded' })));
    // Five that timed out and were repeated, and seven that were made once.
    expect(receiver.calls).toHaveLength(17);
  });
});

describe('addresses that hang', () => {
  test('of one team leave half of all places to other teams', async () => {
    const teamId = randomUUID();
    // A refused connection would free a place.
    const hanging = await startReceiver(hang, '0.0.0.0');
    const { port } = new URL(hanging.url);
    for (let number = 0; number < 60; number += 1)
      await under.call({ url: `http://127.0.0.${1 + (number % 12)}:${port}/` }, teamId);
    expect(await under.worker.sweep()).toBe(25);
    await under.call({ url: receiver.url });
    expect(await under.worker.sweep()).toBe(1);
    await hanging.close();
  });
});
