import { describe, expect, test } from '@jest/globals';
import { inCall, Stage } from '../testing/stage.ts';

const pause = { kind: 'pause-recording', chatMessage: null } as const;
const resume = { kind: 'resume-recording', chatMessage: null } as const;
const write = { kind: 'send-chat-message', message: 'Good morning' } as const;
const minutes = (count: number): number => count * 60_000;

describe('a message for the chat', () => {
  test('is sent while the bot is in the call, also in a pause', async () => {
    const stage = await inCall();
    expect(await stage.command(write)).toMatchObject({ outcome: 'done' });
    await stage.command(pause);
    expect(await stage.command(write)).toMatchObject({ outcome: 'done' });
    expect(stage.did.filter((line) => line === 'chat Good morning')).toHaveLength(2);
  });

  test('is refused before the bot is in, and when it is leaving', async () => {
    const stage = new Stage();
    await stage.waitInLobby();
    expect(await stage.command(write)).toMatchObject({ outcome: 'refused' });
    stage.signals.leave.abort();
    expect(await stage.command(write)).toEqual({
      outcome: 'refused',
      message: 'The bot is leaving the meeting, so it cannot write in the chat.',
    });
    expect(stage.did).not.toContain('chat Good morning');
  });

  test('says whether the chat is closed to the bot or did not work', async () => {
    const stage = await inCall();
    stage.chat = { sent: false, reason: 'organizer_disabled', what: 'The meeting shows no chat button.' };
    expect(await stage.command(write)).toEqual({
      outcome: 'unavailable',
      message: 'The message could not be sent. The meeting shows no chat button.',
    });
    stage.chat = { sent: false, reason: 'send_failed', what: 'It stayed in the field.' };
    expect(await stage.command(write)).toMatchObject({ outcome: 'failed' });
  });
});

describe('whether there is a chat', () => {
  const chatStatus = (stage: Stage) => stage.reports.filter(({ kind }) => kind === 'chat-status');

  test('is said once after joining, from the entry message', async () => {
    const stage = await inCall();
    await stage.command(write);
    expect(chatStatus(stage)).toEqual([{ kind: 'chat-status', available: true, reason: null }]);
  });

  test.each([null, 'Hello'])('or from the chat itself; here it is closed (entry message %s)', async (message) => {
    const stage = new Stage({ entry_message: message });
    stage.chat = { sent: false, reason: 'organizer_disabled', what: 'No button.' };
    await stage.admit();
    expect(chatStatus(stage)).toEqual([{ kind: 'chat-status', available: false, reason: 'organizer_disabled' }]);
  });

  const notThere = { sent: false, reason: 'panel_not_attached', what: 'It did not open.', mayCome: true } as const;

  test.each([
    notThere,
    { ...notThere, reason: 'organizer_disabled', what: 'No button.' },
    { ...notThere, reason: 'send_failed', what: 'The send button could not be pressed.' },
  ] as const)('is found out for a minute where the page is still building it ($what)', async (refusal) => {
    const stage = new Stage();
    stage.chat = refusal;
    await stage.admit();
    await stage.clock.advance(24_000);
    expect(chatStatus(stage)).toEqual([]);
    stage.chat = { sent: true };
    await stage.clock.advance(5_000);
    expect(chatStatus(stage)).toEqual([{ kind: 'chat-status', available: true, reason: null }]);
    await stage.clock.advance(60_000);
    expect(chatStatus(stage)).toHaveLength(1);
  });

  test('is said after a minute in vain, and again when another page has one', async () => {
    const stage = new Stage();
    stage.chat = notThere;
    await stage.admit();
    await stage.clock.advance(66_000);
    expect(chatStatus(stage)).toEqual([{ kind: 'chat-status', available: false, reason: 'panel_not_attached' }]);
    const tries = stage.did.filter((line) => line.startsWith('chat')).length;
    expect(tries).toBe(13);
    stage.chat = { sent: true };
    await stage.end('page-crashed');
    await stage.admit();
    expect(chatStatus(stage).slice(1)).toEqual([{ kind: 'chat-status', available: true, reason: null }]);
  });

  test('a greeting that may have been sent is not sent again, not even with another page', async () => {
    const stage = new Stage();
    stage.chat = { sent: false, reason: 'send_failed', what: 'It was not shown.' };
    await stage.admit();
    await stage.clock.advance(66_000);
    await stage.end('page-crashed');
    await stage.admit();
    expect(stage.did.filter((line) => line.startsWith('chat'))).toHaveLength(1);
  });

  test('is not said of a bot that never got in', async () => {
    const stage = new Stage();
    await stage.turnAway('denied');
    expect(chatStatus(stage)).toEqual([]);
  });
});

