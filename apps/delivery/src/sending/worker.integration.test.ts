import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { Webhook } from 'standardwebhooks';
import { hang, ok, startReceiver, status } from '@rapporteur/testbed/receiver';
import type { Respond, Receiver } from '@rapporteur/testbed/receiver';
import { startWorkerUnderTest } from '../testing/worker-under-test.ts';
import type { WorkerUnderTest } from '../testing/worker-under-test.ts';
import { resendMessage } from '../messages/message-history.store.ts';
import { addDeliveries, replaceMessage } from '../messages/messages.store.ts';
import { claimDue, releaseLease } from './deliveries.store.ts';
import { attemptPausesMs } from './schedule.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
let under: WorkerUnderTest;
let receiver: Receiver;
beforeEach(async () => {
  [under, receiver] = await Promise.all([startWorkerUnderTest(), startReceiver()]);
});
afterEach(async () => {
  // Ends attempts to a receiver that hangs.
  await receiver.close();
  await under.stop();
});

/** The receiver responds to its first request when the result is called, to others at once. */
function holdFirst(): () => void {
  let release: () => void = () => undefined;
  receiver.response((_call, response, count) => {
    if (count === 1) release = () => void response.end('ok');
    else response.end('ok');
  });
  return () => release();
}

describe('a receiver that is down for three hours', () => {
  test('gets seven attempts on the schedule, the same id and bytes each time, and then no more', async () => {
    receiver.response(status(500));
    const { teamId, endpointId, secret } = await under.endpoint(receiver.url);
    const messageId = await under.message(teamId);
    for (const [index, pause] of attemptPausesMs.entries()) {
      const dueInMs =
        ((await under.delivery(endpointId, messageId)).next_attempt_at?.getTime() ?? 0) - under.clock.now();
      expect(dueInMs).toBeGreaterThanOrEqual(pause * 0.8);
      expect(dueInMs).toBeLessThanOrEqual(pause * 1.2);
      if (dueInMs > 0) await under.after(dueInMs - 1);
      expect(receiver.calls).toHaveLength(index);
      await under.after(dueInMs > 0 ? 1 : 0);
      expect(receiver.calls).toHaveLength(index + 1);
    }
    await under.after(day);
    expect(receiver.calls).toHaveLength(7);
    expect((await under.attempts(messageId)).map((attempt) => attempt.number)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(new Set(receiver.calls.map((call) => call.body.toString('hex'))).size).toBe(1);
    for (const { headers, body } of receiver.calls) {
      expect(headers['webhook-id']).toBe(messageId);
      const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
      expect(headers['webhook-signature']).toBe(new Webhook(secret).sign(messageId, at, body));
    }
    expect(await under.delivery(endpointId, messageId)).toMatchObject({ state: 'failed', attempts: 7 });
  });

  test('gets the message as soon as it is back, and nothing after that', async () => {
    receiver.response((call, response, count) => (count < 6 ? status(503) : ok)(call, response, count));
    const { teamId, endpointId } = await under.endpoint(receiver.url);
    const messageId = await under.message(teamId);
    for (const pause of [0, 7_000, 13_000, 6 * minute, 18 * minute, 36 * minute, 3 * 60 * minute, day])
      await under.after(pause);
    expect(receiver.calls).toHaveLength(6);
    expect(await under.delivery(endpointId, messageId)).toMatchObject({ state: 'succeeded', last_error: null });
    const outcomes = (await under.attempts(messageId)).map((attempt) => attempt.outcome);
    expect(outcomes).toEqual(['failed', 'failed', 'failed', 'failed', 'failed', 'succeeded']);
  });
});

describe('an event that is redelivered', () => {
  test('is not sent again once it was received', async () => {
    const { teamId, endpointId } = await under.endpoint(receiver.url);
    const botId = randomUUID();
    const messageId = await under.message(teamId, { botId });
    await under.after(0);
    expect(await under.message(teamId, { botId })).toBe(messageId);
    await under.after(0);
    expect(receiver.calls).toHaveLength(1);
    expect(await under.delivery(endpointId, messageId)).toMatchObject({ state: 'succeeded', attempts: 1 });
  });
});

describe('what does not count as received', () => {
  const late = /no complete response within 1 s/;
  test.each<[string, Respond, RegExp, number]>([
    ['a redirect', status(302, { location: 'http://127.0.0.1:1/' }), /responded with 302, a redirect/, 4_000],
    ['a client error', status(404), /responded with 404/, 4_000],
    ['too many requests', status(429), /responded with 429/, minute],
    ['no response in time', hang, late, minute],
    [
      'a response cut in the middle',
      (_call, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('half', () => response.socket?.destroy());
      },
      /closed before the response was complete/,
      4_000,
    ],
    [
      'a drop of body now and then',
      (_call, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write('.'), 50);
        response.on('close', () => clearInterval(timer));
      },
      late,
      minute,
    ],
    ['a Retry-After header', status(503, { 'retry-after': '300' }), /responded with 503/, 5 * minute],
  ])('%s', async (_what, reply, words, atLeastMs) => {
    if (words === late) under.attemptTimeout(500);
    receiver.response(reply);
    const { teamId, endpointId } = await under.endpoint(receiver.url);
    const messageId = await under.message(teamId);
    await under.after(0);
    under.attemptTimeout();
    const held = await under.delivery(endpointId, messageId);
    expect(held).toMatchObject({
      state: 'pending',
      attempts: 1,
      lease_id: null,
      last_error: expect.stringMatching(words),
    });
    expect((held.next_attempt_at?.getTime() ?? 0) - under.clock.now()).toBeGreaterThanOrEqual(atLeastMs);
    receiver.response(ok);
    await under.after(7 * minute);
    expect((await under.delivery(endpointId, messageId)).state).toBe('succeeded');
  });

  test('a response of any length counts by its status, and only its beginning is kept', async () => {
    receiver.response((_call, response) => void response.writeHead(200).end('x'.repeat(1_000_000)));
    const { teamId, endpointId } = await under.endpoint(receiver.url);
    const messageId = await under.message(teamId);
    await under.after(0);
    expect((await under.delivery(endpointId, messageId)).state).toBe('succeeded');
    expect((await under.attempts(messageId))[0]?.response_body?.byteLength).toBe(2_048);
  });

  test('a name that leads nowhere fails without saying how long finding out took', async () => {
    const { teamId } = await under.endpoint('http://10.255.0.1/');
    const messageId = await under.message(teamId);
    await under.after(0);
    expect((await under.attempts(messageId))[0]).toMatchObject({
      status_code: null,
      duration_ms: 0,
      error: expect.stringContaining('may not be called from here'),
    });
  });
});

