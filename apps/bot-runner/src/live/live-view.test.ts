import { expect, test } from '@jest/globals';
import { FakeClock } from '@rapporteur/async/testing';
import { liveView } from '@rapporteur/contracts';
import { MeetingStory } from '../story/meeting-story.ts';
import { LiveViews } from './live-view.ts';

function setUp(image: Buffer | null = Buffer.from('an image')) {
  const clock = new FakeClock();
  const story = new MeetingStory();
  let images = 0;
  let ready = 0;
  const screenshot = async (): Promise<Buffer | null> => {
    images += 1;
    return image;
  };
  const views = new LiveViews({ story, screenshot, clock, onReady: () => (ready += 1) });
  const turn = (turnId: number, name: string, change: 'started' | 'stopped') =>
    story.add({
      kind: 'speaker',
      change,
      turnId,
      participantId: null,
      name,
      startMs: clock.now(),
      endMs: null,
      source: 'roster',
      confidence: 1,
    });
  const say = (id: string, text: string) =>
    story.add({
      kind: 'caption',
      id,
      participantId: null,
      name: 'Ada',
      text,
      language: null,
      isFinal: true,
      startMs: clock.now(),
      endMs: clock.now(),
    });
  const write = (id: string, text: string) =>
    story.add({ kind: 'chat', id, senderId: null, senderName: 'Grace', text, sentAtMs: clock.now(), own: false });
  const readView = async () => {
    await views.want();
    return liveView.parse(views.take());
  };
  return { clock, views, turn, say, write, readView, counts: () => ({ images, ready }) };
}

test('shows who speaks, the last lines of captions and chat, and an image', async () => {
  const { turn, say, write, readView } = setUp();
  turn(1, 'Ada', 'started');
  turn(2, 'Grace', 'started');
  turn(2, 'Grace', 'stopped');
  say('1', 'A first version');
  say('1', 'Its correction');
  write('1', '<b>Hello</b>'.repeat(100));
  for (let number = 2; number < 40; number += 1) say(String(number), `Line ${number}`);
  const { speaking, transcript, chat, screenshot } = await readView();
  expect(speaking).toEqual(['Ada']);
  expect(transcript).toHaveLength(20);
  expect(transcript.at(-1)).toMatchObject({ name: 'Ada', text: 'Line 39' });
  expect(chat).toMatchObject([{ name: 'Grace', text: '<b>Hello</b>'.repeat(100).slice(0, 500) }]);
  expect(Buffer.from(screenshot?.image ?? '', 'base64').toString()).toBe('an image');
});

test('takes one image for all requests of five seconds, and a view is sent once', async () => {
  const { clock, readView, views, counts } = setUp();
  await readView();
  await readView();
  expect(counts()).toEqual({ images: 1, ready: 2 });
  expect(views.take()).toBeNull();
  await clock.advance(5_000);
  await readView();
  expect(counts().images).toBe(2);
});

test('shows nothing of a pause, neither during it nor after it', async () => {
  const { clock, views, turn, say, write, readView, counts } = setUp();
  turn(1, 'Ada', 'started');
  await views.want();
  views.recordingPaused();
  expect(views.take()).toBeNull();
  say('1', 'Off the record');
  write('1', 'Off the record');
  const { at, ...paused } = await readView();
  expect({ at, paused }).toMatchObject({ paused: { speaking: [], transcript: [], chat: [], screenshot: null } });
  expect(counts().images).toBe(1);
  views.recordingResumed();
  await clock.advance(1_000);
  say('2', 'On the record');
  const { transcript, chat } = await readView();
  expect({ transcript, chat }).toMatchObject({ transcript: [{ text: 'On the record' }], chat: [] });
});

test('is without an image where none can be taken or it is too large', async () => {
  expect((await setUp(null).readView()).screenshot).toBeNull();
  expect((await setUp(Buffer.alloc(160_000)).readView()).screenshot).toBeNull();
});
