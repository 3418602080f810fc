import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@rapporteur/async/testing';
import { segmentKeys } from '../recording/segment-record.ts';
import type { ReportBody } from '../reporting/reporter.ts';
import { quietLogger } from '../testing/quiet-logger.ts';
import { GrantRefused } from '../upload/grant-store.ts';
import type { GrantStore } from '../upload/grant-store.ts';
import type { StoryEvent } from '../story/story-event.ts';
import { finalize } from './finalize.ts';
import type { InCallFiles } from './in-call-files.ts';
import type { Finalized } from './finalize.ts';
import { writeIntegrity } from './integrity.ts';

let workFolder = '';
let clock: FakeClock;
let reports: ReportBody[] = [];
beforeEach(async () => {
  workFolder = await mkdtemp(join(tmpdir(), 'finalize-'));
  clock = new FakeClock();
  reports = [];
});
afterEach(() => rm(workFolder, { recursive: true, force: true }));

const minuteMs = 60_000;
const bytes = Buffer.from('no media');
const record = {
  version: 1,
  attempt: 1,
  fencing: 1,
  sequence: 1,
  startMs: 0,
  endMs: 2_000,
  bytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  startedAtMs: 1_000,
  pauses: [],
  gapBefore: null,
  resourceUsage: null,
  events: [],
};
function box(type: string, headerBytes: number, content: Buffer): Buffer {
  const head = Buffer.alloc(8 + headerBytes);
  head.writeUInt32BE(head.length + content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** The requested start of a recording, which contains its audio encoding. */
const inner = box('stsd', 8, box('Opus', 28, box('dOps', 0, Buffer.alloc(11))));
const outer = ['stbl', 'minf', 'mdia', 'trak', 'moov'];
const init = outer.reduce((content, type) => box(type, 0, content), inner);

/** Data of a failed run: the record of its fragment is valid, the media is not. */
const fragments = new Map<string, Buffer>([
  [segmentKeys.init(1), init],
  [segmentKeys.fragment(1, 1), bytes],
  [segmentKeys.record(1, 1), Buffer.from(JSON.stringify(record))],
]);

/** Storage that is unavailable until `backAtMs`. */
function storeFrom(backAtMs: number, objects: ReadonlyMap<string, Buffer>): GrantStore {
  const response = async <T>(value: T): Promise<T> => {
    if (clock.now() < backAtMs) throw new Error('The storage service responded with HTTP 503.');
    return value;
  };
  return {
    list: () => response([...objects].map(([key, { length }]) => ({ key, bytes: length }))),
    get: (key) => response(objects.get(key) ?? null),
    put: () => Promise.reject(new Error('Nothing is stored here.')),
    release: () => Promise.reject(new Error('Nothing is given up here.')),
  };
}

async function finalizeFrom(store: GrantStore, inCall: InCallFiles | null = null): Promise<Finalized['outcome']> {
  let outcome: Finalized['outcome'] | null = null;
  const finished = finalize({
    store,
    workFolder,
    ffmpegPath: '/nowhere/ffmpeg',
    platform: 'meet',
    mode: 'speaker_view',
    participantAudio: false,
    earlierRuns: true,
    inCall,
    resourceUsage: () => ({ attempt: 2, complete: true, cpuMs: 0, peakMemoryBytes: 0, uploadedBytes: 0 }),
    report: (body) => reports.push(body),
    clock,
    logger: quietLogger,
    signal: new AbortController().signal,
  }).then((finalized) => (outcome = finalized.outcome));
  while (outcome === null) {
    if (clock.sleeping > 0) await clock.advance(1_000);
    else await new Promise((resolve) => setImmediate(resolve));
  }
  return await finished;
}

describe('a recording is reported lost', () => {
  test('when nothing of it is in the store', async () => {
    expect(await finalizeFrom(storeFrom(0, new Map()))).toBe('lost');
    expect(reports).toEqual([{ kind: 'recording-lost', message: 'Nothing of the recording was stored.' }]);
  });

  const caption = (id: string, text: string, startMs: number): StoryEvent => ({
    kind: 'caption',
    id,
    participantId: null,
    name: null,
    text,
    language: 'en',
    isFinal: true,
    startMs,
    endMs: startMs + 500,
  });
  const linesOf = (content: Buffer | undefined): unknown[] =>
    String(content)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown);
  /** Takes what it is sent. */
  const takingStore = (objects: ReadonlyMap<string, Buffer>): { store: GrantStore; stored: Map<string, Buffer> } => {
    const stored = new Map<string, Buffer>();
    const put: GrantStore['put'] = async ({ key, content }) => {
      const taken =
        'bytes' in content ? Buffer.from(content.bytes) : await readFile('file' in content ? content.file : '');
      stored.set(key, taken);
      return { bytes: taken.length, sha256: createHash('sha256').update(taken).digest('hex') };
    };
    return { store: { ...storeFrom(0, objects), put }, stored };
  };

  test('and its captions are kept, from the records of the run that failed', async () => {
    const events = [caption('b', 'Second.', 9_000), caption('a', 'First.', 5_000)];
    const { store, stored } = takingStore(
      new Map([[segmentKeys.record(1, 1), Buffer.from(JSON.stringify({ ...record, events }))]]),
    );
    expect(await finalizeFrom(store)).toBe('lost');
    expect(linesOf(stored.get('artifacts/captions.jsonl'))).toMatchObject([
      { text: 'First.', start: 0, end: 0.5 },
      { text: 'Second.', start: 4, end: 4.5 },
    ]);
    expect(reports).toMatchObject([
      { kind: 'recording-lost', artifacts: [{ kind: 'captions', key: 'artifacts/captions.jsonl' }] },
    ]);
  });

  test('and its captions are kept, from the memory of the run itself', async () => {
    const inCall = {
      material: null,
      events: [caption('a', 'Only this.', 5_000)],
      close: async () => undefined,
    } as unknown as InCallFiles;
    const { store, stored } = takingStore(new Map());
    expect(await finalizeFrom(store, inCall)).toBe('lost');
    expect(linesOf(stored.get('artifacts/captions.jsonl'))).toMatchObject([{ text: 'Only this.' }]);
    expect(reports).toMatchObject([{ artifacts: [{ kind: 'captions' }] }]);
  });

  test('also when its captions cannot be stored', async () => {
    const inCall = { material: null, events: [caption('a', 'Gone.', 0)], close: async () => undefined };
    const refused = { ...storeFrom(0, new Map()), put: () => Promise.reject(new GrantRefused('another run')) };
    expect(await finalizeFrom(refused, inCall as unknown as InCallFiles)).toBe('lost');
    expect(reports).toEqual([{ kind: 'recording-lost', message: 'Nothing of the recording was stored.' }]);
  });

  test('when no fragment of it can be read', async () => {
    expect(await finalizeFrom(storeFrom(0, fragments))).toBe('lost');
    expect(reports).toMatchObject([{ message: expect.stringMatching(/^There is nothing to finish/) }]);
  });
});

describe('a recording is left to another run, and nothing is reported,', () => {
  test('when the store stays away for half an hour', async () => {
    const begunMs = clock.now();
    expect(await finalizeFrom(storeFrom(Infinity, fragments))).toBe('given-up');
    expect(clock.now() - begunMs).toBeGreaterThan(29 * minuteMs);
    expect(reports).toEqual([]);
  });

  test('when the work disk takes no files', async () => {
    await writeFile(join(workFolder, 'artifacts'), 'a file where a folder is wanted');
    expect(await finalizeFrom(storeFrom(0, fragments))).toBe('given-up');
    expect(reports).toEqual([]);
  });

  test('when the work disk cannot be read', async () => {
    await writeFile(join(workFolder, 'segments'), 'a file where a folder is wanted');
    expect(await finalizeFrom(storeFrom(0, fragments))).toBe('given-up');
    expect(reports).toEqual([]);
  });
});

test('a store that is away for ten minutes is waited for', async () => {
  const begunMs = clock.now();
  expect(await finalizeFrom(storeFrom(begunMs + 10 * minuteMs, new Map()))).toBe('lost');
  expect(clock.now() - begunMs).toBeGreaterThanOrEqual(10 * minuteMs);
});

test('what a recording is made of is read by its own user alone', async () => {
  expect(await finalizeFrom(storeFrom(0, fragments))).toBe('lost');
  await writeIntegrity({} as Parameters<typeof writeIntegrity>[0], join(workFolder, 'artifacts'));
  const modes = ['segments', 'artifacts', 'artifacts/integrity.json'].map(
    async (name) => (await stat(join(workFolder, name))).mode & 0o777,
  );
  expect(await Promise.all(modes)).toEqual([0o700, 0o700, 0o600]);
});