describe('an endpoint that responds with 410', () => {
  test('is disabled; what was in progress and what comes is held, and sent once it is enabled', async () => {
    receiver.response(status(410));
    const { teamId, endpointId } = await under.endpoint(receiver.url);
    const [first, second] = [await under.message(teamId, 1), await under.message(teamId, 2)];
    await under.after(0);
    const later = await under.message(teamId, 3);
    expect(await under.endpoints.get(teamId, endpointId)).toMatchObject({ enabled: false, disabled_reason: 'gone' });
    for (const messageId of [first, second, later])
      expect(await under.delivery(endpointId, messageId)).toMatchObject({ state: 'held', next_attempt_at: null });
    const before = receiver.calls.length;
    await under.after(10 * day);
    expect(receiver.calls).toHaveLength(before);
    receiver.response(ok);
    await under.endpoints.update(teamId, endpointId, { enabled: true });
    await under.after(0);
    for (const messageId of [first, second, later])
      expect((await under.delivery(endpointId, messageId)).state).toBe('succeeded');
    expect(receiver.calls).toHaveLength(before + 3);
  });
});

describe('an endpoint that does nothing but fail', () => {
  const failOnce = async (teamId: string): Promise<string> => {
    const messageId = await under.message(teamId);
    await under.after(0);
    return messageId;
  };

  test('is disabled after five days, and its messages are held', async () => {
    receiver.response(status(500));
    const { teamId, endpointId } = await under.endpoint(receiver.url);
    await failOnce(teamId);
    await under.after(4.9 * day);
    await failOnce(teamId);
    expect((await under.endpoints.get(teamId, endpointId)).enabled).toBe(true);
    await under.clock.advance(0.2 * day);
    const last = await failOnce(teamId);
    expect(await under.endpoints.get(teamId, endpointId)).toMatchObject({ enabled: false, disabled_reason: 'failing' });
    expect((await under.delivery(endpointId, last)).state).toBe('held');
  });

  test('starts its five days anew with every success', async () => {
    const { teamId, endpointId } = await under.endpoint(receiver.url);
    for (let round = 0; round < 4; round += 1) {
      receiver.response(status(500));
      await failOnce(teamId);
      await under.clock.advance(4 * day);
      receiver.response(ok);
      await failOnce(teamId);
    }
    expect(await under.endpoints.get(teamId, endpointId)).toMatchObject({ enabled: true, failing_since: null });
  });
});

