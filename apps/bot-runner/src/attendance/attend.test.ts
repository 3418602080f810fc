import { describe, expect, test } from '@jest/globals';
import { inCall, AttendanceHarness } from '../testing/attendance-harness.ts';

describe('an attendance, from the door to the recording', () => {
  test('reports each step once and in order, and sends its entry message after admission', async () => {
    const harness = await inCall();
    expect(harness.statuses).toEqual(['joining_call', 'in_waiting_room', 'in_call_not_recording', 'in_call_recording']);
    expect(harness.reports[0]).toMatchObject({ code: 'joining_call', pagePackVersion: '2026-11-26.1' });
    expect(harness.reports.find((report) => 'startTime' in report)).toMatchObject({
      startTime: Math.floor(harness.clock.now() / 1_000),
    });
    expect(harness.did).toEqual(['chat Hello']);
    expect(harness.frames).toEqual(['lobby', 'admitted', 'every minute', 'recording']);
  });

  test('says that it waits on a page of which nothing is known', async () => {
    const harness = new AttendanceHarness();
    await harness.waitInLobby();
    expect(harness.reports.at(-1)).not.toHaveProperty('pageRecognised');
    const other = new AttendanceHarness();
    other.pagePackUse.rule = 'waiting-not-recognised';
    await other.waitInLobby();
    expect(other.reports.at(-1)).toMatchObject({ code: 'in_waiting_room', pageRecognised: false });
  });

  test('waits for the user it comes for as long as for a host, and says whom it missed', async () => {
    const harness = new AttendanceHarness();
    await harness.waitInLobby('waiting-for-authorized-user');
    expect(harness.statuses).toEqual(['joining_call', 'in_waiting_for_host']);
    await harness.clock.advance(121_000);
    expect(harness.attended?.end.code).toBe('WAITING_FOR_AUTHORIZED_USER_TIMEOUT');
  });

  test('waits for a host as the platform says, and no longer than for being let in', async () => {
    const harness = new AttendanceHarness();
    await harness.waitInLobby('waiting-for-host');
    await harness.clock.advance(100_000);
    await harness.waitInLobby();
    expect(harness.statuses).toEqual(['joining_call', 'in_waiting_for_host', 'in_waiting_room']);
    await harness.clock.advance(100_000);
    expect(harness.attended).toBeNull();
    await harness.clock.advance(21_000);
    expect(harness.attended?.end.code).toBe('TIMEOUT_WAITING_TO_START');
  });

  test('without a waiting room there is no word of one', async () => {
    const harness = new AttendanceHarness();
    await harness.admit();
    expect(harness.statuses).toEqual(['joining_call', 'in_call_not_recording', 'in_call_recording']);
  });

  test('without admission it leaves after its waiting time', async () => {
    const harness = new AttendanceHarness();
    await harness.waitInLobby();
    await harness.clock.advance(119_000);
    expect(harness.attended).toBeNull();
    await harness.clock.advance(2_000);
    expect(harness.attended?.end).toMatchObject({ code: 'TIMEOUT_WAITING_TO_START', joinedAt: null, recorded: false });
    expect(harness.did).toEqual(['evidence TIMEOUT_WAITING_TO_START', 'recording stopped', 'leave', 'session stopped']);
  });

  test('refused, it says so and keeps the evidence', async () => {
    const harness = new AttendanceHarness();
    await harness.turnAway('denied');
    expect(harness.attended?.end).toMatchObject({
      code: 'BOT_NOT_ACCEPTED',
      recorded: false,
      evidence: { rule: 'test' },
    });
  });

  test('asked to leave while it waits, it goes without having recorded', async () => {
    const harness = new AttendanceHarness();
    await harness.waitInLobby();
    harness.signals.leave.abort();
    await harness.clock.advance(0);
    expect(harness.attended?.end).toMatchObject({ code: 'EXITING_MEETING_BEFORE_RECORD', recorded: false });
  });

  test('a recorder that starts in no page is named, and nothing is said to be kept', async () => {
    const harness = new AttendanceHarness();
    harness.recorderBroken = true;
    for (let page = 0; page < 4; page += 1) {
      await harness.admit();
      await harness.clock.advance(1_000);
    }
    expect(harness.attended?.end).toMatchObject({
      code: 'INTERNAL_ERROR',
      message: expect.stringMatching(/^The recording could not be started in the meeting page\./),
      recorded: false,
    });
    expect(harness.attended?.end.message).not.toMatch(/kept/);
    expect(harness.statuses).not.toContain('in_call_recording');
  });
});

