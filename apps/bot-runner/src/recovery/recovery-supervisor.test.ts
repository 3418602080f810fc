import { describe, expect, test } from '@jest/globals';
import type { BotInvocation } from '@rapporteur/contracts';
import { configuration, inCall, AttendanceHarness } from '../testing/attendance-harness.ts';

/** In the call for so long that the time of joining has no effect. */
async function recording(): Promise<AttendanceHarness> {
  const harness = await inCall();
  harness.appears('Alice');
  await harness.clock.advance(30_000);
  harness.did.length = 0;
  return harness;
}

describe('a bot whose page is lost in the call', () => {
  test.each(['page-crashed', 'page-unusable', 'connection-lost'] as const)(
    'comes back with another page after %s, in the same recording, and says nothing new of its status',
    async (reason) => {
      const harness = await recording();
      const statuses = [...harness.statuses];
      await harness.end(reason);
      await harness.admit();
      expect(harness.did).toEqual(['leave', 'another page', 'recording continues']);
      expect(harness.joins).toBe(2);
      await harness.clock.advance(120_000);
      expect([harness.attended, harness.statuses]).toEqual([null, statuses]);
      harness.signals.leave.abort();
      await harness.clock.advance(0);
      expect(harness.attended?.end).toMatchObject({ code: 'API_REQUEST', recorded: true });
    },
  );

  test('notifies its observers of the rejoin', async () => {
    const reported: string[] = [];
    const listener = { joined: () => void reported.push('joined'), rejoined: () => void reported.push('rejoined') };
    const harness = new AttendanceHarness({}, null, [listener]);
    await harness.admit();
    await harness.end('page-crashed');
    await harness.admit();
    expect(reported).toEqual(['joined', 'rejoined']);
  });

  test('is not answered for what people or the platform decided', async () => {
    const harness = await recording();
    await harness.end('removed');
    expect(harness.attended?.end.code).toBe('BOT_REMOVED');
    expect(harness.joins).toBe(1);
  });

  test.each([
    ['denied', 'BOT_REMOVED', /denied the bot's request to rejoin/],
    ['not-found', 'BOT_REMOVED', /no longer there/],
    ['no-response', 'INTERNAL_ERROR', /could not rejoin/],
  ] as const)('ends with %s as %s when that is how coming back ends', async (reason, code, message) => {
    const harness = await recording();
    const lostAtMs = harness.clock.now();
    await harness.end('page-crashed');
    await harness.clock.advance(5_000);
    await harness.turnAway(reason);
    expect(harness.attended?.end).toMatchObject({
      code,
      message: expect.stringMatching(message),
      recorded: true,
      exitedAt: new Date(lostAtMs).toISOString(),
    });
  });

  test('waits to be let in again no longer than the first time, and then says that its page was lost', async () => {
    const harness = await recording();
    await harness.end('page-crashed');
    await harness.waitInLobby();
    await harness.clock.advance(119_000);
    expect(harness.attended).toBeNull();
    await harness.clock.advance(2_000);
    expect(harness.attended?.end).toMatchObject({
      code: 'INTERNAL_ERROR',
      message: expect.stringMatching(/the bot was not admitted again in time/),
    });
    expect(harness.statuses.filter((status) => status === 'in_waiting_room')).toHaveLength(1);
  });

  test.each([
    ['leave', 'API_REQUEST'],
    ['drain', 'SIGTERM'],
  ] as const)('obeys an order to %s at once on its way back', async (order, code) => {
    const harness = await recording();
    await harness.end('page-crashed');
    await harness.clock.advance(3_000);
    harness.signals[order].abort();
    await harness.clock.advance(0);
    expect(harness.attended?.end.code).toBe(code);
  });

  test('without a lease it writes nothing more, also on its way back', async () => {
    const harness = await recording();
    await harness.end('page-crashed');
    harness.signals.fence.abort(new Error('gone'));
    await harness.clock.advance(0);
    expect(harness.attended?.fenced).toBe(true);
    expect(harness.did).toContain('fenced');
  });

  test('its longest recording ends it on its way back too', async () => {
    const harness = await inCall({
      timeout_config: { ...configuration.timeout_config, ...longWaits, max_recording_duration: 60 },
    });
    await harness.end('page-crashed');
    await harness.waitInLobby();
    await harness.clock.advance(61_000);
    expect(harness.attended?.end.code).toBe('RECORDING_TIMEOUT');
  });

  test('is removed just as it is back: that is the end', async () => {
    const harness = await recording();
    await harness.end('page-crashed');
    await harness.admit();
    await harness.clock.advance(10_000);
    await harness.end('removed');
    expect(harness.attended?.end.code).toBe('BOT_REMOVED');
  });

  test.each([
    ['removed', 'BOT_REMOVED'],
    ['recording-right-refused', 'BOT_REMOVED'],
  ] as const)('ends with %s while it waits for permission to record again', async (reason, code) => {
    const harness = await recording();
    await harness.end('page-crashed');
    harness.wantsRight();
    await harness.admit();
    await harness.clock.advance(2_000);
    await harness.end(reason);
    await harness.clock.advance(0);
    expect(harness.attended?.end.code).toBe(code);
    expect(harness.joins).toBe(2);
  });

  test('that waits for a host again is over: its recording is finished, and the end is that of the meeting', async () => {
    const harness = await recording();
    await harness.end('page-crashed');
    await harness.waitInLobby('waiting-for-host');
    await harness.clock.advance(76_000);
    expect(harness.attended?.end).toMatchObject({
      code: 'BOT_REMOVED',
      message: 'The browser page of the meeting crashed. The meeting was over when the bot rejoined.',
      recorded: true,
    });
  });

  test('says that its connection was lost when it cannot come back', async () => {
    const harness = await recording();
    harness.pageCannotBeReplaced = true;
    await harness.end('connection-lost');
    expect(harness.attended?.end).toMatchObject({
      code: 'INTERNAL_ERROR',
      message: 'The connection to the meeting was lost. The bot could not rejoin. What was recorded before is kept.',
    });
  });

  test('rejoins with its login, and ends where the page takes it for a guest', async () => {
    const login = { platform: 'meet' } as BotInvocation['configuration']['login'];
    const harness = await inCall({ login });
    await harness.end('page-crashed');
    expect(harness.signedIn).toBe(true);
    await harness.turnAway('login-required');
    expect(harness.attended?.end).toMatchObject({
      code: 'INTERNAL_ERROR',
      message: expect.stringMatching(/sign-in was lost/),
    });
  });

  test('that is put into the waiting room stays there in its page, and records nothing of it', async () => {
    const harness = await recording();
    await harness.waitInLobby();
    expect(harness.did).toEqual(['capture released']);
    await harness.clock.advance(100_000);
    await harness.letIn();
    expect(harness.did).toEqual(['capture released', 'capture released', 'recording continues']);
    await harness.clock.advance(120_000);
    expect([harness.attended, harness.joins]).toEqual([null, 1]);
    expect(harness.statuses.at(-1)).toBe('in_call_recording');
  });

  test('was put into the waiting room and stays there: it was removed', async () => {
    const harness = await recording();
    await harness.waitInLobby();
    await harness.clock.advance(121_000);
    expect(harness.attended?.end).toMatchObject({
      code: 'BOT_REMOVED',
      message: expect.stringMatching(/waiting room, and it was not admitted again/),
    });
  });

  test('tries with another browser when no page can be had, three times in ten minutes at most', async () => {
    const harness = await recording();
    harness.pageCannotBeReplaced = true;
    await harness.end('page-crashed');
    expect(harness.did.filter((line) => line.startsWith('another'))).toEqual([
      'another page',
      'another browser',
      'another browser',
    ]);
    expect(harness.attended?.end).toMatchObject({ code: 'INTERNAL_ERROR', recorded: true });
  });

  test('comes back again after ten minutes, however often before', async () => {
    const harness = await recording();
    harness.rms = 0.1;
    for (let turn = 0; turn < 3; turn += 1) {
      await harness.end('page-crashed');
      await harness.admit();
    }
    await harness.clock.advance(10 * 60_000);
    await harness.end('page-crashed');
    await harness.admit();
    expect(harness.attended).toBeNull();
    expect(harness.joins).toBe(5);
  });

  test('neither in the call nor waiting after 75 s, it tries with another browser', async () => {
    const harness = await recording();
    await harness.end('page-crashed');
    await harness.clock.advance(76_000);
    expect(harness.did).toContain('another browser');
  });

  test('is paused and resumed while it is away, as a customer wants', async () => {
    const harness = await recording();
    await harness.end('page-crashed');
    const pause = { kind: 'pause-recording', chatMessage: null } as const;
    expect(await harness.command(pause)).toMatchObject({ outcome: 'done' });
    await harness.admit();
    expect(harness.statuses.at(-1)).toBe('recording_paused');
    expect(await harness.command({ ...pause, kind: 'resume-recording' })).toMatchObject({ outcome: 'done' });
  });
});

const longWaits = {
  waiting_room_timeout: 1_800,
  no_one_joined_timeout: 1_800,
  silence_timeout: 1_800,
  grace_period: 0,
};

describe('a bot whose page is lost before it is in the call', () => {
  test('asks to be let in with another page, and waits no longer for it', async () => {
    const harness = new AttendanceHarness();
    await harness.waitInLobby();
    await harness.clock.advance(100_000);
    await harness.turnAway('page-crashed');
    expect([harness.did, harness.joins]).toEqual([['another page'], 2]);
    await harness.waitInLobby();
    expect(harness.statuses).toEqual(['joining_call', 'in_waiting_room']);
    await harness.clock.advance(21_000);
    expect(harness.attended?.end.code).toBe('TIMEOUT_WAITING_TO_START');
  });

  test('does so three times at most, and then says what happened', async () => {
    const harness = new AttendanceHarness();
    for (let turn = 0; turn < 4; turn += 1) await harness.turnAway('page-crashed');
    expect(harness.attended?.end).toMatchObject({
      code: 'INTERNAL_ERROR',
      message: 'The browser page of the meeting crashed.',
    });
  });
});

test('a capture that does not start in its page is begun in another one', async () => {
  const harness = new AttendanceHarness();
  harness.recorderBroken = true;
  await harness.admit();
  harness.recorderBroken = false;
  await harness.clock.advance(1_000);
  expect(harness.did).toEqual(['leave', 'another page']);
  await harness.admit();
  expect(harness.statuses.at(-1)).toBe('in_call_recording');
});

describe('a bot that no longer functions', () => {
  test('whose page does not respond opens the meeting anew within 15 s', async () => {
    const harness = await recording();
    harness.pageResponds = false;
    await harness.clock.advance(12_000);
    expect(harness.did).toEqual(['another page']);
    await harness.admit();
    expect(harness.did).toEqual(['another page', 'recording continues']);
  });

  test('whose audio stalls restarts the capture within 15 s, then rejoins, then ends', async () => {
    const harness = await recording();
    harness.audioArrives = false;
    await harness.clock.advance(12_000);
    expect(harness.did).toEqual(['capture released', 'recording continues']);
    await harness.clock.advance(20_000);
    expect(harness.did).toContain('another page');
    await harness.admit();
    await harness.clock.advance(20_000);
    await harness.admit();
    await harness.clock.advance(40_000);
    await harness.admit();
    await harness.clock.advance(40_000);
    expect(harness.attended?.end).toMatchObject({
      code: 'INTERNAL_ERROR',
      message: expect.stringMatching(/stalls/),
    });
  });

  test('without audio while no participant speaks is not restarted: silence is not a broken capture', async () => {
    const harness = await recording();
    await harness.clock.advance(200_000);
    expect([harness.did, harness.attended]).toEqual([[], null]);
  });

  test('without audio although the page reports a speaker is restarted', async () => {
    const harness = await recording();
    for (let second = 0; second < 12; second += 1) {
      harness.certainSpeechAtMs = harness.clock.now() + 1_000;
      await harness.clock.advance(1_000);
    }
    expect(harness.did).toEqual(['capture released', 'recording continues']);
  });
});