test('a message that gets new bytes during an attempt is sent again with them', async () => {
  const release = holdFirst();
  const { teamId, endpointId } = await under.endpoint(receiver.url);
  const messageId = await under.message(teamId);
  await under.worker.sweep();
  await waitFor(() => receiver.calls.length === 1, { what: 'the attempt' });
  const endpoints = [{ endpoint_id: endpointId, enabled: true }];
  const now = new Date(under.clock.now());
  await under.database.transaction(async (transaction) => {
    const body = Buffer.from('{"new":true}');
    const facts = {
      teamId,
      botId: randomUUID(),
      event: 'bot.completed',
      format: 'v2',
      keyField: null,
      order: null,
    } as const;
    await replaceMessage(transaction, { ...facts, messageId, body }, now);
    await addDeliveries(transaction, [{ messageId, teamId, endpoints }], now);
  });
  release();
  await under.worker.idle();
  await under.worker.sweep();
  await under.worker.idle();
  expect(receiver.calls.map(({ body }) => body.toString())[1]).toBe('{"new":true}');
  expect((await under.delivery(endpointId, messageId)).state).toBe('succeeded');
});

describe('three resends', () => {
  const resendThrice = async (teamId: string, messageId: string) => {
    for (let count = 1; count <= 3; count += 1)
      await resendMessage(under.database, { teamId, messageId }, null, new Date(under.clock.now()));
  };

  test('of a message that was received are three deliveries, however soon they follow each other', async () => {
    const { teamId, endpointId } = await under.endpoint(receiver.url);
    const messageId = await under.message(teamId);
    await under.after(0);
    await resendThrice(teamId, messageId);
    await under.after(0);
    expect(receiver.calls).toHaveLength(4);
    expect(await under.delivery(endpointId, messageId)).toMatchObject({ state: 'succeeded', attempts: 4, resends: 0 });
  });

  test('during an attempt follow it one after the other', async () => {
    const release = holdFirst();
    const { teamId, endpointId } = await under.endpoint(receiver.url);
    const messageId = await under.message(teamId);
    await under.worker.sweep();
    await waitFor(() => receiver.calls.length === 1, { what: 'the attempt' });
    await resendThrice(teamId, messageId);
    expect(await under.worker.sweep()).toBe(0);
    release();
    await under.worker.idle();
    await under.after(0);
    expect(receiver.calls).toHaveLength(4);
    expect(await under.delivery(endpointId, messageId)).toMatchObject({ state: 'succeeded', attempts: 4 });
  });

  test('to a disabled endpoint are held, and sent when it is enabled', async () => {
    const { teamId, endpointId } = await under.endpoint(receiver.url);
    const messageId = await under.message(teamId);
    await under.after(0);
    await under.endpoints.update(teamId, endpointId, { enabled: false });
    await resendThrice(teamId, messageId);
    await under.after(0);
    expect(receiver.calls).toHaveLength(1);
    await under.endpoints.update(teamId, endpointId, { enabled: true });
    await under.after(0);
    expect(receiver.calls).toHaveLength(4);
  });

  test('to a receiver that is down end with one schedule', async () => {
    receiver.response(status(500));
    const { teamId, endpointId } = await under.endpoint(receiver.url);
    const messageId = await under.message(teamId);
    await resendThrice(teamId, messageId);
    for (const pause of attemptPausesMs) await under.after(pause * 1.2);
    await under.after(day);
    expect(await under.delivery(endpointId, messageId)).toMatchObject({ state: 'failed', attempts: 7, resends: 0 });
  });
});

