import { describe, expect, test } from '@jest/globals';
import { FakeClock } from '@rapporteur/async/testing';
import type { ReportBody } from '../reporting/reporter.ts';
import { quietLogger } from '../testing/quiet-logger.ts';
import type { PutObject, PutReceipt } from '../upload/grant-store.ts';
import { mostScreenshots, Screenshots } from './screenshots.ts';

function setUp(attempt = 1) {
  const clock = new FakeClock();
  const page = { bytes: 40_000, shown: true, onShot: (): void => undefined };
  const qualities: number[] = [];
  const stored: string[] = [];
  const reports: ReportBody[] = [];
  const storage = { add: async ({ key }: PutObject): Promise<PutReceipt | null> => (stored.push(key), receipt) };
  const receipt = { bytes: 1, sha256: '' };
  const screenshots = new Screenshots({
    screenshot: async (quality) => {
      qualities.push(quality);
      page.onShot();
      return page.shown ? Buffer.alloc(page.bytes) : null;
    },
    uploads: { add: (object) => storage.add(object) },
    report: (body) => reports.push(body),
    attempt,
    clock,
    logger: quietLogger,
  });
  return { clock, page, qualities, stored, reports, storage, screenshots };
}

describe('Screenshots', () => {
  test('are numbered, stored and reported in their order, and every minute of the call', async () => {
    const { clock, stored, reports, screenshots } = setUp();
    await screenshots.take('lobby');
    screenshots.start();
    await clock.advance(120_000);
    expect(stored).toEqual(['screenshots/000001.jpg', 'screenshots/000002.jpg', 'screenshots/000003.jpg']);
    expect(reports[2]).toEqual({
      kind: 'screenshot',
      number: 3,
      key: 'screenshots/000003.jpg',
      takenAt: new Date(clock.now()).toISOString(),
    });
    await screenshots.close(1_000);
    await clock.advance(300_000);
    expect(stored).toHaveLength(3);
  });

  test('of another attempt of the same bot never replace those of the first', async () => {
    const { screenshots, stored } = setUp(2);
    await screenshots.take('lobby');
    expect(stored).toEqual(['screenshots/001001.jpg']);
  });

  test('none is taken in a pause, and none that was just being taken when it began is kept', async () => {
    const { page, stored, qualities, screenshots } = setUp();
    page.onShot = () => screenshots.hold();
    await screenshots.take('minute');
    await screenshots.take('minute');
    expect([qualities.length, stored]).toEqual([1, []]);
    page.onShot = () => undefined;
    screenshots.resume();
    await screenshots.take('minute');
    expect(stored).toEqual(['screenshots/000001.jpg']);
  });

  test('follow the page with their quality, so that each stays small', async () => {
    const { page, qualities, screenshots } = setUp();
    page.bytes = 90_000;
    for (let index = 0; index < 6; index += 1) await screenshots.take('minute');
    page.bytes = 10_000;
    for (let index = 0; index < 2; index += 1) await screenshots.take('minute');
    expect(qualities).toEqual([60, 50, 40, 30, 25, 25, 25, 35]);
  });

  test('a page that shows nothing and storage that takes nothing cost a picture, not the meeting', async () => {
    const { page, storage, reports, screenshots } = setUp();
    page.shown = false;
    await screenshots.take('minute');
    page.shown = true;
    const { add } = storage;
    storage.add = async () => null;
    await screenshots.take('minute');
    storage.add = add;
    await screenshots.take('minute');
    expect(reports).toMatchObject([{ number: 2 }]);
  });

  test('are at most 500', async () => {
    const { screenshots, stored } = setUp();
    for (let index = 0; index < mostScreenshots + 5; index += 1) await screenshots.take('minute');
    expect(stored).toHaveLength(mostScreenshots);
  });

  test('closing waits for what is being stored, but not for ever, and reports nothing later', async () => {
    const { clock, storage, reports, screenshots } = setUp();
    const slow = Promise.withResolvers<PutReceipt>();
    storage.add = () => slow.promise;
    await screenshots.take('end');
    let closed = false;
    void screenshots.close(1_500).then(() => (closed = true));
    await clock.advance(1_400);
    expect(closed).toBe(false);
    await clock.advance(200);
    expect(closed).toBe(true);
    slow.resolve({ bytes: 1, sha256: '' });
    await clock.advance(0);
    expect(reports).toEqual([]);
  });
});
