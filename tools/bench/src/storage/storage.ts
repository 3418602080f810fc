import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServiceStack } from '@rapporteur/api-fuzz';
import { createGrantStore, createMultipartStore, openUploads } from '@rapporteur/bot-runner/testing';
import { startRadosgw } from '@rapporteur/object-store/testing';
import { createLogger, systemClock } from '@rapporteur/service-runtime';
import { treeCpuMsOf } from '../measure/cpu.ts';
import { machine, spreadOf, reported } from '../measure/figures.ts';
import { grantFor, s3Settings, storagePlace } from './service-place.ts';
import type { Grant } from './service-place.ts';

const bucket = 'recordings';
/** As the recorder closes them, in ms. */
const fragmentMs = { proxied: 2_000, direct: 3_880 };
/** 1.2 Mbit/s. */
const bytesPerMs = 150;
const recordBytes = 1_500;
const partBytes = 8 * 1024 * 1024;
const settleMs = 2_000;
const minuteMs = 60_000;
const logger = createLogger('bench', 'silent');

type Stores = Pick<ReturnType<typeof openUploads>, 'store' | 'multipart'>;

/**
 * CPU of storage-config per recorded minute of one bot with driver `s3`: with every byte passing through it and each
 * record as an object of its own, and with fragments and records in one object that the runner sends to the store. The
 * runner's own upload code sends them, and a video in parts of 8 MiB.
 */
export async function measureStorage(options: {
  readonly minutes: number;
  readonly rounds: number;
  readonly say: (text: string) => void;
}): Promise<void> {
  const { minutes, rounds, say } = options;
  say(machine());
  const s3 = await startRadosgw();
  await s3.createBucket(bucket);
  const stack = await startServiceStack({ gateways: 1, settings: { 'storage-config': s3Settings(s3, bucket) }, say });
  try {
    const pid = stack.pids().get('storage-config') ?? 0;
    const place = storagePlace(stack);
    const folder = await mkdtemp(join(tmpdir(), 'rapporteur-storage-'));
    const files = {
      proxied: await writeFragment(folder, fragmentMs.proxied),
      direct: await writeFragment(folder, fragmentMs.direct),
    };
    const figures = { proxied: noFigures(), direct: noFigures() };
    for (let round = 0; round <= rounds; round += 1)
      for (const name of ['proxied', 'direct'] as const) {
        const figure = figures[name];
        const onStored = (bytes: number): void => {
          figure.requests += 1;
          figure.bytes += bytes;
        };
        const grant = { ...(await grantFor(place)), onStored };
        const stores = name === 'direct' ? openDirect(grant, onStored) : openProxied(grant);
        await sleep(settleMs);
        const before = treeCpuMsOf(pid);
        await record(stores, { minutes, files: files[name], fragmentMs: fragmentMs[name], joins: name === 'direct' });
        // The first round compiles.
        if (round > 0) figure.cpuMs.push((treeCpuMsOf(pid) - before) / minutes);
      }
    await rm(folder, { recursive: true });
    const recordedMinutes = minutes * (rounds + 1);
    for (const [name, { cpuMs, requests, bytes }] of Object.entries(figures)) {
      const perHour = (requests / recordedMinutes) * 60;
      const perRecordedByte = bytes / (recordedMinutes * minuteMs * bytesPerMs);
      say(`${name}: ${reported(cpuMs, 1)} ms of CPU per recorded minute`);
      say(
        `${name}: ${perHour.toFixed(0)} write requests an hour, ${perRecordedByte.toFixed(2)} bytes per recorded byte`,
      );
    }
    const { direct, proxied } = figures;
    say(`direct over proxied: ${(spreadOf(direct.cpuMs).median / spreadOf(proxied.cpuMs).median).toFixed(2)}`);
    say(machine());
  } finally {
    await stack.stop();
    await s3.stop();
  }
}

interface Figures {
  readonly cpuMs: number[];
  requests: number;
  bytes: number;
}

function noFigures(): Figures {
  return { cpuMs: [], requests: 0, bytes: 0 };
}

function openProxied(grant: Grant): Stores {
  return { store: createGrantStore(grant), multipart: createMultipartStore(grant) };
}

function openDirect(grant: Grant, onStored: (bytes: number) => void): Stores {
  const outbound = { allow: [], requireHttps: true, caFile: null, proxy: null };
  return openUploads({ storage: grant, outbound }, { onStored, clock: systemClock, logger });
}

interface FragmentFiles {
  readonly mediaFile: string;
  readonly recordFile: string;
}

async function writeFragment(folder: string, lengthMs: number): Promise<FragmentFiles> {
  const name = join(folder, `fragment-${lengthMs}`);
  const files = { mediaFile: `${name}.m4s`, recordFile: `${name}.json` };
  await writeFile(files.mediaFile, randomBytes(lengthMs * bytesPerMs));
  await writeFile(files.recordFile, randomBytes(recordBytes));
  return files;
}

interface Recording {
  readonly minutes: number;
  readonly fragmentMs: number;
  readonly files: FragmentFiles;
  /** A fragment and its record are one object. */
  readonly joins: boolean;
}

async function record({ store, multipart }: Stores, recording: Recording): Promise<void> {
  const { minutes, files, joins } = recording;
  const signal = new AbortController().signal;
  const part = randomBytes(partBytes);
  const key = 'artifacts/video.mp4';
  const upload = await multipart.start(key, 'video/mp4', signal);
  let parts = 0;
  for (let sequence = 1; sequence <= (minutes * minuteMs) / recording.fragmentMs; sequence += 1) {
    const name = `segments/0001/${String(sequence).padStart(6, '0')}`;
    const { mediaFile, recordFile } = files;
    if (!joins)
      await store.put({ key: `${name}.json`, content: { file: recordFile }, contentType: 'application/json' }, signal);
    const content = joins ? files : { file: mediaFile };
    await store.put({ key: `${name}.m4s`, content, contentType: 'video/mp4' }, signal);
    if (sequence * recording.fragmentMs * bytesPerMs < (parts + 1) * partBytes) continue;
    parts += 1;
    await multipart.put({ key, upload }, parts, part, signal);
  }
  await multipart.drop({ key, upload }, signal);
}