describe('an endpoint that is disabled on request', () => {
  test('keeps a success that was in progress, so that nothing is sent after it', async () => {
    let release: () => void = () => undefined;
    receiver.response((_call, response) => {
      release = () => void response.end('ok');
    });
    const { teamId, endpointId } = await under.endpoint(receiver.url);
    const messageId = await under.message(teamId);
    await under.worker.sweep();
    await waitFor(() => receiver.calls.length === 1, { what: 'the attempt' });
    await under.endpoints.update(teamId, endpointId, { enabled: false });
    expect((await under.delivery(endpointId, messageId)).state).toBe('held');
    release();
    await under.worker.idle();
    await under.endpoints.update(teamId, endpointId, { enabled: true });
    await under.after(day);
    expect((await under.delivery(endpointId, messageId)).state).toBe('succeeded');
    expect(receiver.calls).toHaveLength(1);
  });

  test('gets what was held on a fresh schedule once it is enabled', async () => {
    receiver.response(status(500));
    const { teamId, endpointId } = await under.endpoint(receiver.url);
    const messageId = await under.message(teamId);
    for (const pause of [0, 7_000, 13_000]) await under.after(pause);
    for (const enabled of [false, true]) await under.endpoints.update(teamId, endpointId, { enabled });
    await under.after(0);
    expect(receiver.calls).toHaveLength(4);
    const { next_attempt_at: dueAt } = await under.delivery(endpointId, messageId);
    const pauseMs = (dueAt?.getTime() ?? 0) - under.clock.now();
    expect(pauseMs).toBeGreaterThanOrEqual(4_000);
    expect(pauseMs).toBeLessThanOrEqual(6_000);
  });

  test('gets nothing it did not get before, when it is deleted while an attempt is in progress', async () => {
    let release: () => void = () => undefined;
    receiver.response((_call, response) => {
      release = () => void response.writeHead(500).end();
    });
    const { teamId, endpointId } = await under.endpoint(receiver.url);
    await under.message(teamId);
    await under.worker.sweep();
    await waitFor(() => receiver.calls.length === 1, { what: 'the attempt' });
    await under.endpoints.remove(teamId, endpointId);
    release();
    await under.worker.idle();
    await under.after(day);
    expect(receiver.calls).toHaveLength(1);
    expect(await under.database.query('select 1 from deliveries')).toEqual([]);
  });
});

describe('an endpoint that hangs', () => {
  test('holds up only itself, and has at most five attempts in progress', async () => {
    let [open, most] = [0, 0];
    const slow = await startReceiver((_call, response) => {
      open += 1;
      most = Math.max(most, open);
      response.on('close', () => (open -= 1));
    });
    const teamId = randomUUID();
    const hanging = await under.endpoint(slow.url, teamId);
    const good = await under.endpoint(receiver.url, teamId);
    const messages = [];
    for (let sequence = 1; sequence <= 40; sequence += 1) messages.push(await under.message(teamId, sequence));
    await under.worker.sweep();
    for (let round = 0; receiver.calls.length < 40 && round < 100; round += 1) {
      await waitFor(async () => (await under.worker.sweep()) > 0 || receiver.calls.length >= 40, {
        what: 'room for more',
      });
    }
    expect(receiver.calls).toHaveLength(40);
    expect(most).toBe(5);
    await slow.close();
    await under.worker.idle();
    for (const messageId of messages)
      expect((await under.delivery(good.endpointId, messageId)).state).toBe('succeeded');
    expect((await under.delivery(hanging.endpointId, messages[0] ?? '')).state).toBe('pending');
  });
});

describe('many endpoints that hang', () => {
  test('and failed before leave half of their team to others, and a place to the one that works', async () => {
    const slow = await startReceiver(hang);
    const teamId = randomUUID();
    for (let number = 1; number <= 30; number += 1) await under.endpoint(slow.url, teamId);
    const since = new Date(under.clock.now());
    await under.database.query('update webhook_endpoints set failing_since = $1 where team_id = $2', [since, teamId]);
    await under.message(teamId, 1);
    expect(await under.worker.sweep()).toBe(13);
    await under.endpoint(receiver.url, teamId);
    const messageId = await under.message(teamId, 2);
    expect(await under.worker.sweep()).toBe(1);
    await waitFor(() => receiver.calls.length === 1, { what: 'the message of the endpoint that works' });
    expect(receiver.calls[0]?.headers['webhook-id']).toBe(messageId);
    await slow.close();
  });

  test('leave half of all places to other teams', async () => {
    const slow = await startReceiver(hang);
    const teamId = randomUUID();
    for (let number = 1; number <= 10; number += 1) await under.endpoint(slow.url, teamId);
    for (let sequence = 1; sequence <= 6; sequence += 1) await under.message(teamId, sequence);
    expect(await under.worker.sweep()).toBe(25);
    const other = await under.endpoint(receiver.url);
    await under.message(other.teamId);
    expect(await under.worker.sweep()).toBe(1);
    await waitFor(() => receiver.calls.length === 1, { what: 'the message of the other team' });
    await slow.close();
  });

  test('give a free place to an endpoint that has none, however much older their messages are', async () => {
    const teamId = randomUUID();
    const hanging = [];
    for (let number = 1; number <= 10; number += 1)
      hanging.push((await under.endpoint('https://hang.example', teamId)).endpointId);
    for (let sequence = 1; sequence <= 60; sequence += 1) await under.message(teamId, sequence);
    await under.clock.advance(minute);
    const good = await under.endpoint(receiver.url, teamId);
    const messageId = await under.message(teamId, 100);
    const claimed = await claimDue(under.database, {
      nowMs: under.clock.now(),
      leaseMs: minute,
      total: 1,
      perPartition: 5,
      perTeam: 50,
      busy: new Map(hanging.map((endpointId, index) => [`${teamId} ${endpointId}`, index === 0 ? 4 : 5])),
    });
    expect(claimed.map((each) => [each.endpointId, each.messageId])).toEqual([[good.endpointId, messageId]]);
  });
});

