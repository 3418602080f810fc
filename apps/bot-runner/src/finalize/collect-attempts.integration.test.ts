import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '@rapporteur/service-runtime/process';
import { joinFragment } from '../upload/fragment-object.ts';
import { segmentKeys } from '../recording/segment-record.ts';
import type { SegmentRecord } from '../recording/segment-record.ts';
import { quietLogger } from '../testing/quiet-logger.ts';
import type { GrantStore } from '../upload/grant-store.ts';
import { collectAttempts } from './collect-attempts.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'collect-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const media = (sequence: number): Buffer => Buffer.from(`media of ${sequence}`);
const resourceUsageAt = (sequence: number) => ({ cpuMs: sequence * 100, peakMemoryBytes: 5, uploadedBytes: sequence });
const recordOf = (sequence: number): SegmentRecord => ({
  version: 1,
  attempt: 1,
  fencing: 1,
  sequence,
  startMs: (sequence - 1) * 2_000,
  endMs: sequence * 2_000,
  bytes: media(sequence).length,
  sha256: createHash('sha256').update(media(sequence)).digest('hex'),
  startedAtMs: 1_000,
  pauses: [],
  gapBefore: null,
  resourceUsage: resourceUsageAt(sequence),
  events: [],
});
const storeWith = (objects: ReadonlyMap<string, Uint8Array>): GrantStore => ({
  list: async () => [...objects].map(([key, { length: bytes }]) => ({ key, bytes })),
  get: async (key) => objects.get(key) ?? null,
  put: () => Promise.reject(new Error('Nothing is stored here.')),
  release: () => Promise.reject(new Error('Nothing is given up here.')),
});

const options = {
  timeoutMs: 1_000,
  clock: systemClock,
  logger: quietLogger,
  signal: new AbortController().signal,
};

describe('collecting the pieces of a recording', () => {
  test('empties what came back changed, leaves what is right, and knows what the dead run had spent', async () => {
    const objects = new Map<string, Uint8Array>([[segmentKeys.init(1), Buffer.from('beginning')]]);
    for (const sequence of [1, 2, 3]) {
      objects.set(segmentKeys.fragment(1, sequence), sequence === 2 ? Buffer.from('media of 9') : media(sequence));
      objects.set(segmentKeys.record(1, sequence), Buffer.from(JSON.stringify(recordOf(sequence))));
    }
    // Already on this disk and intact; it is never requested from the store.
    const own = join(folder, segmentKeys.fragment(1, 3));
    await mkdir(dirname(own), { recursive: true });
    await writeFile(own, media(3));
    objects.set(segmentKeys.fragment(1, 3), Buffer.from('changed'));
    const [attempt] = await collectAttempts({ ...options, workFolder: folder, store: storeWith(objects) });
    const contents = await Promise.all(attempt?.fragments.map(({ file }) => readFile(file, 'utf8')) ?? []);
    expect(contents).toEqual(['media of 1', '', 'media of 3']);
    expect(attempt).toMatchObject({ resourceUsage: resourceUsageAt(3), end: null, startedAtMs: 1_000 });
  });

  test('keeps the media beside an event that cannot be read, and states the loss', async () => {
    const workFolder = join(folder, 'unreadable');
    const chat = { kind: 'chat', id: '1', senderId: null, senderName: 'Ada', text: 'hi', sentAtMs: 1_500, own: false };
    const objects = new Map<string, Uint8Array>([[segmentKeys.init(1), Buffer.from('beginning')]]);
    for (const [sequence, events] of [[chat, { kind: 'of another release' }, { ...chat, text: 7 }], {}].entries()) {
      const record = Buffer.from(JSON.stringify({ ...recordOf(sequence + 1), events }));
      objects.set(segmentKeys.fragment(1, sequence + 1), joinFragment(media(sequence + 1), record));
    }
    const [attempt] = await collectAttempts({ ...options, workFolder, store: storeWith(objects) });
    const contents = await Promise.all(attempt?.fragments.map(({ file }) => readFile(file, 'utf8')) ?? []);
    expect(contents).toEqual(['media of 1', 'media of 2']);
    expect(attempt).toMatchObject({ events: [chat], eventsLost: 3 });
  });

  test('takes fragments and records apart that are one object', async () => {
    const workFolder = join(folder, 'joined');
    const objects = new Map<string, Uint8Array>([[segmentKeys.init(1), Buffer.from('beginning')]]);
    for (const sequence of [1, 2, 3]) {
      const bytes = sequence === 2 ? Buffer.from('media of 9') : media(sequence);
      const record = Buffer.from(JSON.stringify(recordOf(sequence)));
      objects.set(segmentKeys.fragment(1, sequence), joinFragment(bytes, record));
    }
    const [attempt] = await collectAttempts({ ...options, workFolder, store: storeWith(objects) });
    const contents = await Promise.all(attempt?.fragments.map(({ file }) => readFile(file, 'utf8')) ?? []);
    expect(contents).toEqual(['media of 1', '', 'media of 3']);
    expect(attempt?.fragments.map(({ record }) => record)).toEqual([1, 2, 3].map(recordOf));
  });
});
