import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordingFragment, StoredFragment } from '@rapporteur/recorder';
import { MeetingStory } from '../story/meeting-story.ts';
import { quietLogger } from '../testing/quiet-logger.ts';
import type { PutObject } from '../upload/grant-store.ts';
import { FragmentStore } from './fragment-store.ts';
import { segmentRecord } from './segment-record.ts';

const recorded = { startedAtMs: 1_000, pauses: [{ startMs: 1_500, endMs: 1_700 }] };
let workFolder: string;

beforeEach(async () => {
  workFolder = await mkdtemp(join(tmpdir(), 'fragment-store-'));
});
afterEach(() => rm(workFolder, { recursive: true, force: true }));

const fragment = (sequence: number): RecordingFragment => ({
  sequence,
  startMs: (sequence - 1) * 2_000,
  endMs: sequence * 2_000,
  bytes: new Uint8Array([sequence, 2, 3]),
  videoSamples: 60,
  audioSamples: 100,
  sha256: 'hash',
  gapBefore: null,
});

function open() {
  const uploads: PutObject[] = [];
  const kept: StoredFragment[] = [];
  const story = new MeetingStory();
  const store = new FragmentStore({
    identity: { botId: 'bot_1', attempt: 2, fencing: 7 },
    workFolder,
    story,
    uploads: { add: async (object) => void uploads.push(object) },
    resourceUsage: () => ({ cpuMs: 1, peakMemoryBytes: 2, uploadedBytes: 3 }),
    onKept: (one) => void kept.push(one),
    logger: quietLogger,
  });
  return { store, story, uploads, kept };
}

describe('the fragments of an attempt', () => {
  test('are on the disk with their records, and uploaded as one object each', async () => {
    const { store, story, uploads, kept } = open();
    story.add({ kind: 'chat', id: 'm', senderId: null, senderName: 'Ann', text: 'Hi', sentAtMs: 1, own: false });
    await store.keepFragment(fragment(1), recorded);
    await store.keepFragment(fragment(2), recorded);
    expect(uploads.map(({ key }) => key)).toEqual(['segments/0002/000001.m4s', 'segments/0002/000002.m4s']);
    const records = await Promise.all(
      ['000001', '000002'].map(async (name) =>
        segmentRecord.parse(JSON.parse(await readFile(join(workFolder, `segments/0002/${name}.json`), 'utf8'))),
      ),
    );
    expect(records[0]).toMatchObject({ attempt: 2, fencing: 7, bytes: 3, ...recorded });
    expect(records.map(({ events }) => events.length)).toEqual([1, 0]);
    expect([...(await readFile(kept[1]!.path))]).toEqual([2, 2, 3]);
    expect([store.hasContent, store.recordedMs]).toEqual([true, 4_000]);
  });

  test('are described only after the recording has started', async () => {
    const { store } = open();
    expect(store.material({ startedAtMs: null, pauses: [] })).toBeNull();
    expect(store.material(recorded)).toMatchObject({ startedAtMs: 1_000, recordedMs: 0, summary: null });
  });

  test('are neither written nor uploaded once another run writes', async () => {
    const { store, uploads, kept } = open();
    await store.keepInit(new Uint8Array([1]));
    store.fence();
    await store.keepInit(new Uint8Array([2]));
    await store.keepFragment(fragment(1), recorded);
    expect([uploads.length, kept.length, store.hasContent]).toEqual([1, 0, false]);
    expect(await readdir(join(workFolder, 'segments/0002'))).toEqual(['init.mp4']);
  });
});