describe('two instances', () => {
  test('never send the same message twice', async () => {
    const other = under.anotherWorker();
    const { teamId } = await under.endpoint(receiver.url);
    for (let sequence = 1; sequence <= 30; sequence += 1) await under.message(teamId, sequence);
    await waitFor(
      async () => {
        const [one, two] = await Promise.all([under.worker.sweep(), other.sweep()]);
        await Promise.all([under.worker.idle(), other.idle()]);
        return one + two === 0;
      },
      { what: 'both to find nothing more' },
    );
    expect(receiver.calls).toHaveLength(30);
    expect(new Set(receiver.calls.map((call) => call.headers['webhook-id'])).size).toBe(30);
  });

  test('together keep to five attempts in progress to one endpoint', async () => {
    const other = under.anotherWorker();
    const { teamId } = await under.endpoint(receiver.url);
    receiver.response(hang);
    for (let sequence = 1; sequence <= 12; sequence += 1) await under.message(teamId, sequence);
    expect(await under.worker.sweep()).toBe(5);
    expect(await other.sweep()).toBe(0);
    const stranger = await under.endpoint(receiver.url);
    await under.message(stranger.teamId);
    expect(await other.sweep()).toBe(1);
    await waitFor(() => receiver.calls.length === 6, { what: 'the attempts' });
  });

  test('give back nothing that the other one holds by now', async () => {
    const { teamId, endpointId } = await under.endpoint(receiver.url);
    const messageId = await under.message(teamId);
    const limits = { leaseMs: 1_000, total: 1, perPartition: 5, perTeam: 5, busy: new Map() };
    const claim = async () => (await claimDue(under.database, { ...limits, nowMs: under.clock.now() }))[0]!;
    const first = await claim();
    await under.clock.advance(1_000);
    const second = await claim();
    await releaseLease(under.database, first, under.clock.now());
    expect(await under.delivery(endpointId, messageId)).toMatchObject({ lease_id: second.leaseId });
  });

  test('take over what one of them left when it died in the middle of an attempt', async () => {
    const { teamId, endpointId } = await under.endpoint(receiver.url);
    const messageId = await under.message(teamId);
    receiver.response(hang);
    under.attemptTimeout(500);
    await under.worker.sweep();
    await waitFor(() => receiver.calls.length === 1, { what: 'the first attempt' });
    under.attemptTimeout();
    const other = under.anotherWorker();
    expect(await other.sweep()).toBe(0);
    // A lease lasts twice the attempt timeout.
    await under.clock.advance(1_000);
    receiver.response(ok);
    expect(await other.sweep()).toBe(1);
    await other.idle();
    expect((await under.delivery(endpointId, messageId)).state).toBe('succeeded');
    await under.worker.idle();
    // The late failure of the first attempt changes nothing.
    expect((await under.delivery(endpointId, messageId)).state).toBe('succeeded');
    expect(receiver.calls[1]?.body.equals(receiver.calls[0]?.body ?? Buffer.alloc(0))).toBe(true);
    expect((await under.attempts(messageId)).map((attempt) => attempt.outcome).sort()).toEqual(['failed', 'succeeded']);
  });
});

describe('stopping', () => {
  test('waits for an attempt in progress and writes down its result', async () => {
    let release: () => void = () => undefined;
    receiver.response((_call, response) => {
      release = () => void response.end('ok');
    });
    const { teamId, endpointId } = await under.endpoint(receiver.url);
    const messageId = await under.message(teamId);
    under.worker.start();
    await waitFor(() => receiver.calls.length === 1, { what: 'the attempt' });
    const stopped = under.worker.stop();
    release();
    await stopped;
    await under.worker.stop();
    expect((await under.delivery(endpointId, messageId)).state).toBe('succeeded');
  });
});
