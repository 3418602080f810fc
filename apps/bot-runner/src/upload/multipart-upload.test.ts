import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { FakeClock } from '@rapporteur/async/testing';
import { quietLogger } from '../testing/quiet-logger.ts';
import { GrantRefused, UploadGone } from './grant-store.ts';
import type { MultipartStore } from './grant-store.ts';
import { MultipartUpload } from './multipart-upload.ts';

const hashOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const span = (text: string) => [{ bytes: Buffer.from(text) }];
const artifact = { name: 'video', bytes: 11, head: span('head'), parts: 2, tail: span('end') } as const;

function setUp(fails: (call: string, calls: readonly string[]) => Error | null = () => null) {
  const clock = new FakeClock();
  const calls: string[] = [];
  const call = (name: string): void => {
    calls.push(name);
    const error = fails(name, calls);
    if (error !== null) throw error;
  };
  const store: MultipartStore = {
    start: async (key, type) => {
      call(`start ${key} ${type}`);
      return 'U';
    },
    put: async ({ upload }, part, bytes) => {
      call(`put ${upload} ${part} ${String(bytes)}`);
      return hashOf(bytes);
    },
    finish: async (_upload, { parts, tail }) => call(`finish ${parts} ${tail}`),
    drop: async () => call('drop'),
  };
  const upload = new MultipartUpload({ key: 'v.mp4', contentType: 'video/mp4', store, clock, logger: quietLogger });
  upload.add(1, span('one'));
  upload.add(2, [...span('t'), ...span('wo')]);
  return { clock, calls, upload };
}

describe('an upload that grows', () => {
  test('sends the parts in order, then the end and the beginning, and says what is stored', async () => {
    const { calls, upload } = setUp();
    const receipt = await upload.finish(artifact);
    expect(calls).toEqual([
      'start v.mp4 video/mp4',
      'put U 1 one',
      'put U 2 two',
      'put U tail end',
      'put U head head',
      'finish 2 true',
    ]);
    const hashes = ['head', 'one', 'two', 'end'].map((text) => hashOf(Buffer.from(text)));
    expect(receipt).toEqual({ bytes: 11, sha256: `${hashOf(Buffer.concat(hashes)).toString('hex')}-4` });
    await upload.close();
    await upload.close();
    expect(calls.at(-1)).toBe('finish 2 true');
  });

  test('tries a part again until it is stored', async () => {
    const { clock, calls, upload } = setUp((call, calls_) =>
      call === 'put U 1 one' && calls_.length < 4 ? new Error('away') : null,
    );
    const stored = upload.finish(artifact);
    for (const ms of [500, 1_000, 2_000]) await clock.advance(ms);
    expect(await stored).not.toBeNull();
    expect(calls.filter((call) => call === 'put U 1 one').length).toBe(3);
  });

  test.each([
    ['forgot it', new UploadGone('gone')],
    ['refuses the grant', new GrantRefused('fenced')],
  ])('is given up when the store %s, and leaves nothing there', async (_what, error) => {
    const { calls, upload } = setUp((call) => (call.startsWith('put U 2') ? error : null));
    expect(await upload.finish(artifact)).toBeNull();
    expect(calls.at(-1)).toBe('put U 2 two');
    await upload.close();
    expect(calls.at(-1)).toBe('drop');
  });

  test('ends at once when it is closed, also in the middle of its tries', async () => {
    const { calls, upload } = setUp((call) => (call.startsWith('put') ? new Error('away') : null));
    const stored = upload.finish(artifact);
    await upload.close();
    expect(await stored).toBeNull();
    expect(calls.filter((call) => call.startsWith('finish'))).toEqual([]);
  });
});
