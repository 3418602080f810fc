import { describe, expect, test } from '@jest/globals';
import { TileStream } from '../strategies/gallery-video.page.ts';

interface FakeFrame {
  readonly name: string;
  open: boolean;
}

const frame = (name: string): VideoFrame & FakeFrame => {
  const made = { name, open: true, close: () => void (made.open = false) };
  return made as unknown as VideoFrame & FakeFrame;
};

function opened(first: VideoFrame | null = null) {
  const reported: string[] = [];
  let controller: ReadableStreamDefaultController<VideoFrame> | null = null;
  const frames = new ReadableStream<VideoFrame>({
    start: (given) => void (controller = given),
    cancel: () => void reported.push('cancelled'),
  });
  const stream = new TileStream(
    frames,
    {
      arrived: () => reported.push('arrived'),
      ended: () => reported.push('ended'),
      report: (error) => reported.push(String(error)),
    },
    first,
  );
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
  return { stream, reported, source: controller!, settle };
}

const nameOf = (stream: TileStream): string | undefined => (stream.newest as unknown as FakeFrame | null)?.name;

describe('the stream of one seat', () => {
  test('keeps the newest frame and closes every other', async () => {
    const { stream, reported, source, settle } = opened();
    const frames = [frame('1'), frame('2'), frame('3')];
    for (const one of frames) source.enqueue(one);
    await settle();
    expect([nameOf(stream), stream.fresh, reported]).toEqual(['3', true, ['arrived', 'arrived', 'arrived']]);
    expect(frames.map(({ open }) => open)).toEqual([false, false, true]);
    source.close();
    await settle();
    // A seat whose stream has ended shows its name only after its owner requests it.
    expect([reported.at(-1), nameOf(stream)]).toEqual(['ended', '3']);
  });

  test('shows the previous content until its own first frame', async () => {
    const before = frame('before');
    const { stream, source, settle } = opened(before);
    expect([nameOf(stream), stream.fresh]).toEqual(['before', false]);
    source.enqueue(frame('new'));
    await settle();
    expect([nameOf(stream), before.open]).toEqual(['new', false]);
  });

  test('lets go of everything when it is closed, also of what comes too late', async () => {
    const { stream, reported, source, settle } = opened();
    const [shown, late] = [frame('shown'), frame('late')];
    source.enqueue(shown);
    await settle();
    source.enqueue(late);
    stream.close();
    await settle();
    expect([nameOf(stream), shown.open, late.open]).toEqual([undefined, false, false]);
    expect(reported).toEqual(['arrived', 'cancelled']);
  });

  test('hands its frame over open', async () => {
    const { stream, source, settle } = opened();
    const shown = frame('shown');
    source.enqueue(shown);
    await settle();
    expect(stream.release()).toBe(shown);
    expect([shown.open, stream.newest]).toEqual([true, null]);
  });

  test('reports a stream that failed, and its end', async () => {
    const { reported, source, settle } = opened();
    source.error(new Error('It broke.'));
    await settle();
    expect(reported).toEqual(['Error: It broke.', 'ended']);
  });
});
