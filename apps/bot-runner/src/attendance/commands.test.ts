import { describe, expect, test } from '@jest/globals';
import { inCall, AttendanceHarness } from '../testing/attendance-harness.ts';

const pause = { kind: 'pause-recording', chatMessage: null } as const;
const resume = { kind: 'resume-recording', chatMessage: null } as const;
const write = { kind: 'send-chat-message', message: 'Good morning' } as const;
const minutes = (count: number): number => count * 60_000;

describe('a message for the chat', () => {
  test('is sent while the bot is in the call, also in a pause', async () => {
    const harness = await inCall();
    expect(await harness.command(write)).toMatchObject({ outcome: 'done' });
    await harness.command(pause);
    expect(await harness.command(write)).toMatchObject({ outcome: 'done' });
    expect(harness.did.filter((line) => line === 'chat Good morning')).toHaveLength(2);
  });

  test('is refused before the bot is in, and when it is leaving', async () => {
    const harness = new AttendanceHarness();
    await harness.waitInLobby();
    expect(await harness.command(write)).toMatchObject({ outcome: 'refused' });
    harness.signals.leave.abort();
    expect(await harness.command(write)).toEqual({
      outcome: 'refused',
      message: 'The bot is leaving the meeting, so it cannot write in the chat.',
    });
    expect(harness.did).not.toContain('chat Good morning');
  });

  test('says whether the chat is closed to the bot or did not work', async () => {
    const harness = await inCall();
    harness.chat = { sent: false, reason: 'organizer_disabled', what: 'The meeting shows no chat button.' };
    expect(await harness.command(write)).toEqual({
      outcome: 'unavailable',
      message: 'The message could not be sent. The meeting shows no chat button.',
    });
    harness.chat = { sent: false, reason: 'send_failed', what: 'It stayed in the field.' };
    expect(await harness.command(write)).toMatchObject({ outcome: 'failed' });
  });
});

describe('whether there is a chat', () => {
  const chatStatus = (harness: AttendanceHarness) => harness.reports.filter(({ kind }) => kind === 'chat-status');

  test('is said once after joining, from the entry message', async () => {
    const harness = await inCall();
    await harness.command(write);
    expect(chatStatus(harness)).toEqual([{ kind: 'chat-status', available: true, reason: null }]);
  });

  test.each([null, 'Hello'])('or from the chat itself; here it is closed (entry message %s)', async (message) => {
    const harness = new AttendanceHarness({ entry_message: message });
    harness.chat = { sent: false, reason: 'organizer_disabled', what: 'No button.' };
    await harness.admit();
    expect(chatStatus(harness)).toEqual([{ kind: 'chat-status', available: false, reason: 'organizer_disabled' }]);
  });

  const notThere = { sent: false, reason: 'panel_not_attached', what: 'It did not open.', mayCome: true } as const;

  test.each([
    notThere,
    { ...notThere, reason: 'organizer_disabled', what: 'No button.' },
    { ...notThere, reason: 'send_failed', what: 'The send button could not be pressed.' },
  ] as const)('is found out for a minute where the page is still building it ($what)', async (refusal) => {
    const harness = new AttendanceHarness();
    harness.chat = refusal;
    await harness.admit();
    await harness.clock.advance(24_000);
    expect(chatStatus(harness)).toEqual([]);
    harness.chat = { sent: true };
    await harness.clock.advance(5_000);
    expect(chatStatus(harness)).toEqual([{ kind: 'chat-status', available: true, reason: null }]);
    await harness.clock.advance(60_000);
    expect(chatStatus(harness)).toHaveLength(1);
  });

  test('is said after a minute in vain, and again when another page has one', async () => {
    const harness = new AttendanceHarness();
    harness.chat = notThere;
    await harness.admit();
    await harness.clock.advance(66_000);
    expect(chatStatus(harness)).toEqual([{ kind: 'chat-status', available: false, reason: 'panel_not_attached' }]);
    const tries = harness.did.filter((line) => line.startsWith('chat')).length;
    expect(tries).toBe(13);
    harness.chat = { sent: true };
    await harness.end('page-crashed');
    await harness.admit();
    expect(chatStatus(harness).slice(1)).toEqual([{ kind: 'chat-status', available: true, reason: null }]);
  });

  test('an entry message that may have been sent is not sent again, not even with another page', async () => {
    const harness = new AttendanceHarness();
    harness.chat = { sent: false, reason: 'send_failed', what: 'It was not shown.' };
    await harness.admit();
    await harness.clock.advance(66_000);
    await harness.end('page-crashed');
    await harness.admit();
    expect(harness.did.filter((line) => line.startsWith('chat'))).toHaveLength(1);
  });

  test('is not said of a bot that never got in', async () => {
    const harness = new AttendanceHarness();
    await harness.turnAway('denied');
    expect(chatStatus(harness)).toEqual([]);
  });
});

