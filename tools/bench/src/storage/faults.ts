import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '@rapporteur/api-fuzz';
import { joinFragment, MultipartUpload, openUploads, UploadQueue } from '@rapporteur/bot-runner/testing';
import { createLogger } from '@rapporteur/service-runtime';
import type { Clock } from '@rapporteur/service-runtime';
import { startCustomerStore, startStorage } from '@rapporteur/storage-config/testing';
import type { CustomerStore, GrantHolder, StorageUnderTest } from '@rapporteur/storage-config/testing';
import type { Fate } from '@rapporteur/object-store/testing';

/** Faults of a team's bucket. */
export const faults = [503, 403, 'slow', 'cut-request', 'cut-response', 'gone'] as const;
type Fault = (typeof faults)[number];

/** Times are ms after the first upload. */
interface FaultWindow {
  readonly fault: Fault;
  readonly startMs: number;
  readonly endMs: number;
  /** A share of the requests in it. */
  readonly share: number;
}

interface FaultPlan {
  readonly allowTransientSpill: boolean;
  readonly windows: readonly FaultWindow[];
}

const fragmentMs = 4_000;
const fragments = 8;
const goneMs = 600_000;
const longestMs = 60_000;
const latestStartMs = fragments * fragmentMs;

/** For run `index`: each fault is first in rotation, with and without spill; every third run has a second one. */
export function faultPlanOf(index: number, random: Random): FaultPlan {
  const first = faults[Math.floor(index / 2) % faults.length] ?? 'gone';
  const chosen = index % 3 === 0 ? [first, random.pick(faults)] : [first];
  const windows = chosen.map((fault): FaultWindow => {
    const startMs = random.below(latestStartMs);
    const lengthMs = fault === 'gone' ? goneMs : fragmentMs + random.below(longestMs);
    return { fault, startMs, endMs: startMs + lengthMs, share: fault === 'gone' ? 1 : 0.3 + 0.7 * random.fraction() };
  });
  return { allowTransientSpill: index % 2 === 0, windows };
}

export function fateAt({ windows }: FaultPlan, atMs: number, random: Random): Fate {
  const open = windows.find(({ startMs, endMs, share }) => atMs >= startMs && atMs < endMs && random.chance(share));
  return open?.fault ?? 'pass';
}

const bucket = 'recordings';
const videoKey = 'artifacts/video.mp4';
const fragmentBytes = 150_000;
const recordBytes = 1_500;
const partBytes = 5 * 1024 * 1024;
const grantLivesMs = 48 * 3_600_000;
/** A time of the accelerated clock. */
const drainMs = 1_800_000;
const retryEveryMs = 600_000;
const retriesAtMost = 20;
/** Each run moves the clock of storage-config by up to hours, and links are signed for at most 7 days. */
const runsPerStorage = 20;
const logger = createLogger('bench', 'silent');

interface Place {
  readonly storage: StorageUnderTest;
  readonly customer: CustomerStore;
  /** Sleeps take no time and move the clock of storage-config too. */
  readonly clock: Clock;
}

export interface FaultCampaign {
  readonly times: number;
  /** The seed of the first run; each after it has the next one. */
  readonly seed: number;
}

export interface FaultOutcome {
  /** Failed or delayed by the proxy. */
  readonly faultyRequests: number;
  /** Objects that were held until the bucket accepted them. */
  readonly held: number;
  /** Lost fragments, broken links, remaining multipart uploads; empty: none. */
  readonly problems: readonly string[];
}

/**
 * The runner's upload code and storage-config store recordings in a team's bucket on radosgw, whose ingest key may not read,
 * behind a proxy that fails as planned.
 */
export async function runFaultCampaign({ times, seed }: FaultCampaign): Promise<FaultOutcome> {
  const customer = await startCustomerStore();
  await customer.createBucket(bucket);
  const verdicts: FaultOutcome[] = [];
  try {
    for (let first = 0; first < times; first += runsPerStorage) {
      const indexes = Array.from({ length: Math.min(runsPerStorage, times - first) }, (_none, index) => first + index);
      verdicts.push(...(await runSome(customer, { indexes, seed })));
    }
  } finally {
    await customer.stop();
  }
  return {
    faultyRequests: verdicts.reduce((sum, { faultyRequests }) => sum + faultyRequests, 0),
    held: verdicts.reduce((sum, { held }) => sum + held, 0),
    problems: verdicts.flatMap(({ problems }) => problems),
  };
}

async function runSome(
  customer: CustomerStore,
  { indexes, seed }: { readonly indexes: readonly number[]; readonly seed: number },
): Promise<FaultOutcome[]> {
  const storage = await startStorage();
  const verdicts: FaultOutcome[] = [];
  try {
    const place = { storage, customer, clock: acceleratedClock(storage) };
    for (const index of indexes) {
      const random = new Random(seed + index);
      const plan = faultPlanOf(index, random);
      const { problems, ...verdict } = await runOne(place, plan, random);
      const named = problems.map((problem) => `run ${index} ${JSON.stringify(plan)}: ${problem}`);
      verdicts.push({ ...verdict, problems: named });
    }
    customer.proxy.decide(() => 'pass');
    await storage.sweepTeamUploads();
    const left = await storage.sweepTeamUploads();
    const problems = left === 0 ? [] : [`${left} multipart uploads are left`];
    return [...verdicts, { faultyRequests: 0, held: 0, problems }];
  } finally {
    await storage.stop();
  }
}

function acceleratedClock(storage: StorageUnderTest): Clock {
  let aheadMs = 0;
  return {
    now: () => Date.now() + aheadMs,
    monotonic: () => performance.now() + aheadMs,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      aheadMs += ms;
      storage.advance(ms);
      await sleep(1);
    },
  };
}

