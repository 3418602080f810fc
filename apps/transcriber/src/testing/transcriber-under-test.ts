import { randomBytes, randomUUID } from 'node:crypto';
import {
  botDataDeleted,
  botProviderDeletionRequested,
  internalCalls,
  internalRoutes,
  transcriptionEnded,
  transcriptionRequested,
} from '@rapporteur/contracts';
import type { Artifact } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { connectBus } from '@rapporteur/event-bus';
import {
  createApp,
  createClient,
  createInternalAuth,
  createLogger,
  createService,
  jsonBody,
  loadConfig,
  Secret,
  sendFailures,
} from '@rapporteur/service-runtime';
import { startSpeechProviderServer } from '@rapporteur/simulator/speech-providers';
import type { RecognizeRoom, SpeechProviderServer } from '@rapporteur/simulator/speech-providers';
import { createTestDatabase, startOwnNats, waitFor } from '@rapporteur/testbed';
import express from 'express';
import type { z } from 'zod';
import { transcriberConfig } from '../config.ts';
import { openTranscriptSchema } from '../schema/open-schema.ts';
import type { JobRow, TranscriptionRequest } from '../schema/entities.ts';
import { startTranscriber } from '../transcriber.ts';

const silent = createLogger('test', 'silent');
type TestService = ReturnType<typeof createService>;

export type TranscriptionEnd = z.output<typeof transcriptionEnded.data>;

/**
 * The transcriber's dependencies in a test: database, bus, providers, and stubs of storage-config and bot-scheduler.
 */
