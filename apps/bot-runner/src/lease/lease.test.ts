import { describe, expect, test } from '@jest/globals';
import type { CommandResult, LiveView } from '@rapporteur/contracts';
import { FakeClock } from '@rapporteur/async/testing';
import { quietLogger } from '../testing/quiet-logger.ts';
import { Lease } from './lease.ts';

interface ServiceResponse {
  held: boolean;
  appliedSequence: number;
  leaveRequested: boolean;
  commands?: unknown[];
  displaced?: boolean;
  replaced?: boolean;
}

async function setUp(response: (subject: string) => ServiceResponse | Error) {
  const clock = new FakeClock();
  const events: string[] = [];
  const requests: unknown[] = [];
  const results: CommandResult[] = [];
  let late = false;
  let notify: (body: unknown) => void = () => undefined;
  let live: LiveView | null = null;
  const lease = new Lease({
    identity: { botId: 'b', attempt: 2, fencing: 7 },
    bus: {
      request: async (subject, body, { timeoutMs }) => {
        requests.push(body);
        const responded = response(subject);
        if (responded instanceof Error) await clock.sleep(timeoutMs);
        if (responded instanceof Error) throw responded;
        return responded;
      },
      onNotification: (_subject, listener) => {
        notify = listener;
        return { stop: async () => undefined };
      },
    },
    results: () => results,
    late: () => late,
    live: { wanted: () => events.push('live view'), take: () => [live, (live = null)][0] ?? null },
    renewEveryMs: 3_000,
    lostAfterMs: 9_000,
    clock,
    logger: quietLogger,
    listener: {
      applied: (sequence) => events.push(`applied ${sequence}`),
      leaveRequested: () => events.push('leave'),
      commands: (commands) => commands.length > 0 && events.push(`commands ${JSON.stringify(commands)}`),
      displaced: () => events.push('displaced'),
      replaced: () => events.push('replaced'),
      lost: (why) => events.push(`lost: ${why}`),
    },
  });
  lease.start();
  await clock.advance(0);
  return {
    clock,
    events,
    requests,
    results,
    lease,
    notify: (body: unknown = null) => notify(body),
    show: (view: LiveView) => (live = view),
    setLate: (isLate: boolean) => (late = isLate),
  };
}

const held = (more: Partial<ServiceResponse> = {}): ServiceResponse => ({
  held: true,
  appliedSequence: 0,
  leaveRequested: false,
  ...more,
});