async function runOne(place: Place, plan: FaultPlan, random: Random): Promise<FaultOutcome> {
  const { storage, customer, clock } = place;
  const [team, botId] = [randomUUID(), randomUUID()];
  customer.proxy.decide(() => 'pass');
  const over = { allow_transient_spill: plan.allowTransientSpill };
  const configured = await storage.api('PUT', '/v2/storage-config', {
    body: customer.configuration([bucket, bucket, bucket], over),
    team,
  });
  if (configured.status !== 200) throw new Error(`The configuration was refused: ${configured.text}`);
  const holder = await storage.scheduler.grant(botId, 1, grantLivesMs, team);
  const startedAtMs = clock.now();
  let faultyRequests = 0;
  customer.proxy.decide(() => {
    const fate = fateAt(plan, clock.now() - startedAtMs, random);
    if (fate !== 'pass') faultyRequests += 1;
    return fate;
  });
  const stored = await uploadRecording(place, holder.grant);
  const held = await heldOf(storage, botId);
  const problems = [...stored.problems];
  // Held objects are served while their bucket is unavailable.
  if (held.includes(videoKey) && !(await isServed(storage, botId, stored.video)))
    problems.push('the link to a held video is dead');
  customer.proxy.decide(() => 'pass');
  for (let retry = 0; (await heldOf(storage, botId)).length > 0 && retry < retriesAtMost; retry += 1) {
    await clock.sleep(retryEveryMs);
    await storage.retrySpilled();
  }
  problems.push(...(await judge(place, { botId, holder, ...stored })));
  return { faultyRequests, held: held.length, problems };
}

interface Stored {
  readonly objects: ReadonlyMap<string, Buffer>;
  readonly video: Buffer;
  readonly problems: readonly string[];
}

/**
 * Uploads like a runner: a record and a fragment every two seconds, then the video in parts, or as a whole where that
 * fails.
 */
async function uploadRecording({ storage, clock }: Place, grant: string): Promise<Stored> {
  const { store, multipart } = openUploads(
    {
      storage: { url: storage.url, grant },
      outbound: { allow: ['loopback'], requireHttps: false, caFile: null, proxy: null },
    },
    { onStored: () => undefined, clock, logger },
  );
  const queue = new UploadQueue({ store, clock, logger });
  const objects = new Map<string, Buffer>();
  const receipts: Promise<[string, boolean]>[] = [];
  const add = (key: string, bytes: Buffer, contentType: string): void => {
    objects.set(key, bytes);
    receipts.push(queue.add({ key, content: { bytes }, contentType }).then((receipt) => [key, receipt !== null]));
  };
  for (let sequence = 1; sequence <= fragments; sequence += 1) {
    const name = `segments/0001/${String(sequence).padStart(6, '0')}`;
    add(`${name}.m4s`, joinFragment(randomBytes(fragmentBytes), randomBytes(recordBytes)), 'video/mp4');
    await clock.sleep(fragmentMs);
  }
  const [head, part, tail] = [randomBytes(partBytes), randomBytes(partBytes), randomBytes(recordBytes)];
  const video = Buffer.concat([head, part, tail]);
  const upload = new MultipartUpload({ key: videoKey, contentType: 'video/mp4', store: multipart, clock, logger });
  upload.add(1, [{ bytes: part }]);
  const whole = { head: [{ bytes: head }], tail: [{ bytes: tail }], parts: 1, bytes: video.length } as const;
  if ((await upload.finish({ name: 'video', ...whole })) === null) add(videoKey, video, 'video/mp4');
  await upload.close();
  const isDrained = await queue.drain(drainMs);
  await queue.close();
  const lost = (await Promise.all(receipts)).filter(([, isStored]) => !isStored).map(([key]) => key);
  const problems = lost.map((key) => `${key} was not stored${isDrained ? '' : ' in time'}`);
  return { objects, video, problems };
}

async function judge(
  { storage, customer }: Place,
  { botId, holder, objects, video }: Stored & { readonly botId: string; readonly holder: GrantHolder },
): Promise<string[]> {
  const problems: string[] = [];
  for (const key of await heldOf(storage, botId)) problems.push(`${key} is held still`);
  for (const [key, bytes] of objects) {
    const response = await holder.get(`/${key}`);
    if (!Buffer.from(await response.arrayBuffer()).equals(bytes)) problems.push(`${key} is lost or changed`);
  }
  if (!(await isServed(storage, botId, video))) problems.push('the link to the video is dead');
  const inBucket = await customer.contentOf(bucket, `${botId}/${videoKey}`).catch(() => null);
  if (inBucket?.equals(video) !== true) problems.push('the bucket does not have the video');
  const deleted = await customer.client(bucket).deletePrefix(`${botId}/`);
  return deleted === 0 ? [...problems, 'the bucket has nothing'] : problems;
}

async function heldOf(storage: StorageUnderTest, botId: string): Promise<string[]> {
  const { body } = await storage.api('POST', '/v1/spilled-objects', { body: { limit: 1_000 } });
  const objects = body['objects'] as readonly { readonly bot_id: string; readonly key: string }[];
  return objects.filter(({ bot_id: id }) => id === botId).map(({ key }) => key);
}

async function isServed(storage: StorageUnderTest, botId: string, content: Buffer): Promise<boolean> {
  const response = await fetch(await storage.scheduler.urlOf(botId, videoKey)).catch(() => null);
  return response?.ok === true && Buffer.from(await response.arrayBuffer()).equals(content);
}
