import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DiskStoreOptions, S3StoreOptions } from '@rapporteur/object-store';
import { startRadosgw } from '@rapporteur/object-store/testing';
import type { S3Server } from '@rapporteur/object-store/testing';
import { storeLongAttempt } from '@rapporteur/recorder/testing';
import { machine, spreadOf, reported } from '../measure/figures.ts';

export interface FinalizeBench {
  readonly minutes: readonly [short: number, long: number];
  readonly rounds: number;
  readonly store: 'disk' | 's3';
  readonly bytesPerSecond: number;
  readonly say: (text: string) => void;
}

type StoreInput =
  | { readonly driver: 'disk'; readonly options: DiskStoreOptions }
  | { readonly driver: 's3'; readonly options: S3StoreOptions };

export interface CaseInput {
  readonly variant: 'in-call' | 'after-call';
  /** RecordingAttempt as JSON. */
  readonly attemptFile: string;
  readonly fragmentsFolder: string;
  readonly folder: string;
  readonly store: StoreInput;
  readonly key: string;
}

export interface CaseResult {
  /** From the last fragment until both files are readable. */
  readonly ms: number;
  /** Of that, until all bytes are known. */
  readonly builtMs: number;
  readonly encodingCpuMs: number;
  readonly artifactBytes: number;
  /** Memory of the state for the whole recording. */
  readonly indexBytes: number;
  readonly peakMib: number;
}

const run = promisify(execFile);
const caseDeadlineMs = 1_800_000;
const program = join(import.meta.dirname, 'finalize-case.ts');

/** The cost of a meeting's end, short against long: recordings made by replaying fragments, no browser. */
export async function measureFinalize(bench: FinalizeBench): Promise<void> {
  const { minutes, rounds, say } = bench;
  const folder = await mkdtemp(join(tmpdir(), 'bench-finalize-'));
  let server: S3Server | null = null;
  try {
    say(machine());
    if (bench.store === 's3') {
      server = await startRadosgw();
      await server.createBucket('bench');
    }
    const cases: { minutes: number; results: Record<Variant, CaseResult[]> }[] = [];
    for (const length of minutes) {
      const place = join(folder, `${length}`);
      const attempt = await storeLongAttempt(place, { minutes: length, bytesPerSecond: bench.bytesPerSecond });
      const attemptFile = join(place, 'attempt.json');
      await writeFile(attemptFile, JSON.stringify(attempt));
      const results: Record<Variant, CaseResult[]> = {
        'grown with the meeting': [],
        'made after it, audio kept': [],
        'made after it, nothing kept': [],
      };
      for (let round = 1; round <= rounds; round += 1) {
        // One run of the slowest variant is sufficient.
        for (const variant of round === 1 ? variants : variants.slice(0, -1)) {
          const at = { place, attemptFile, name: `${length}-${round}-${variants.indexOf(variant)}` };
          results[variant].push(await measureCase(variant, at, storeOf(folder, server)));
        }
      }
      for (const variant of variants) say(`${length} min, ${variant}: ${line(results[variant], length)}`);
      cases.push({ minutes: length, results });
    }
    for (const variant of variants) {
      const [short, long] = cases.map(({ results }) => spreadOf(results[variant].map(({ ms }) => ms)).median);
      say(`${minutes[1]} min over ${minutes[0]} min, ${variant}: ${((long ?? 0) / (short ?? 1)).toFixed(2)} times`);
    }
    say(machine());
  } finally {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const variants = ['grown with the meeting', 'made after it, audio kept', 'made after it, nothing kept'] as const;
type Variant = (typeof variants)[number];

async function measureCase(
  variant: Variant,
  { place, attemptFile, name }: { place: string; attemptFile: string; name: string },
  store: StoreInput,
): Promise<CaseResult> {
  const folder = join(place, `case-${name}`);
  // The files kept during the call are those of the case before.
  const fragmentsFolder = join(
    place,
    variant === 'made after it, nothing kept' ? `empty-${name}` : `fragments-${name.replace(/.$/, '')}`,
  );
  await mkdir(folder, { recursive: true });
  await mkdir(fragmentsFolder, { recursive: true });
  const input: CaseInput = {
    variant: variant === 'grown with the meeting' ? 'in-call' : 'after-call',
    attemptFile,
    fragmentsFolder,
    folder,
    store,
    key: `bots/${name}/artifacts`,
  };
  const { stdout } = await run(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', program, JSON.stringify(input)],
    {
      timeout: caseDeadlineMs,
    },
  );
  await rm(folder, { recursive: true, force: true });
  return JSON.parse(stdout) as CaseResult;
}

function storeOf(folder: string, server: S3Server | null): StoreInput {
  if (server === null)
    return {
      driver: 'disk',
      options: { folder: join(folder, 'store'), signedUrlBase: 'http://localhost', signingSecret: 'bench' },
    };
  const { endpoint, region, accessKeyId, secretAccessKey } = server;
  const credentials = { accessKeyId, secretAccessKey };
  return { driver: 's3', options: { endpoint, region, bucket: 'bench', credentials, forcePathStyle: true } };
}

function line(results: readonly CaseResult[], minutes: number): string {
  const of = (pick: (result: CaseResult) => number, digits = 2): string => reported(results.map(pick), digits);
  const hours = minutes / 60;
  return [
    `${of(({ ms }) => ms / 1_000)} s until both files are readable`,
    `${of(({ builtMs }) => builtMs / 1_000)} s of it until their bytes are known`,
    `${of(({ artifactBytes }) => artifactBytes / 1e6, 0)} MB`,
    `encoding ${of(({ encodingCpuMs }) => encodingCpuMs / 1_000 / (minutes * 60), 4)} CPU-s per second of audio`,
    `peak ${of(({ peakMib }) => peakMib, 0)} MiB`,
    `index ${of(({ indexBytes }) => indexBytes / 1e6 / hours)} MB per hour`,
  ].join(', ');
}
