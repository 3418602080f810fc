import { describe, expect, test } from '@jest/globals';
import type { RunnerReport } from '@rapporteur/contracts';
import { FakeClock } from '@rapporteur/async/testing';
import { quietLogger } from '../testing/quiet-logger.ts';
import { Reporter } from './reporter.ts';

const botId = '6f1f7cf8-5f60-4a43-9a0e-0f6f6c6f7a01';

function setUp() {
  const clock = new FakeClock();
  const sent: number[] = [];
  const spooled: RunnerReport[] = [];
  const bus = { down: false };
  const reporter = new Reporter({
    identity: { botId, attempt: 1, fencing: 3 },
    bus: {
      publish: async (subject, message) => {
        expect(subject).toBe(`runners.v1.report.${botId}`);
        if (bus.down) throw new Error('bus away');
        sent.push((message as RunnerReport).sequence);
      },
    },
    spool: { append: (report) => spooled.push(report), flush: async () => undefined },
    clock,
    logger: quietLogger,
    resendAfterMs: 4_000,
  });
  reporter.start();
  return { clock, sent, spooled, bus, reporter };
}

describe('Reporter', () => {
  test('numbers reports from 1 without gaps and sends them in order', async () => {
    const { clock, sent, spooled, reporter } = setUp();
    reporter.report({ kind: 'status', code: 'joining_call' });
    reporter.report({ kind: 'status', code: 'in_waiting_room' });
    await clock.advance(0);
    reporter.report({ kind: 'status', code: 'in_call_not_recording' });
    await clock.advance(0);
    expect(sent).toEqual([1, 2, 3]);
    expect(spooled[2]).toMatchObject({ botId, attempt: 1, fencing: 3, sequence: 3, code: 'in_call_not_recording' });
    await reporter.stop();
  });

  test('sends what is not applied again, and only that', async () => {
    const { clock, sent, reporter } = setUp();
    reporter.report({ kind: 'status', code: 'joining_call' });
    reporter.report({ kind: 'status', code: 'in_waiting_room' });
    await clock.advance(0);
    reporter.applied(1);
    await clock.advance(4_100);
    expect(sent).toEqual([1, 2, 2]);
    reporter.applied(2);
    await clock.advance(20_000);
    expect(sent).toEqual([1, 2, 2]);
    expect(reporter.unapplied).toBe(0);
    await reporter.stop();
  });

  test('sends what stays unapplied ever more rarely', async () => {
    const { clock, sent, reporter } = setUp();
    reporter.report({ kind: 'status', code: 'joining_call' });
    await clock.advance(0);
    for (let second = 0; second < 120; second += 1) await clock.advance(1_000);
    expect(sent.length).toBeGreaterThanOrEqual(5);
    expect(sent.length).toBeLessThanOrEqual(7);
    await reporter.stop();
  });

  test('keeps everything while the bus is away and sends it in order afterwards', async () => {
    const { clock, sent, bus, reporter } = setUp();
    bus.down = true;
    reporter.report({ kind: 'status', code: 'joining_call' });
    reporter.report({ kind: 'status', code: 'in_waiting_room' });
    await clock.advance(3_000);
    expect(sent).toEqual([]);
    expect(reporter.allSent).toBe(false);
    bus.down = false;
    await clock.advance(1_000);
    expect(sent).toEqual([1, 2]);
    expect(reporter.allSent).toBe(true);
    await reporter.stop();
  });

  test('knows what is applied, and how far it has numbered', async () => {
    const { clock, reporter } = setUp();
    reporter.report({ kind: 'status', code: 'joining_call' });
    reporter.report({ kind: 'status', code: 'in_waiting_room' });
    await clock.advance(0);
    reporter.applied(1);
    expect([reporter.sequence, reporter.isApplied(1), reporter.isApplied(2)]).toEqual([2, true, false]);
    await reporter.stop();
  });

  test('leaves out pictures and lists of people when too many wait, never a status', async () => {
    const { clock, sent, bus, reporter } = setUp();
    bus.down = true;
    for (let number = 1; number <= 300; number += 1)
      reporter.report({ kind: 'screenshot', number, key: 'k', takenAt: new Date(clock.now()).toISOString() });
    reporter.report({ kind: 'participants', participants: [], speakers: [] });
    reporter.report({ kind: 'status', code: 'in_waiting_room' });
    bus.down = false;
    await clock.advance(2_000);
    expect(sent).toHaveLength(201);
    await reporter.stop();
  });

  test('settling continues through an outage of 25 minutes, but ends after 30', async () => {
    const { clock, sent, bus, reporter } = setUp();
    bus.down = true;
    reporter.report({ kind: 'status', code: 'joining_call' });
    const never = new AbortController().signal;
    let settled: boolean | null = null;
    void reporter.settle(never).then((done) => (settled = done));
    await clock.advance(25 * 60_000);
    expect(settled).toBeNull();
    bus.down = false;
    await clock.advance(2_000);
    expect(sent).toEqual([1]);
    reporter.applied(1);
    await clock.advance(100);
    expect(settled).toBe(true);
    reporter.report({ kind: 'status', code: 'in_waiting_room' });
    void reporter.settle(never).then((done) => (settled = done));
    await clock.advance(31 * 60_000);
    expect(settled).toBe(false);
    await reporter.stop();
  });

  test('settling hurries once the process is to stop', async () => {
    const { clock, reporter } = setUp();
    reporter.report({ kind: 'status', code: 'joining_call' });
    const drain = new AbortController();
    let settled: boolean | null = null;
    void reporter.settle(drain.signal).then((done) => (settled = done));
    await clock.advance(60_000);
    expect(settled).toBeNull();
    drain.abort();
    await clock.advance(15_200);
    expect(settled).toBe(false);
    await reporter.stop();
  });

  test('once silenced it says nothing more: another run speaks for the bot', async () => {
    const { clock, sent, reporter } = setUp();
    reporter.silence();
    reporter.report({ kind: 'status', code: 'joining_call' });
    await clock.advance(10_000);
    expect(sent).toEqual([]);
    await reporter.stop();
  });
});