export interface Surroundings {
  readonly database: Database;
  readonly providers: SpeechProviderServer;
  readonly environment: Readonly<Record<string, string>>;
  /** Objects by `<bot id>/<key>`. */
  readonly objects: Map<string, Buffer>;
  /** Respond to a read in place of the object; by the same names. */
  readonly reads: Map<string, (response: express.Response) => Promise<void>>;
  /** Customers' keys by `<bot id>/<field>`. */
  readonly keys: Map<string, string>;
  /** Ends that bot-scheduler received, by request id; an event may arrive more than once. */
  readonly ends: Map<string, TranscriptionEnd>;
  request(over: Partial<TranscriptionRequest>): Promise<string>;
  deleteData(botId: string): Promise<void>;
  deleteFromProvider(botId: string): Promise<void>;
  waitForEnd(requestId: string, timeoutMs?: number): Promise<TranscriptionEnd>;
  /** Resolves with the job once it has ended and its copies are deleted. */
  waitForRest(requestId: string): Promise<JobRow>;
  /** Resolves when this many requests are stored as jobs. */
  waitForJobs(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** @param recognize the words of audio that was not registered at the providers */
export async function startSurroundings(recognize?: RecognizeRoom): Promise<Surroundings> {
  const [server, nats, providers] = await Promise.all([
    createTestDatabase(openTranscriptSchema),
    startOwnNats(),
    startSpeechProviderServer(recognize),
  ]);
  const internalSecret = randomBytes(24).toString('hex');
  const service = (name: string): TestService =>
    createService({ name, internalSecret: new Secret(internalSecret), logger: silent });
  const [storage, scheduler] = [service('storage-config'), service('bot-scheduler')];
  const objects = new Map<string, Buffer>();
  const reads: Surroundings['reads'] = new Map();
  const keys = new Map<string, string>();
  const storageUrl = await listenAsStorage(storage, objects, reads);
  const schedulerUrl = await listenAsScheduler(scheduler, keys);
  const bus = await connectBus({ url: nats.url, name: 'bot-scheduler', logger: silent });
  await bus.ensureStreams();
  const database = await openTranscriptSchema(server.url, 3);
  const ends = new Map<string, TranscriptionEnd>();
  const consumer = await bus.consume({
    consumer: 'bot-scheduler',
    subject: transcriptionEnded.type,
    handle: async (message) => {
      const { data } = message as { data: TranscriptionEnd };
      ends.set(data.requestId, data);
    },
  });
  const publish = (type: string, data: unknown): Promise<void> =>
    bus.publish(type, { id: randomUUID(), type, occurredAt: new Date().toISOString(), data });
  return {
    database,
    providers,
    objects,
    reads,
    keys,
    ends,
    environment: environmentOf(
      { databaseUrl: server.url, busUrl: nats.url, internalSecret, storageUrl, schedulerUrl },
      providers,
    ),
    request: async (over) => {
      const request = { ...newRequest(), ...over };
      await publish(transcriptionRequested.type, request);
      return request.requestId;
    },
    deleteData: (botId) => publish(botDataDeleted.type, { botId, teamId: randomUUID() }),
    deleteFromProvider: (botId) => publish(botProviderDeletionRequested.type, { botId, teamId: randomUUID() }),
    waitForEnd: (requestId, timeoutMs = 120_000) =>
      waitFor(() => ends.get(requestId), { what: 'the end of a transcription', timeoutMs }),
    waitForJobs: async (count) => {
      const stored = async () => (await database.query('select from transcription_jobs')).length === count;
      await waitFor(stored, { what: `${count} jobs to be stored` });
    },
    waitForRest: (requestId) => {
      const ended = `select * from transcription_jobs where id = $1 and state = 'ended'`;
      const read = async () => (await database.query<JobRow>(ended, [requestId]))[0];
      return waitFor(read, { what: 'a job that has ended' });
    },
    stop: async () => {
      await consumer.stop();
      await Promise.all([storage.stop(), scheduler.stop(), bus.close(), database.close(), providers.stop()]);
      await Promise.all([server.drop(), nats.remove()]);
    },
  };
}

interface Addresses {
  readonly databaseUrl: string;
  readonly busUrl: string;
  readonly internalSecret: string;
  readonly storageUrl: string;
  readonly schedulerUrl: string;
}

const vendors = ['gladia', 'deepgram', 'assemblyai', 'speechmatics', 'soniox'];

function environmentOf(addresses: Addresses, providers: SpeechProviderServer): Record<string, string> {
  const vendorSettings = vendors.map((name) => [`RAPPORTEUR_${name.toUpperCase()}_API_KEY`, 'key'] as const);
  return {
    RAPPORTEUR_PORT: '0',
    RAPPORTEUR_DATABASE_URL: addresses.databaseUrl,
    RAPPORTEUR_BUS_URL: addresses.busUrl,
    RAPPORTEUR_INTERNAL_SECRET: addresses.internalSecret,
    RAPPORTEUR_STORAGE_URL: addresses.storageUrl,
    RAPPORTEUR_SCHEDULER_URL: addresses.schedulerUrl,
    RAPPORTEUR_PROVIDER_ADDRESSES: vendors.map((name) => `${name}=${providers.url}/${name}`).join(','),
    ...Object.fromEntries(vendorSettings),
    RAPPORTEUR_OPENAI_COMPATIBLE_URL: `${providers.url}/openai`,
    RAPPORTEUR_OPENAI_COMPATIBLE_API_KEY: 'key',
    RAPPORTEUR_LOCAL_URL: `${providers.url}/openai`,
    RAPPORTEUR_ALLOWED_ADDRESSES: 'loopback',
    RAPPORTEUR_REQUIRE_HTTPS: 'false',
    RAPPORTEUR_SWEEP_MS: '50',
    RAPPORTEUR_POLL_FIRST_MS: '50',
    RAPPORTEUR_POLL_LONGEST_MS: '200',
    RAPPORTEUR_RETRY_FIRST_MS: '50',
    RAPPORTEUR_RETRY_LONGEST_MS: '500',
  };
}

export function newRequest(): TranscriptionRequest {
  return {
    requestId: randomUUID(),
    botId: randomUUID(),
    teamId: randomUUID(),
    choice: { provider: 'gladia', region: null, customParams: {}, keyField: null },
    fencing: 1,
    durationMs: 4_000,
    artifacts: [],
    participants: [
      { id: 1, name: 'Ann' },
      { id: 2, name: 'Ben' },
    ],
  };
}

/** Stores an artifact with this content for the bot. */
export function putObject(
  { objects }: Pick<Surroundings, 'objects'>,
  botId: string,
  file: Pick<Artifact, 'kind' | 'key' | 'participant'> & { readonly content: Buffer; readonly contentType: string },
): Artifact {
  const { content, ...artifact } = file;
  objects.set(`${botId}/${file.key}`, content);
  return { ...artifact, bytes: content.byteLength, sha256: '0'.repeat(64) };
}

async function listenAsStorage(
  service: TestService,
  objects: Map<string, Buffer>,
  reads: Surroundings['reads'],
): Promise<string> {
  const app = createApp(service);
  let url = '';
  app.post(
    internalCalls.storage.grantUpload.path,
    service.auth.require(['transcriber']),
    jsonBody({ limitBytes: 10_000 }),
    (request, response) => {
      const { botId } = request.body as { botId: string };
      response.status(201).json({ url, grant: botId });
    },
  );
  const objectOf = (request: express.Request): string => {
    const botId = (request.headers.authorization ?? '').replace('Bearer ', '');
    return `${botId}/${request.path.slice(internalRoutes.grantObjects.length + 1)}`;
  };
  app.get(`${internalRoutes.grantObjects}/*key`, async (request, response) => {
    await reads.get(objectOf(request))?.(response);
    if (response.headersSent) return;
    const content = objects.get(objectOf(request));
    if (content === undefined) response.status(404).json({});
    else {
      const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
      response.status(from === 0 ? 200 : 206).send(content.subarray(from));
    }
  });
  app.put(
    `${internalRoutes.grantObjects}/*key`,
    express.raw({ type: () => true, limit: '50mb' }),
    (request, response) => {
      objects.set(objectOf(request), request.body as Buffer);
      response.status(201).json({});
    },
  );
  app.use(...sendFailures(service));
  ({ url } = await service.listen(app, { host: '127.0.0.1', port: 0 }));
  return url;
}

async function listenAsScheduler(service: TestService, keys: ReadonlyMap<string, string>): Promise<string> {
  const app = createApp(service);
  app.post(
    internalCalls.bots.secret.path,
    service.auth.require(['transcriber']),
    jsonBody({ limitBytes: 10_000 }),
    (request, response) => {
      const { botId, field } = internalCalls.bots.secret.body.parse(request.body);
      response.json({ secret: keys.get(`${botId}/${field}`) ?? null });
    },
  );
  app.use(...sendFailures(service));
  return (await service.listen(app, { host: '127.0.0.1', port: 0 })).url;
}

/** Requests of another service to the transcriber. */
export function createTranscriberClient({ environment }: Pick<Surroundings, 'environment'>, url: string, from: string) {
  const internalSecret = new Secret(environment['RAPPORTEUR_INTERNAL_SECRET'] ?? '');
  const auth = createInternalAuth(from, internalSecret);
  return createClient(internalCalls.transcripts, { auth, service: 'transcriber', baseUrl: url });
}

/** Starts the transcriber in this process. */
export async function startTranscriberUnderTest(
  surroundings: Pick<Surroundings, 'environment'>,
  changes: Record<string, string> = {},
): Promise<{ readonly url: string; stop(): Promise<boolean> }> {
  const config = loadConfig(transcriberConfig, { ...surroundings.environment, ...changes });
  const service = createService({ name: 'transcriber', internalSecret: config.internalSecret, logger: silent });
  const { url } = await startTranscriber(service, config);
  return { url, stop: () => service.stop() };
}
