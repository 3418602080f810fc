import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServiceStack } from '@rapporteur/api-fuzz';
import { createGrantStore, createMultipartStore, openUploads } from '@rapporteur/bot-runner/testing';
import { internalRoutes, uploadGrantReply } from '@rapporteur/contracts';
import { startRadosgw } from '@rapporteur/object-store/testing';
import { createLogger, createService, Secret, systemClock } from '@rapporteur/service-runtime';
import { treeCpuMsOf } from '../measure/cpu.ts';
import { machine, spreadOf, reported } from '../measure/figures.ts';

const bucket = 'recordings';
const fragmentsPerMinute = 15;
const fragmentBytes = 1_000_000;
const recordBytes = 1_500;
const partBytes = 8 * 1024 * 1024;
const settleMs = 2_000;
const logger = createLogger('bench', 'silent');

type Stores = Pick<ReturnType<typeof openUploads>, 'store' | 'multipart'>;
interface Grant {
  readonly url: string;
  readonly grant: string;
}

/**
 * CPU of storage-config per recorded minute of one bot with driver `s3`: with every byte passing it, and with media sent to the
 * store by the runner. The runner's own upload code sends fragments of 1 MB, their records, and parts of 8 MiB.
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
  const settings = {
    STORE_DRIVER: 's3',
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: s3.region,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    S3_FORCE_PATH_STYLE: 'true',
  };
  const stack = await startServiceStack({ gateways: 1, settings: { 'storage-config': settings }, say });
  try {
    const pid = stack.pids().get('storage-config') ?? 0;
    const environment = environmentOf(pid);
    const url = `http://127.0.0.1:${environment.get('RAPPORTEUR_PORT')}`;
    const secret = new Secret(environment.get('RAPPORTEUR_INTERNAL_SECRET') ?? '');
    const captureStrategies = {
      proxied: (grant: Grant): Stores => ({ store: createGrantStore(grant), multipart: createMultipartStore(grant) }),
      direct: (grant: Grant): Stores =>
        openUploads(
          { storage: grant, outbound: { allow: [], requireHttps: true, caFile: null } },
          { onStored: () => undefined, clock: systemClock, logger },
        ),
    };
    const cpuMs: Record<string, number[]> = { proxied: [], direct: [] };
    for (let round = 0; round <= rounds; round += 1)
      for (const [strategy, open] of Object.entries(captureStrategies)) {
        const stores = open(await grantFor(secret, url));
        await sleep(settleMs);
        const before = treeCpuMsOf(pid);
        await record(stores, minutes);
        const perMinute = (treeCpuMsOf(pid) - before) / minutes;
        // The first round compiles.
        if (round > 0) cpuMs[strategy]?.push(perMinute);
      }
    const [proxied = [], direct = []] = [cpuMs['proxied'], cpuMs['direct']];
    say(`proxied: ${reported(proxied, 1)} ms of CPU per recorded minute`);
    say(`direct:  ${reported(direct, 1)} ms of CPU per recorded minute`);
    say(`direct over proxied: ${(spreadOf(direct).median / spreadOf(proxied).median).toFixed(2)}`);
    say(machine());
  } finally {
    await stack.stop();
    await s3.stop();
  }
}

async function grantFor(internalSecret: Secret, url: string): Promise<Grant> {
  const caller = createService({ name: 'bot-scheduler', logLevel: 'silent', internalSecret });
  try {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const response = await caller.auth.fetch('storage-config', url + internalRoutes.uploadGrants, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ botId: randomUUID(), teamId: randomUUID(), fencing: 1, expiresAt }),
    });
    return { ...uploadGrantReply.parse(await response.json()), url };
  } finally {
    await caller.stop();
  }
}

async function record({ store, multipart }: Stores, minutes: number): Promise<void> {
  const signal = new AbortController().signal;
  const media = randomBytes(fragmentBytes);
  const part = randomBytes(partBytes);
  const key = 'artifacts/video.mp4';
  const upload = await multipart.start(key, 'video/mp4', signal);
  let parts = 0;
  for (let sequence = 1; sequence <= minutes * fragmentsPerMinute; sequence += 1) {
    const name = `segments/0001/${String(sequence).padStart(6, '0')}`;
    const facts = { key: `${name}.json`, content: { bytes: media.subarray(0, recordBytes) } };
    await store.put({ ...facts, contentType: 'application/json' }, signal);
    await store.put({ key: `${name}.m4s`, content: { bytes: media }, contentType: 'video/mp4' }, signal);
    if (sequence * fragmentBytes < (parts + 1) * partBytes) continue;
    parts += 1;
    await multipart.put({ key, upload }, parts, part, signal);
  }
  await multipart.drop({ key, upload }, signal);
}

function environmentOf(pid: number): ReadonlyMap<string, string> {
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return new Map(entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]));
}
