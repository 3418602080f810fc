import { describe, expect, test } from '@jest/globals';
import { FakeClock } from '@rapporteur/async/testing';
import { quietLogger } from '../../testing/quiet-logger.ts';
import { RepeatedWarnings } from '../repeated-warnings.ts';
import { TranscriptFeed } from './transcript-feed.ts';

class Receiver {
  readonly clock = new FakeClock();
  readonly sent: { event: string; sequence: number | null; text: string }[] = [];
  isTaking = true;
  waitingBytes = 0;
  readonly feed = new TranscriptFeed({
    send: (message) => {
      if (!this.isTaking) return false;
      const { event, data } = JSON.parse(String(message)) as {
        event: string;
        data: { sequence: number | null; text: string };
      };
      this.sent.push({ event, sequence: data.sequence, text: data.text });
      return true;
    },
    waitingBytes: () => this.waitingBytes,
    extra: null,
    clock: this.clock,
    warnings: new RepeatedWarnings(this.clock, quietLogger),
  });

  final(text: string): void {
    this.feed.add('transcript.segment', { text });
  }

  partial(text: string): void {
    this.feed.partial('transcript.segment', { text });
  }

  get texts(): string[] {
    return this.sent.splice(0).map(({ text }) => text);
  }
}

describe('the feed of a transcript', () => {
  test('numbers final segments without a gap, and partial ones not at all', () => {
    const receiver = new Receiver();
    receiver.feed.connected();
    receiver.feed.add('session.started', { text: '' });
    receiver.partial('a');
    receiver.final('ab');
    expect(receiver.sent.map(({ sequence }) => sequence)).toEqual([1, null, 2]);
    expect(receiver.feed.nextSequence).toBe(3);
  });

  test('keeps final segments for a receiver that is away, and drops partial ones', async () => {
    const receiver = new Receiver();
    receiver.final('one');
    receiver.partial('tw');
    receiver.final('two');
    expect(receiver.texts).toEqual([]);
    receiver.feed.connected();
    await receiver.clock.advance(1_000);
    expect(receiver.texts).toEqual(['one', 'two']);
  });

  test('goes on after the number that the receiver names, and sends nothing before it said so', async () => {
    const receiver = new Receiver();
    receiver.feed.connected();
    for (const text of ['one', 'two', 'three']) receiver.final(text);
    receiver.feed.lost();
    receiver.final('four');
    receiver.sent.splice(0);
    receiver.feed.connected();
    receiver.partial('fi');
    expect(receiver.texts).toEqual([]);
    expect(receiver.feed.take('{"type":"resume","after":2}')).toBe(true);
    expect(receiver.texts).toEqual(['three', 'four']);
    await receiver.clock.advance(5_000);
    expect(receiver.texts).toEqual([]);
  });

  test('repeats what was sent in the last ten seconds when the receiver names no number', async () => {
    const receiver = new Receiver();
    receiver.feed.connected();
    receiver.final('old');
    await receiver.clock.advance(20_000);
    receiver.final('new');
    receiver.feed.lost();
    receiver.sent.splice(0);
    receiver.feed.connected();
    await receiver.clock.advance(1_000);
    expect(receiver.texts).toEqual(['new']);
  });

  test('drops partial segments before it delays final ones when the receiver is slow', async () => {
    const receiver = new Receiver();
    receiver.feed.connected();
    receiver.waitingBytes = 20_000;
    receiver.partial('a');
    receiver.final('one');
    receiver.isTaking = false;
    receiver.final('two');
    receiver.waitingBytes = 0;
    receiver.partial('b');
    expect(receiver.texts).toEqual(['one']);
    receiver.isTaking = true;
    await receiver.clock.advance(200);
    expect(receiver.texts).toEqual(['two']);
    receiver.partial('c');
    expect(receiver.texts).toEqual(['c']);
  });

  test.each(['', '{"type":"clear"}', '{"type":"resume"}', '{"type":"resume","after":-1}', '['])(
    'does not take the message %j',
    (message) => {
      expect(new Receiver().feed.take(message)).toBe(false);
    },
  );
});