describe('a pause of the recording', () => {
  test('is announced in the chat first, then made, then reported; so is its end', async () => {
    const harness = await inCall();
    expect(await harness.command({ ...pause, chatMessage: 'A moment' })).toEqual({
      outcome: 'done',
      message: 'The recording is paused.',
    });
    expect(await harness.command({ ...resume, chatMessage: 'On again' })).toMatchObject({ outcome: 'done' });
    expect(harness.did).toEqual(['chat Hello', 'chat A moment', 'paused', 'chat On again', 'resumed']);
    expect(harness.statuses.slice(-3)).toEqual(['in_call_recording', 'recording_paused', 'recording_resumed']);
    expect(harness.frames.slice(-2)).toEqual(['held', 'on again']);
  });

  test('takes place although the chat is closed, and the answer says so', async () => {
    const harness = await inCall();
    harness.chat = { sent: false, reason: 'organizer_disabled', what: 'No button.' };
    expect(await harness.command({ ...pause, chatMessage: 'A moment' })).toEqual({
      outcome: 'done',
      message: 'The recording is paused. The chat message could not be sent. No button.',
    });
  });

  test('follows a recording, its end follows a pause; anything else is refused and does nothing', async () => {
    const harness = new AttendanceHarness();
    expect(await harness.command(pause)).toMatchObject({ outcome: 'refused' });
    await harness.admit();
    expect(await harness.command({ ...resume, chatMessage: 'On again' })).toEqual({
      outcome: 'refused',
      message: 'The bot is recording, so the recording cannot be resumed.',
    });
    await harness.command(pause);
    expect(await harness.command(pause)).toEqual({
      outcome: 'refused',
      message: 'The recording is paused, so the recording cannot be paused.',
    });
    expect(harness.did).toEqual(['chat Hello', 'paused']);
  });

  test('that the page does not make is none', async () => {
    const harness = await inCall();
    harness.recorderStuck = true;
    expect(await harness.command(pause)).toMatchObject({ outcome: 'failed' });
    expect(harness.statuses.at(-1)).toBe('in_call_recording');
    harness.recorderStuck = false;
    expect(await harness.command(pause)).toMatchObject({ outcome: 'done' });
  });

  test('is not made when its time is up before', async () => {
    const harness = await inCall();
    expect(await harness.command(pause, AbortSignal.abort())).toMatchObject({ outcome: 'failed' });
    expect(harness.did).not.toContain('paused');
  });

  test('may be silent while participants are present', async () => {
    const harness = await inCall();
    harness.appears('Alice');
    await harness.command(pause);
    await harness.clock.advance(minutes(30));
    expect(harness.attended).toBeNull();
    await harness.command(resume);
    await harness.clock.advance(290_000);
    expect(harness.attended).toBeNull();
    await harness.clock.advance(20_000);
    expect(harness.attended?.end.code).toBe('NO_SPEAKER');
  });

  test('does not keep the bot in a meeting that everybody who counts has left', async () => {
    const harness = await inCall();
    harness.appears('Alice');
    await harness.command(pause);
    await harness.clock.advance(minutes(20));
    harness.leave();
    harness.appears('other bot');
    await harness.clock.advance(59_000);
    expect(harness.attended).toBeNull();
    await harness.clock.advance(2_000);
    expect(harness.attended?.end.code).toBe('NO_ATTENDEES');
  });

  test('is no stalled recording, and after it a new observation begins', async () => {
    const harness = await inCall();
    harness.appears('Alice');
    await harness.command(pause);
    harness.audioArrives = false;
    await harness.clock.advance(minutes(2));
    expect(harness.attended).toBeNull();
    await harness.command(resume);
    await harness.clock.advance(7_000);
    expect(harness.did).not.toContain('capture released');
    await harness.clock.advance(3_000);
    expect(harness.did).toContain('capture released');
  });

  test('does not count as recorded, and a bot removed in it shows no picture of the meeting', async () => {
    const harness = await inCall();
    await harness.clock.advance(2_000);
    harness.recordingSinceMs = harness.clock.now();
    await harness.command(pause);
    await harness.clock.advance(minutes(2));
    harness.recordingSinceMs = null;
    await harness.end('removed');
    expect(harness.attended?.end.code).toBe('BOT_REMOVED_TOO_EARLY');
    expect(harness.did).toContain('evidence BOT_REMOVED_TOO_EARLY without an image');
  });
});