describe('Lease', () => {
  test('sends a live view once, when it was requested', async () => {
    const { clock, events, requests, notify, show, lease } = await setUp(() => held());
    notify({ live: true });
    await clock.advance(0);
    expect(events).toEqual(['applied 0', 'live view']);
    expect(requests).toHaveLength(1);
    const view = { at: '2031-05-04T09:30:00.000Z', speaking: ['Ada'], transcript: [], chat: [], screenshot: null };
    show(view);
    lease.renewNow();
    await clock.advance(0);
    await clock.advance(3_000);
    expect(requests.slice(1)).toMatchObject([{ live: view }, { results: [] }]);
    expect(requests[2]).not.toHaveProperty('live');
    await lease.stop();
  });

  test('states with each renewal that the machine of the run is late, only while it is', async () => {
    const { clock, requests, setLate, lease } = await setUp(() => held());
    setLate(true);
    await clock.advance(6_000);
    setLate(false);
    await clock.advance(3_000);
    expect(requests.map((request) => (request as { late?: boolean }).late)).toEqual([undefined, true, true, undefined]);
    await lease.stop();
  });

  test('reports that another run is to take its place, and that it has', async () => {
    const responses = [held(), held({ displaced: true }), held({ displaced: true, replaced: true })];
    const { clock, events } = await setUp(() => responses.shift() ?? held());
    await clock.advance(3_000);
    expect(events).toEqual(['applied 0', 'applied 0', 'displaced']);
    await clock.advance(3_000);
    expect(events.slice(3)).toEqual(['applied 0', 'displaced', 'replaced']);
  });

  test('is renewed at once and then at every beat, naming attempt and fencing number', async () => {
    const { clock, requests, lease } = await setUp(() => held());
    expect(requests).toEqual([{ botId: 'b', attempt: 2, fencing: 7, results: [] }]);
    await clock.advance(6_000);
    expect(requests).toHaveLength(3);
    await lease.stop();
  });

  test('without a response within a second it is requested of every instance at once, and held by the response', async () => {
    const { clock, events, requests, lease } = await setUp((subject) =>
      subject === 'bot-control.v1.lease.b' ? new Error('no response') : held(),
    );
    await clock.advance(999);
    expect(requests).toHaveLength(1);
    await clock.advance(1);
    expect(requests).toHaveLength(2);
    await clock.advance(60_000);
    expect(events.filter((line) => line.startsWith('lost'))).toEqual([]);
    await lease.stop();
  });

  test('without a response of any instance it is requested again after a second', async () => {
    const { clock, requests, lease } = await setUp(() => new Error('no response'));
    await clock.advance(1_000 + 3_000);
    expect(requests).toHaveLength(2);
    await clock.advance(1_000);
    expect(requests).toHaveLength(3);
    await clock.advance(4_000);
    await lease.stop();
  });

  test('the doorbell renews it without waiting for the beat', async () => {
    const { clock, requests, lease, notify } = await setUp(() => held());
    await clock.advance(100);
    notify();
    await clock.advance(0);
    expect(requests).toHaveLength(2);
    await lease.stop();
  });

  test('says what is applied each time, and that the bot should leave once', async () => {
    const { clock, events, lease } = await setUp(() => held({ appliedSequence: 4, leaveRequested: true }));
    await clock.advance(3_000);
    expect(events).toEqual(['applied 4', 'leave', 'applied 4']);
    await lease.stop();
  });

  test('hands over commands as they come, also of a kind that is not known, and takes results along', async () => {
    const commands = [{ id: 'x', kind: 'sing' }];
    const { clock, events, requests, results, lease } = await setUp(() => held({ commands }));
    expect(events).toEqual(['applied 0', `commands ${JSON.stringify(commands)}`]);
    results.push({ id: 'x', outcome: 'failed', message: 'No.' });
    lease.renewNow();
    await clock.advance(0);
    expect(requests.at(-1)).toMatchObject({ results });
    await lease.stop();
  });

  test('is lost at once when the scheduler says so, and never asks again', async () => {
    const { clock, events, requests, lease } = await setUp(() => held({ held: false, leaveRequested: true }));
    await clock.advance(60_000);
    expect(events).toEqual([expect.stringMatching(/^lost: the scheduler gave the bot/)]);
    expect(requests).toHaveLength(1);
    expect(lease.isLost).toBe(true);
    await lease.stop();
  });

  test('is lost when the scheduler has been silent for too long, not before', async () => {
    const { clock, events, lease } = await setUp(() => new Error('no response'));
    await clock.advance(8_900);
    expect(events).toEqual([]);
    await clock.advance(200);
    expect(events).toEqual([expect.stringMatching(/^lost: the scheduler did not respond/)]);
    await lease.stop();
  });

  test('is not lost by silence once all is written, but still when the scheduler says so', async () => {
    let silent = true;
    const { clock, events, lease } = await setUp(() => (silent ? new Error('no response') : held({ held: false })));
    lease.outlastDisconnection();
    await clock.advance(60_000);
    expect([events, lease.isLost]).toEqual([[], false]);
    silent = false;
    await clock.advance(3_000);
    expect(lease.isLost).toBe(true);
    await lease.stop();
  });

  test('one response in time keeps it, however many were missed before', async () => {
    let silent = true;
    const { clock, events, lease } = await setUp(() => (silent ? new Error('no response') : held()));
    await clock.advance(4_500);
    silent = false;
    await clock.advance(3_000);
    silent = true;
    await clock.advance(6_000);
    expect(events.filter((line) => line.startsWith('lost'))).toEqual([]);
    const stopped = lease.stop();
    // A request is still waiting for its response.
    await clock.advance(4_000);
    await stopped;
  });

  test('a response that does not fit the contract counts as none', async () => {
    const { clock, events, lease } = await setUp(() => ({ held: 'yes' }) as unknown as ServiceResponse);
    await clock.advance(9_000);
    expect(events).toEqual([expect.stringMatching(/^lost: the scheduler did not respond/)]);
    await lease.stop();
  });
});
