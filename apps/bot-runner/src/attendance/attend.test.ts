import { describe, expect, test } from '@jest/globals';
import { inCall, Stage } from '../testing/stage.ts';

describe('an attendance, from the door to the recording', () => {
  test('reports each step once and in order, and greets after admission', async () => {
    const stage = await inCall();
    expect(stage.statuses).toEqual(['joining_call', 'in_waiting_room', 'in_call_not_recording', 'in_call_recording']);
    expect(stage.reports[0]).toMatchObject({ code: 'joining_call', pagePackVersion: '2026-11-26.1' });
    expect(stage.reports.find((report) => 'startTime' in report)).toMatchObject({
      startTime: Math.floor(stage.clock.now() / 1_000),
    });
    expect(stage.did).toEqual(['chat Hello']);
    expect(stage.frames).toEqual(['lobby', 'admitted', 'every minute', 'recording']);
  });

  test('waits for the user it comes for as long as for a host, and says whom it missed', async () => {
    const stage = new Stage();
    await stage.waitInLobby('waiting-for-authorized-user');
    expect(stage.statuses).toEqual(['joining_call', 'in_waiting_for_host']);
    await stage.clock.advance(121_000);
    expect(stage.attended?.end.code).toBe('WAITING_FOR_AUTHORIZED_USER_TIMEOUT');
  });

  test('waits for a host as the platform says, and no longer than for being let in', async () => {
    const stage = new Stage();
    await stage.waitInLobby('waiting-for-host');
    await stage.clock.advance(100_000);
    await stage.waitInLobby();
    expect(stage.statuses).toEqual(['joining_call', 'in_waiting_for_host', 'in_waiting_room']);
    await stage.clock.advance(100_000);
    expect(stage.attended).toBeNull();
    await stage.clock.advance(21_000);
    expect(stage.attended?.end.code).toBe('TIMEOUT_WAITING_TO_START');
  });

  test('without a waiting room there is no word of one', async () => {
    const stage = new Stage();
    await stage.admit();
    expect(stage.statuses).toEqual(['joining_call', 'in_call_not_recording', 'in_call_recording']);
  });

  test('without admission it leaves after its waiting time', async () => {
    const stage = new Stage();
    await stage.waitInLobby();
    await stage.clock.advance(119_000);
    expect(stage.attended).toBeNull();
    await stage.clock.advance(2_000);
    expect(stage.attended?.end).toMatchObject({ code: 'TIMEOUT_WAITING_TO_START', joinedAt: null, recorded: false });
    expect(stage.did).toEqual(['evidence TIMEOUT_WAITING_TO_START', 'recording stopped', 'leave', 'session stopped']);
  });

  test('refused, it says so and keeps the evidence', async () => {
    const stage = new Stage();
    await stage.turnAway('denied');
    expect(stage.attended?.end).toMatchObject({
      code: 'BOT_NOT_ACCEPTED',
      recorded: false,
      evidence: { rule: 'test' },
    });
  });

  test('asked to leave while it waits, it goes without having recorded', async () => {
    const stage = new Stage();
    await stage.waitInLobby();
    stage.signals.leave.abort();
    await stage.clock.advance(0);
    expect(stage.attended?.end).toMatchObject({ code: 'EXITING_MEETING_BEFORE_RECORD', recorded: false });
  });

  test('a recorder that does not start is tried twice and then named', async () => {
    const stage = new Stage();
    stage.recorderBroken = true;
    await stage.admit();
    await stage.clock.advance(1_000);
    expect(stage.attended?.end).toMatchObject({ code: 'INTERNAL_ERROR', recorded: false });
    expect(stage.statuses).not.toContain('in_call_recording');
  });
});