describe('a pause of the recording', () => {
  test('is announced in the chat first, then made, then reported; so is its end', async () => {
    const stage = await inCall();
    expect(await stage.command({ ...pause, chatMessage: 'A moment' })).toEqual({
      outcome: 'done',
      message: 'The recording is paused.',
    });
    expect(await stage.command({ ...resume, chatMessage: 'On again' })).toMatchObject({ outcome: 'done' });
    expect(stage.did).toEqual(['chat Hello', 'chat A moment', 'paused', 'chat On again', 'resumed']);
    expect(stage.statuses.slice(-3)).toEqual(['in_call_recording', 'recording_paused', 'recording_resumed']);
    expect(stage.frames.slice(-2)).toEqual(['held', 'on again']);
  });

  test('takes place although the chat is closed, and the answer says so', async () => {
    const stage = await inCall();
    stage.chat = { sent: false, reason: 'organizer_disabled', what: 'No button.' };
    expect(await stage.command({ ...pause, chatMessage: 'A moment' })).toEqual({
      outcome: 'done',
      message: 'The recording is paused. The chat message could not be sent. No button.',
    });
  });

  test('follows a recording, its end follows a pause; anything else is refused and does nothing', async () => {
    const stage = new Stage();
    expect(await stage.command(pause)).toMatchObject({ outcome: 'refused' });
    await stage.admit();
    expect(await stage.command({ ...resume, chatMessage: 'On again' })).toEqual({
      outcome: 'refused',
      message: 'The bot is recording, so the recording cannot be resumed.',
    });
    await stage.command(pause);
    expect(await stage.command(pause)).toEqual({
      outcome: 'refused',
      message: 'The recording is paused, so the recording cannot be paused.',
    });
    expect(stage.did).toEqual(['chat Hello', 'paused']);
  });

  test('that the page does not make is none', async () => {
    const stage = await inCall();
    stage.recorderStuck = true;
    expect(await stage.command(pause)).toMatchObject({ outcome: 'failed' });
    expect(stage.statuses.at(-1)).toBe('in_call_recording');
    stage.recorderStuck = false;
    expect(await stage.command(pause)).toMatchObject({ outcome: 'done' });
  });

  test('is not made when its time is up before', async () => {
    const stage = await inCall();
    expect(await stage.command(pause, AbortSignal.abort())).toMatchObject({ outcome: 'failed' });
    expect(stage.did).not.toContain('paused');
  });

  test('may be silent while participants are present', async () => {
    const stage = await inCall();
    stage.appears('Alice');
    await stage.command(pause);
    await stage.clock.advance(minutes(30));
    expect(stage.attended).toBeNull();
    await stage.command(resume);
    await stage.clock.advance(290_000);
    expect(stage.attended).toBeNull();
    await stage.clock.advance(20_000);
    expect(stage.attended?.end.code).toBe('NO_SPEAKER');
  });

  test('does not keep the bot in a meeting that everybody who counts has left', async () => {
    const stage = await inCall();
    stage.appears('Alice');
    await stage.command(pause);
    await stage.clock.advance(minutes(20));
    stage.leave();
    stage.appears('other bot');
    await stage.clock.advance(290_000);
    expect(stage.attended).toBeNull();
    await stage.clock.advance(20_000);
    expect(stage.attended?.end.code).toBe('NO_SPEAKER');
  });

  test('is no stalled recording, and after it a new observation begins', async () => {
    const stage = await inCall();
    stage.appears('Alice');
    await stage.command(pause);
    stage.audioArrives = false;
    await stage.clock.advance(minutes(2));
    expect(stage.attended).toBeNull();
    await stage.command(resume);
    await stage.clock.advance(7_000);
    expect(stage.did).not.toContain('capture let go');
    await stage.clock.advance(3_000);
    expect(stage.did).toContain('capture let go');
  });

  test('does not count as recorded, and a bot removed in it shows no picture of the meeting', async () => {
    const stage = await inCall();
    await stage.clock.advance(2_000);
    stage.recordingSinceMs = stage.clock.now();
    await stage.command(pause);
    await stage.clock.advance(minutes(2));
    stage.recordingSinceMs = null;
    await stage.end('removed');
    expect(stage.attended?.end.code).toBe('BOT_REMOVED_TOO_EARLY');
    expect(stage.did).toContain('evidence BOT_REMOVED_TOO_EARLY without an image');
  });
});
