import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { retry } from '@rapporteur/async';
import type { Logger } from '@rapporteur/service-runtime/process';
import type { ResourceUsage } from '@rapporteur/contracts';
import type { RecordingPause } from '@rapporteur/recorder';
import { z } from 'zod';
import { splitFragment } from '../upload/fragment-object.ts';
import { attemptOf, endRecord, segmentKeys, segmentRecord, segmentsPrefix } from '../recording/segment-record.ts';
import type { EndRecord, SegmentRecord } from '../recording/segment-record.ts';
import { storyEvent } from '../story/story-event.ts';
import type { StoryEvent } from '../story/story-event.ts';
import { GrantRefused } from '../upload/grant-store.ts';
import type { GrantStore } from '../upload/grant-store.ts';
import type { RunContext } from '../run-context.ts';

/** The stored data of one attempt. */
export interface AttemptMaterial {
  readonly attempt: number;
  /** Local path; null when the init segment was not stored: no fragment of the attempt is playable. */
  readonly initFile: string | null;
  /** In order of sequence; only fragments with a record. */
  readonly fragments: readonly { readonly file: string; readonly record: Omit<SegmentRecord, 'events'> }[];
  readonly end: Omit<EndRecord, 'events'> | null;
  /** Epoch ms of its media time zero; null when no record contains it. */
  readonly startedAtMs: number | null;
  /** From its end record, or its last fragment record where it has none. */
  readonly pauses: readonly RecordingPause[];
  /** From its end record, or its last fragment record; null when neither has it. */
  readonly resourceUsage: ResourceUsage | null;
  readonly events: readonly StoryEvent[];
  /** Events in the records that cannot be read. */
  readonly eventsLost: number;
}

