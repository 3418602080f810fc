import { describe, expect, test } from '@jest/globals';
import { inCall, Stage } from '../testing/stage.ts';

/** In the call for so long that the time of joining has no effect. */
async function recording(): Promise<Stage> {
  const stage = await inCall();
  stage.appears('Alice');
  await stage.clock.advance(30_000);
  stage.did.length = 0;
  return stage;
}

describe('a bot whose page is lost in the call', () => {
  test.each(['page-crashed', 'page-unusable'] as const)(
    'comes back with another page after %s, in the same recording, and says nothing new of its status',
    async (reason) => {
      const stage = await recording();
      const statuses = [...stage.statuses];
      await stage.end(reason);
      await stage.admit();
      expect(stage.did).toEqual(['leave', 'another page', 'recording goes on']);
      expect(stage.joins).toBe(2);
      await stage.clock.advance(120_000);
      expect([stage.attended, stage.statuses]).toEqual([null, statuses]);
      stage.signals.leave.abort();
      await stage.clock.advance(0);
      expect(stage.attended?.end).toMatchObject({ code: 'API_REQUEST', recorded: true });
    },
  );

  test('notifies its observers of the rejoin', async () => {
    const reported: string[] = [];
    const listener = { joined: () => void reported.push('joined'), rejoined: () => void reported.push('rejoined') };
    const stage = new Stage({}, null, [listener]);
    await stage.admit();
    await stage.end('page-crashed');
    await stage.admit();
    expect(reported).toEqual(['joined', 'rejoined']);
  });

  test('is not answered for what people or the platform decided', async () => {
    const stage = await recording();
    await stage.end('removed');
    expect(stage.attended?.end.code).toBe('BOT_REMOVED');
    expect(stage.joins).toBe(1);
  });

  test.each([
    ['denied', 'BOT_REMOVED', /denied the bot's request to come back/],
    ['not-found', 'BOT_REMOVED', /no longer there/],
    ['no-response', 'INTERNAL_ERROR', /could not come back/],
  ] as const)('ends with %s as %s when that is how coming back ends', async (reason, code, message) => {
    const stage = await recording();
    const lostAtMs = stage.clock.now();
    await stage.end('page-crashed');
    await stage.clock.advance(5_000);
    await stage.turnAway(reason);
    expect(stage.attended?.end).toMatchObject({
      code,
      message: expect.stringMatching(message),
      recorded: true,
      exitedAt: new Date(lostAtMs).toISOString(),
    });
  });

  test('waits to be let in again no longer than the first time, and then says that its page was lost', async () => {
    const stage = await recording();
    await stage.end('page-crashed');
    await stage.waitInLobby();
    await stage.clock.advance(119_000);
    expect(stage.attended).toBeNull();
    await stage.clock.advance(2_000);
    expect(stage.attended?.end).toMatchObject({
      code: 'INTERNAL_ERROR',
      message: expect.stringMatching(/the bot was not admitted again in time/),
    });
    expect(stage.statuses.filter((status) => status === 'in_waiting_room')).toHaveLength(1);
  });

  test.each([
    ['leave', 'API_REQUEST'],
    ['drain', 'SIGTERM'],
  ] as const)('obeys an order to %s at once on its way back', async (order, code) => {
    const stage = await recording();
    await stage.end('page-crashed');
    await stage.clock.advance(3_000);
    stage.signals[order].abort();
    await stage.clock.advance(0);
    expect(stage.attended?.end.code).toBe(code);
  });

  test('without a lease it writes nothing more, also on its way back', async () => {
    const stage = await recording();
    await stage.end('page-crashed');
    stage.signals.fence.abort(new Error('gone'));
    await stage.clock.advance(0);
    expect(stage.attended?.fenced).toBe(true);
    expect(stage.did).toContain('fenced');
  });

  test('its longest recording ends it on its way back too', async () => {
    const stage = await inCall({ timeout_config: { ...longWaits, max_recording_duration: 60 } });
    await stage.end('page-crashed');
    await stage.waitInLobby();
    await stage.clock.advance(61_000);
    expect(stage.attended?.end.code).toBe('RECORDING_TIMEOUT');
  });

  test('is removed just as it is back: that is the end', async () => {
    const stage = await recording();
    await stage.end('page-crashed');
    await stage.admit();
    await stage.clock.advance(10_000);
    await stage.end('removed');
    expect(stage.attended?.end.code).toBe('BOT_REMOVED');
  });

  test.each([
    ['removed', 'BOT_REMOVED'],
    ['recording-right-refused', 'BOT_REMOVED'],
  ] as const)('ends with %s while it waits for permission to record again', async (reason, code) => {
    const stage = await recording();
    await stage.end('page-crashed');
    stage.wantsRight();
    await stage.admit();
    await stage.clock.advance(2_000);
    await stage.end(reason);
    await stage.clock.advance(0);
    expect(stage.attended?.end.code).toBe(code);
    expect(stage.joins).toBe(2);
  });

  test('was put into the waiting room and stays there: it was removed', async () => {
    const stage = await recording();
    await stage.end('page-unusable', { putToWait: true });
    await stage.waitInLobby();
    await stage.clock.advance(121_000);
    expect(stage.attended?.end).toMatchObject({
      code: 'BOT_REMOVED',
      message: expect.stringMatching(/waiting room, and it was not admitted again/),
    });
  });

  test('tries with another browser when no page can be had, three times in ten minutes at most', async () => {
    const stage = await recording();
    stage.pageCannotBeReplaced = true;
    await stage.end('page-crashed');
    expect(stage.did.filter((line) => line.startsWith('another'))).toEqual([
      'another page',
      'another browser',
      'another browser',
    ]);
    expect(stage.attended?.end).toMatchObject({ code: 'INTERNAL_ERROR', recorded: true });
  });

  test('comes back again after ten minutes, however often before', async () => {
    const stage = await recording();
    stage.rms = 0.1;
    for (let turn = 0; turn < 3; turn += 1) {
      await stage.end('page-crashed');
      await stage.admit();
    }
    await stage.clock.advance(10 * 60_000);
    await stage.end('page-crashed');
    await stage.admit();
    expect(stage.attended).toBeNull();
    expect(stage.joins).toBe(5);
  });

  test('neither in the call nor waiting after 75 s, it tries with another browser', async () => {
    const stage = await recording();
    await stage.end('page-crashed');
    await stage.clock.advance(76_000);
    expect(stage.did).toContain('another browser');
  });

  test('is paused and resumed while it is away, as a customer wants', async () => {
    const stage = await recording();
    await stage.end('page-crashed');
    const pause = { kind: 'pause-recording', chatMessage: null } as const;
    expect(await stage.command(pause)).toMatchObject({ outcome: 'done' });
    await stage.admit();
    expect(stage.statuses.at(-1)).toBe('recording_paused');
    expect(await stage.command({ ...pause, kind: 'resume-recording' })).toMatchObject({ outcome: 'done' });
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
    const stage = new Stage();
    await stage.waitInLobby();
    await stage.clock.advance(100_000);
    await stage.turnAway('page-crashed');
    expect([stage.did, stage.joins]).toEqual([['another page'], 2]);
    await stage.waitInLobby();
    expect(stage.statuses).toEqual(['joining_call', 'in_waiting_room']);
    await stage.clock.advance(21_000);
    expect(stage.attended?.end.code).toBe('TIMEOUT_WAITING_TO_START');
  });

  test('does so three times at most, and then says what happened', async () => {
    const stage = new Stage();
    for (let turn = 0; turn < 4; turn += 1) await stage.turnAway('page-crashed');
    expect(stage.attended?.end).toMatchObject({
      code: 'INTERNAL_ERROR',
      message: 'The browser page of the meeting crashed.',
    });
  });
});

describe('a bot that no longer functions', () => {
  test('whose page answers nothing opens the meeting anew within 15 s', async () => {
    const stage = await recording();
    stage.pageResponds = false;
    await stage.clock.advance(12_000);
    expect(stage.did).toEqual(['another page']);
    await stage.admit();
    expect(stage.did).toEqual(['another page', 'recording goes on']);
  });

  test('whose audio stalls restarts the capture within 15 s, then rejoins, then ends', async () => {
    const stage = await recording();
    stage.audioArrives = false;
    await stage.clock.advance(12_000);
    expect(stage.did).toEqual(['capture let go', 'recording goes on']);
    await stage.clock.advance(20_000);
    expect(stage.did).toContain('another page');
    await stage.admit();
    await stage.clock.advance(20_000);
    await stage.admit();
    await stage.clock.advance(40_000);
    await stage.admit();
    await stage.clock.advance(40_000);
    expect(stage.attended?.end).toMatchObject({
      code: 'INTERNAL_ERROR',
      message: expect.stringMatching(/stalls/),
    });
  });

  test('without audio while no participant speaks is not restarted: silence is not a broken capture', async () => {
    const stage = await recording();
    await stage.clock.advance(200_000);
    expect([stage.did, stage.attended]).toEqual([[], null]);
  });

  test('without audio although the page reports a speaker is restarted', async () => {
    const stage = await recording();
    for (let second = 0; second < 12; second += 1) {
      stage.certainSpeechHeardAtMs = stage.clock.now() + 1_000;
      await stage.clock.advance(1_000);
    }
    expect(stage.did).toEqual(['capture let go', 'recording goes on']);
  });
});
