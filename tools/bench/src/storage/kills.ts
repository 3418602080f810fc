import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random, startServiceStack } from '@rapporteur/api-fuzz';
import type { ServiceStack } from '@rapporteur/api-fuzz';
import { createGrantStore } from '@rapporteur/bot-runner/testing';
import { openS3Store } from '@rapporteur/object-store';
import { startRadosgw } from '@rapporteur/object-store/testing';
import { grantFor, s3Settings, storagePlace } from './service-place.ts';
import type { StoragePlace } from './service-place.ts';
import type { UploadRunnerMessage, UploadRunnerTask } from './upload-runner.ts';

const bucket = 'recordings';
/** As with direct uploads. */
const fragmentMs = 4_000;
const fragmentBytes = 600_000;
const botsAtOnce = 5;
const killedRunnerFragments = 15;
const firstKillMs = 3_000;
const lastKillMs = 20_000;
const killsPerRound = 5;
const betweenServiceKillsMs = 8_000;
const serviceReturnsMs = 30_000;
const runnerEndsMs = 120_000;

export interface StorageKills {
  readonly runnerKills: number;
  readonly serviceKills: number;
  readonly seed: number;
}

export interface StorageKillsOutcome {
  readonly runnerKills: number;
  readonly serviceKills: number;
  /** Media lost by each killed runner: from the end of what is stored to the kill. */
  readonly lostMs: readonly number[];
  /** Lost fragments of recordings whose runner survived. */
  readonly lostFragments: number;
  readonly unfinishedArtifacts: number;
  readonly abortedUploads: number;
  readonly uploadsLeft: number;
}

/** Kills runners, and storage-config of a stack with driver `s3`, while recordings are uploaded. */
export async function runStorageKills({ runnerKills, serviceKills, seed }: StorageKills): Promise<StorageKillsOutcome> {
  const random = new Random(seed);
  const s3 = await startRadosgw();
  await s3.createBucket(bucket);
  const stack = await startServiceStack({
    gateways: 1,
    settings: { 'storage-config': s3Settings(s3, bucket) },
    say: () => undefined,
  });
  try {
    const place = storagePlace(stack);
    const lostMs: number[] = [];
    while (lostMs.length < runnerKills) {
      const atOnce = Math.min(botsAtOnce, runnerKills - lostMs.length);
      const strikes = Array.from({ length: atOnce }, () => firstKillMs + random.below(lastKillMs - firstKillMs));
      lostMs.push(...(await Promise.all(strikes.map((afterMs) => killRunner(place, afterMs)))));
    }
    const outlived: Outlived[] = [];
    for (let done = 0; done < serviceKills; done += killsPerRound)
      outlived.push(...(await killService(stack, place, Math.min(killsPerRound, serviceKills - done))));
    const { endpoint, region, accessKeyId, secretAccessKey } = s3;
    const credentials = { accessKeyId, secretAccessKey };
    const store = openS3Store({ endpoint, region, bucket, credentials, forcePathStyle: true });
    // As the sweep of storage-config does every ten minutes, with its idle time over.
    const sweep = () => store.sweepUnfinished({ idleMs: 0, prefixes: ['bots/'] });
    const [abortedUploads, uploadsLeft] = [await sweep(), await sweep()];
    await store.close();
    return {
      runnerKills: lostMs.length,
      serviceKills,
      lostMs,
      lostFragments: outlived.reduce((sum, { lost }) => sum + lost, 0),
      unfinishedArtifacts: outlived.filter(({ finished }) => !finished).length,
      abortedUploads,
      uploadsLeft,
    };
  } finally {
    await stack.stop();
    await s3.stop();
  }
}

interface Runner {
  readonly child: ChildProcess;
  readonly botId: string;
  readonly startedAtMs: Promise<number>;
  /** SHA-256 by key, of each fragment that the recorder closed. */
  readonly closed: ReadonlyMap<string, string>;
  /** Whether everything was stored, once it ends. */
  readonly done: Promise<boolean>;
}

async function startRunner(place: StoragePlace, fragments: number): Promise<Runner> {
  const botId = randomUUID();
  const task: UploadRunnerTask = { grant: await grantFor(place, { botId }), fragments, fragmentMs, fragmentBytes };
  const child = fork(join(import.meta.dirname, 'upload-runner.ts'), [JSON.stringify(task)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const closed = new Map<string, string>();
  const started = Promise.withResolvers<number>();
  const done = Promise.withResolvers<boolean>();
  child.on('message', (message: UploadRunnerMessage) => {
    if ('startedAtMs' in message) started.resolve(message.startedAtMs);
    else if ('key' in message) closed.set(message.key, message.sha256);
    else done.resolve(message.done);
  });
  child.once('exit', () => {
    started.reject(new Error('The runner ended before it started.'));
    done.resolve(false);
  });
  started.promise.catch(() => undefined);
  return { child, botId, startedAtMs: started.promise, closed, done: done.promise };
}

/** @returns how much media is lost, in ms */
async function killRunner(place: StoragePlace, afterMs: number): Promise<number> {
  const runner = await startRunner(place, killedRunnerFragments);
  const startedAtMs = await runner.startedAtMs;
  await sleep(afterMs);
  const killedAtMs = Date.now();
  const ended = once(runner.child, 'exit');
  runner.child.kill('SIGKILL');
  await ended;
  const stored = await storedInOrder(place, runner);
  return killedAtMs - startedAtMs - stored * fragmentMs;
}

interface Outlived {
  readonly lost: number;
  readonly finished: boolean;
}

async function killService(stack: ServiceStack, place: StoragePlace, kills: number): Promise<Outlived[]> {
  const fragments = Math.ceil(((kills + 1) * betweenServiceKillsMs) / fragmentMs);
  const runners = await Promise.all(Array.from({ length: botsAtOnce }, () => startRunner(place, fragments)));
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(betweenServiceKillsMs);
    const pid = stack.pids().get('storage-config') ?? 0;
    process.kill(pid, 'SIGKILL');
    await untilAnother(stack, pid);
  }
  return await Promise.all(
    runners.map(async (runner) => {
      const late = sleep(runnerEndsMs, false, { ref: false });
      const finished = await Promise.race([runner.done, late]);
      runner.child.kill('SIGKILL');
      return { finished, lost: runner.closed.size - (await storedInOrder(place, runner)) };
    }),
  );
}

async function untilAnother(stack: ServiceStack, pid: number): Promise<void> {
  const late = AbortSignal.timeout(serviceReturnsMs);
  for (let now = pid; now === pid || now === 0; now = stack.pids().get('storage-config') ?? 0)
    await sleep(100, undefined, { signal: late });
}

/** Number of complete fragments that a new attempt finds, from the first on. */
async function storedInOrder(place: StoragePlace, { botId, closed }: Runner): Promise<number> {
  const store = createGrantStore(await grantFor(place, { botId, fencing: 2 }));
  const { signal } = new AbortController();
  const listed = new Set((await store.list('segments/', signal)).map(({ key }) => key));
  let stored = 0;
  for (const [key, sha256] of closed) {
    const bytes = listed.has(key) ? await store.get(key, signal) : null;
    if (bytes === null || createHash('sha256').update(bytes).digest('hex') !== sha256) return stored;
    stored += 1;
  }
  return stored;
}