export interface CollectOptions extends Pick<RunContext, 'workFolder' | 'clock' | 'logger'> {
  /** Null: only what is on this disk, because no other run can have stored anything. */
  readonly store: GrantStore | null;
  /** Timeout of one request to the store. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const pauses = { firstMs: 1_000, longestMs: 30_000 } as const;
const parallelDownloads = 4;

/**
 * Collects the fragments of every attempt in the work folder and reads their records. A file from the store that
 * differs from what was recorded is emptied, so that it becomes a stated gap.
 * @throws Error when the store can't be read within `timeoutMs`, GrantRefused when this run may not
 */
export async function collectAttempts(options: CollectOptions): Promise<AttemptMaterial[]> {
  const { workFolder, store, logger } = options;
  const local = await localKeys(workFolder);
  const own = new Set(local);
  if (store !== null) {
    const listed = await withRetries(options, () => store.list(segmentsPrefix, options.signal));
    const missing = listed.map(({ key }) => key).filter((key) => attemptOf(key) !== null && !local.has(key));
    logger.info({ local: local.size, missing: missing.length }, 'Collecting the fragments of the recording.');
    await download(options, store, missing, local);
  }
  const attempts = [...new Set([...local].map(attemptOf))].filter((attempt) => attempt !== null).sort((a, b) => a - b);
  const read = await Promise.all(attempts.map((attempt) => readAttempt(workFolder, attempt, local)));
  for (const { attempt, eventsLost } of read)
    if (eventsLost > 0)
      logger.error({ attempt, eventsLost }, 'Events of the meeting cannot be read; the media is kept.');
  for (const { attempt, fragments } of read)
    for (const { file, record } of fragments)
      if (!own.has(segmentKeys.fragment(attempt, record.sequence))) await emptyUnlessRight(file, record, logger);
  return read;
}

async function download(
  options: CollectOptions,
  store: GrantStore,
  missing: readonly string[],
  local: Set<string>,
): Promise<void> {
  const left = [...missing];
  const worker = async (): Promise<void> => {
    for (let key = left.shift(); key !== undefined; key = left.shift()) {
      const wanted = key;
      const bytes = await withRetries(options, () => store.get(wanted, options.signal));
      if (bytes === null) continue;
      for (const [name, content] of filesOf(key, bytes)) {
        if (local.has(name)) continue;
        const file = join(options.workFolder, name);
        await mkdir(dirname(file), { recursive: true, mode: 0o700 });
        await writeFile(file, content, { mode: 0o600 });
        local.add(name);
      }
    }
  };
  await Promise.all(Array.from({ length: parallelDownloads }, worker));
}

/** A fragment and its record are one object in the store and two files on the disk. */
function filesOf(key: string, bytes: Uint8Array): readonly (readonly [string, Uint8Array])[] {
  const { media, record } = key.endsWith('.m4s') ? splitFragment(bytes) : { media: bytes, record: null };
  return record === null
    ? [[key, media]]
    : [
        [key.replace(/m4s$/, 'json'), record],
        [key, media],
      ];
}

function withRetries<T>({ clock, logger, signal, timeoutMs }: CollectOptions, work: () => Promise<T>): Promise<T> {
  return retry(work, {
    clock,
    signal,
    ...pauses,
    withinMs: timeoutMs,
    requestedMsOf: (error) => (error instanceof GrantRefused ? null : 0),
    onRetry: (error) => logger.warn({ err: error }, 'The storage service could not be read; trying again.'),
  });
}

async function localKeys(workFolder: string): Promise<Set<string>> {
  const root = join(workFolder, segmentsPrefix);
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  const keys = entries
    .filter((entry) => entry.isFile())
    .map((entry) => `${segmentsPrefix}${join(entry.parentPath, entry.name).slice(root.length)}`);
  return new Set(keys.filter((key) => attemptOf(key) !== null));
}

async function emptyUnlessRight(
  file: string,
  { attempt, sequence, sha256 }: Pick<SegmentRecord, 'attempt' | 'sequence' | 'sha256'>,
  logger: Logger,
): Promise<void> {
  const found = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  if (found === sha256) return;
  logger.error({ attempt, sequence, found, sha256 }, 'A fragment of the recording came back from the store changed.');
  await truncate(file);
}

/** An unreadable event is null: it affects neither the other events nor the media. */
const readableEvents = z.array(storyEvent.nullable().catch(null)).catch([null]);
const readableSegmentRecord = segmentRecord.extend({ events: readableEvents });
const readableEndRecord = endRecord.extend({ events: readableEvents });

async function readAttempt(workFolder: string, attempt: number, keys: ReadonlySet<string>): Promise<AttemptMaterial> {
  const folder = segmentKeys.folder(attempt);
  const sequences = [...keys]
    .filter((key) => key.startsWith(folder))
    .flatMap((key) => /\/(\d{6})\.(?:m4s|json)$/.exec(key)?.[1] ?? [])
    .map(Number);
  const records = new Map<number, z.infer<typeof readableSegmentRecord>>();
  const ordered = [...new Set(sequences)].sort((a, b) => a - b);
  for (const sequence of ordered) {
    const key = segmentKeys.record(attempt, sequence);
    const record = keys.has(key) ? await readRecord(join(workFolder, key), readableSegmentRecord) : null;
    if (record !== null) records.set(sequence, record);
  }
  const end = keys.has(segmentKeys.end(attempt))
    ? await readRecord(join(workFolder, segmentKeys.end(attempt)), readableEndRecord)
    : null;
  const read = [...[...records.values()].flatMap((record) => record.events), ...(end?.events ?? [])];
  const events = read.filter((event) => event !== null);
  return {
    attempt,
    initFile: keys.has(segmentKeys.init(attempt)) ? join(workFolder, segmentKeys.init(attempt)) : null,
    fragments: [...records]
      .filter(([sequence]) => keys.has(segmentKeys.fragment(attempt, sequence)))
      .map(([sequence, record]) => ({ file: join(workFolder, segmentKeys.fragment(attempt, sequence)), record })),
    end,
    startedAtMs: end?.summary.startedAtMs ?? [...records.values()][0]?.startedAtMs ?? null,
    pauses: end?.summary.pauses ?? [...records.values()].at(-1)?.pauses ?? [],
    resourceUsage: end?.resourceUsage ?? [...records.values()].at(-1)?.resourceUsage ?? null,
    events,
    eventsLost: read.length - events.length,
  };
}

/** Null for a truncated record: its media is still usable. A record that is unreadable for the moment throws. */
async function readRecord<T>(file: string, shape: z.ZodType<T>): Promise<T | null> {
  const text = await readFile(file, 'utf8');
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