describe('an attendance, to its end', () => {
  test('leaves when no participant that counts has joined', async () => {
    const harness = await inCall();
    harness.appears('other BOT');
    await harness.clock.advance(181_000);
    expect(harness.attended?.end.code).toBe('NO_ATTENDEES');
  });

  test('stays while participants speak that no list shows, until the silence timeout', async () => {
    const harness = await inCall();
    harness.appears('Rapporteur', true);
    await harness.clock.advance(100_000);
    harness.speechAtMs = harness.clock.now();
    await harness.clock.advance(299_000);
    expect(harness.attended).toBeNull();
    await harness.clock.advance(2_000);
    expect(harness.attended?.end.code).toBe('NO_SPEAKER');
  });

  test('leaves a minute after all participants have left, and says so', async () => {
    const harness = await inCall();
    for (const name of ['Alice', 'Ann (Otter.ai)', 'Rapporteur', 'Meeting Room 1']) harness.appears(name);
    harness.rms = 0.1;
    await harness.clock.advance(200_000);
    harness.leave('Alice');
    await harness.clock.advance(50_000);
    harness.speaks('Meeting Room 1');
    await harness.clock.advance(59_000);
    expect(harness.attended).toBeNull();
    await harness.clock.advance(2_000);
    expect(harness.attended?.end).toMatchObject({
      code: 'NO_ATTENDEES',
      message: 'All participants had left the meeting, so the bot left too.',
    });
  });

  test('stays for a participant who comes back within that minute', async () => {
    const harness = await inCall();
    harness.appears('Alice');
    await harness.clock.advance(100_000);
    harness.leave();
    await harness.clock.advance(59_000);
    harness.appears('Alice');
    await harness.clock.advance(100_000);
    expect(harness.attended).toBeNull();
  });

  test('leaves after the silence timeout, counted from the last speech', async () => {
    const harness = await inCall();
    harness.appears('Alice');
    await harness.clock.advance(200_000);
    harness.speechAtMs = harness.clock.now();
    await harness.clock.advance(299_000);
    expect(harness.attended).toBeNull();
    await harness.clock.advance(2_000);
    expect(harness.attended?.end.code).toBe('NO_SPEAKER');
  });

  test('sound in the recording counts as sound, though no layer says whose it is', async () => {
    const harness = await inCall();
    harness.appears('Alice');
    harness.rms = 0.1;
    await harness.clock.advance(600_000);
    expect(harness.attended).toBeNull();
  });

  test('silence proves nothing while the sound is not captured', async () => {
    const harness = await inCall();
    harness.appears('Alice');
    harness.captureAlive = false;
    await harness.clock.advance(600_000);
    expect(harness.attended).toBeNull();
  });

  test('ends a recording that reached its longest duration', async () => {
    const harness = await inCall();
    harness.appears('Alice');
    harness.rms = 0.1;
    await harness.clock.advance(3_601_000);
    expect(harness.attended?.end.code).toBe('RECORDING_TIMEOUT');
  });

  test('asked to leave, it ends the recording first, then goes', async () => {
    const harness = await inCall();
    await harness.clock.advance(30_000);
    harness.signals.leave.abort();
    await harness.clock.advance(0);
    expect(harness.attended?.end).toMatchObject({ code: 'API_REQUEST', recorded: true });
    expect(harness.did).toEqual(['chat Hello', 'recording stopped', 'leave', 'session stopped']);
  });

  test('removed after 30 s is a normal end, at the moment the page says', async () => {
    const harness = await inCall();
    await harness.clock.advance(30_000);
    const removedAtMs = harness.clock.now();
    await harness.end('removed');
    expect(harness.attended?.end).toMatchObject({ code: 'BOT_REMOVED', exitedAt: new Date(removedAtMs).toISOString() });
  });

  test('removed after 2 s was too early', async () => {
    const harness = await inCall();
    await harness.clock.advance(2_000);
    await harness.end('removed');
    expect(harness.attended?.end.code).toBe('BOT_REMOVED_TOO_EARLY');
  });

  test('leaves at once on a stop request, with what it has recorded', async () => {
    const harness = await inCall();
    await harness.clock.advance(30_000);
    harness.signals.drain.abort();
    await harness.clock.advance(0);
    expect(harness.attended?.end).toMatchObject({ code: 'SIGTERM', recorded: true });
    expect(harness.did.some((line) => line.startsWith('evidence'))).toBe(false);
  });

  test('without a lease it writes nothing more and leaves', async () => {
    const harness = await inCall();
    await harness.clock.advance(10_000);
    harness.signals.fence.abort(new Error('gone'));
    await harness.clock.advance(0);
    expect(harness.attended?.fenced).toBe(true);
    expect(harness.did).toEqual(['chat Hello', 'fenced', 'recording stopped', 'leave', 'session stopped']);
  });

  test('replaced by another run it ends the recording, then leaves, and takes no evidence', async () => {
    const harness = await inCall();
    await harness.clock.advance(30_000);
    harness.signals.replaced.abort();
    await harness.clock.advance(0);
    expect(harness.attended).toMatchObject({ replaced: true, fenced: false, end: { recorded: true } });
    expect(harness.did).toEqual(['chat Hello', 'recording stopped', 'leave', 'session stopped']);
  });

  test('of two reasons at once the first wins', async () => {
    const harness = await inCall();
    await harness.clock.advance(30_000);
    harness.signals.leave.abort();
    void harness.end('removed');
    await harness.clock.advance(0);
    expect(harness.attended?.end.code).toBe('API_REQUEST');
  });
});

describe('an attendance of a meeting at a certain time', () => {
  const inMs = (ms: number): string => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();

  test('is ready before, opens the page in time to join at that moment, and reports no joining before', async () => {
    const harness = new AttendanceHarness({}, inMs(120_000));
    await harness.clock.advance(109_000);
    expect([harness.statuses, harness.requestAtMs]).toEqual([[], undefined]);
    await harness.clock.advance(2_000);
    expect([harness.statuses, harness.requestAtMs]).toEqual([['joining_call'], Date.UTC(2026, 0, 1) + 120_000]);
  });

  test('that has begun already is joined at once', async () => {
    const harness = new AttendanceHarness({}, inMs(-5_000));
    await harness.admit();
    expect(harness.statuses).toContain('in_call_recording');
  });

  test.each([
    ['leave', 'EXITING_MEETING_BEFORE_RECORD'],
    ['drain', 'SIGTERM'],
  ] as const)('ends at once on an order to %s while it waits', async (order, code) => {
    const harness = new AttendanceHarness({}, inMs(3_600_000));
    await harness.clock.advance(60_000);
    harness.signals[order].abort();
    await harness.clock.advance(0);
    expect(harness.attended?.end).toMatchObject({ code, joinedAt: null, recorded: false });
    expect([harness.statuses, harness.frames]).toEqual([[], []]);
    expect(harness.did.some((line) => line.startsWith('evidence'))).toBe(false);
  });
});