describe('an attendance, to its end', () => {
  test('leaves when no participant that counts has joined', async () => {
    const stage = await inCall();
    stage.appears('other BOT');
    await stage.clock.advance(181_000);
    expect(stage.attended?.end.code).toBe('NO_ATTENDEES');
  });

  test('stays while participants speak that no list shows, until the silence timeout', async () => {
    const stage = await inCall();
    stage.appears('Rapporteur', true);
    await stage.clock.advance(100_000);
    stage.speechHeardAtMs = stage.clock.now();
    await stage.clock.advance(299_000);
    expect(stage.attended).toBeNull();
    await stage.clock.advance(2_000);
    expect(stage.attended?.end.code).toBe('NO_SPEAKER');
  });

  test('leaves after the silence timeout, counted from the last speech', async () => {
    const stage = await inCall();
    stage.appears('Alice');
    await stage.clock.advance(200_000);
    stage.speechHeardAtMs = stage.clock.now();
    await stage.clock.advance(299_000);
    expect(stage.attended).toBeNull();
    await stage.clock.advance(2_000);
    expect(stage.attended?.end.code).toBe('NO_SPEAKER');
  });

  test('sound in the recording counts as sound, though no layer says whose it is', async () => {
    const stage = await inCall();
    stage.appears('Alice');
    stage.rms = 0.1;
    await stage.clock.advance(600_000);
    expect(stage.attended).toBeNull();
  });

  test('silence proves nothing while the sound is not captured', async () => {
    const stage = await inCall();
    stage.appears('Alice');
    stage.captureAlive = false;
    await stage.clock.advance(600_000);
    expect(stage.attended).toBeNull();
  });

  test('ends a recording that reached its longest duration', async () => {
    const stage = await inCall();
    stage.appears('Alice');
    stage.rms = 0.1;
    await stage.clock.advance(3_601_000);
    expect(stage.attended?.end.code).toBe('RECORDING_TIMEOUT');
  });

  test('asked to leave, it ends the recording first, then goes', async () => {
    const stage = await inCall();
    await stage.clock.advance(30_000);
    stage.signals.leave.abort();
    await stage.clock.advance(0);
    expect(stage.attended?.end).toMatchObject({ code: 'API_REQUEST', recorded: true });
    expect(stage.did).toEqual(['chat Hello', 'recording stopped', 'leave', 'session stopped']);
  });

  test('removed after 30 s is a normal end, at the moment the page says', async () => {
    const stage = await inCall();
    await stage.clock.advance(30_000);
    const removedAtMs = stage.clock.now();
    await stage.end('removed');
    expect(stage.attended?.end).toMatchObject({ code: 'BOT_REMOVED', exitedAt: new Date(removedAtMs).toISOString() });
  });

  test('removed after 2 s was too early', async () => {
    const stage = await inCall();
    await stage.clock.advance(2_000);
    await stage.end('removed');
    expect(stage.attended?.end.code).toBe('BOT_REMOVED_TOO_EARLY');
  });

  test('leaves at once on a stop request, with what it has recorded', async () => {
    const stage = await inCall();
    await stage.clock.advance(30_000);
    stage.signals.drain.abort();
    await stage.clock.advance(0);
    expect(stage.attended?.end).toMatchObject({ code: 'SIGTERM', recorded: true });
    expect(stage.did.some((line) => line.startsWith('evidence'))).toBe(false);
  });

  test('without a lease it writes nothing more and leaves', async () => {
    const stage = await inCall();
    await stage.clock.advance(10_000);
    stage.signals.fence.abort(new Error('gone'));
    await stage.clock.advance(0);
    expect(stage.attended?.fenced).toBe(true);
    expect(stage.did).toEqual(['chat Hello', 'fenced', 'recording stopped', 'leave', 'session stopped']);
  });

  test('replaced by another run it ends the recording, then leaves, and takes no evidence', async () => {
    const stage = await inCall();
    await stage.clock.advance(30_000);
    stage.signals.replaced.abort();
    await stage.clock.advance(0);
    expect(stage.attended).toMatchObject({ replaced: true, fenced: false, end: { recorded: true } });
    expect(stage.did).toEqual(['chat Hello', 'recording stopped', 'leave', 'session stopped']);
  });

  test('of two reasons at once the first wins', async () => {
    const stage = await inCall();
    await stage.clock.advance(30_000);
    stage.signals.leave.abort();
    void stage.end('removed');
    await stage.clock.advance(0);
    expect(stage.attended?.end.code).toBe('API_REQUEST');
  });
});

describe('an attendance of a meeting at a certain time', () => {
  const inMs = (ms: number): string => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();

  test('is ready before, opens the page in time to join at that moment, and reports no joining before', async () => {
    const stage = new Stage({}, inMs(120_000));
    await stage.clock.advance(109_000);
    expect([stage.statuses, stage.knockAtMs]).toEqual([[], undefined]);
    await stage.clock.advance(2_000);
    expect([stage.statuses, stage.knockAtMs]).toEqual([['joining_call'], Date.UTC(2026, 0, 1) + 120_000]);
  });

  test('that has begun already is joined at once', async () => {
    const stage = new Stage({}, inMs(-5_000));
    await stage.admit();
    expect(stage.statuses).toContain('in_call_recording');
  });

  test.each([
    ['leave', 'EXITING_MEETING_BEFORE_RECORD'],
    ['drain', 'SIGTERM'],
  ] as const)('ends at once on an order to %s while it waits', async (order, code) => {
    const stage = new Stage({}, inMs(3_600_000));
    await stage.clock.advance(60_000);
    stage.signals[order].abort();
    await stage.clock.advance(0);
    expect(stage.attended?.end).toMatchObject({ code, joinedAt: null, recorded: false });
    expect([stage.statuses, stage.frames]).toEqual([[], []]);
    expect(stage.did.some((line) => line.startsWith('evidence'))).toBe(false);
  });
});
