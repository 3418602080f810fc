import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import type { Request, Response } from 'express';
import {
  assemblyaiDocument,
  deepgramDocument,
  gladiaDocument,
  openaiDocument,
  sonioxTokens,
  speechmaticsDocument,
} from './provider-documents.ts';
import type { LiveProviders } from './live/live-providers.ts';
import { expiredKey } from './provider-jobs.ts';
import type { ProviderJobs, ProviderStep, SimulatedJob } from './provider-jobs.ts';
import type { SpeechTruth, SpeechTruths } from './speech-truth.ts';
import { refusedAudio, refusedParameter } from './vendor-rules.ts';
import type { SimulatedProvider } from './vendor-rules.ts';

export interface ProviderServerDependencies {
  readonly jobs: ProviderJobs;
  readonly truths: SpeechTruths;
  readonly live: LiveProviders;
}

interface Reply {
  readonly status?: number;
  readonly body?: unknown;
}

type Work = (request: Request) => Promise<Reply> | Reply;

const largestAudio = '700mb';
/** Shorter audio may not have a certain language. */
const surelyDetectedMs = 60_000;
/** These models have no times. */
const textOnly = /^gpt-/;
const notFound: Reply = { status: 404, body: { message: 'There is no such job.' } };
const invalid = (message: string): Reply => ({ status: 400, body: { message } });

/** The refusal of a submission with these parameters and this audio; null: it is taken. */
function refusedSubmission(
  provider: SimulatedProvider,
  given: Readonly<Record<string, unknown>>,
  audio: { readonly durationMs?: number; readonly bytes?: number },
): Reply | null {
  const problem = refusedParameter(provider, 'batch', given) ?? refusedAudio(provider, audio);
  return problem === null ? null : invalid(problem);
}

/** What a model of English makes of speech in another language. */
function understoodBy(truth: SpeechTruth, understands: (language: string) => boolean): SpeechTruth {
  const words = truth.words.map((word) =>
    understands(word.language ?? 'en') ? word : { ...word, text: 'misheard', language: 'en' },
  );
  return { ...truth, words };
}

/** The batch APIs of all simulated providers, each below its own name. */
export function providerRoutes(dependencies: ProviderServerDependencies): express.Router {
  const router = express.Router();
  router.use(express.raw({ type: () => true, limit: largestAudio }));
  router.use('/gladia', gladiaRoutes(dependencies));
  router.use('/deepgram', deepgramRoutes(dependencies));
  router.use('/assemblyai', assemblyaiRoutes(dependencies));
  router.use('/speechmatics', speechmaticsRoutes(dependencies));
  router.use('/soniox', sonioxRoutes(dependencies));
  router.use('/openai', openaiRoutes(dependencies));
  return router;
}

/** A handler of one step of one provider, with its key check and its faults. */
function stepOf(jobs: ProviderJobs, provider: SimulatedProvider, keyHeader: string) {
  return (at: ProviderStep, work: Work) => {
    return async (request: Request, response: Response): Promise<void> => {
      const key = (request.get(keyHeader) ?? '').replace(/^(Bearer|Token) /, '');
      if (key === '' || key === expiredKey) return void response.status(401).json({ message: 'The key is not valid.' });
      if (at === 'submit' && jobs.isTooFast(provider))
        return void response.status(429).setHeader('retry-after', '1').json({ message: 'Rate limit reached.' });
      const fault = jobs.takeFault(provider, at, ['status', 'slow', 'cut', 'no-response', 'body']);
      if (fault?.kind === 'status') {
        if (fault.status === 429) response.setHeader('retry-after', '1');
        return void response.status(fault.status).json({ message: 'A fault of the simulator.' });
      }
      if (fault !== null && fault.delayMs > 0) await sleep(fault.delayMs);
      if (fault?.kind === 'body') return void response.type('application/json').send(fault.body);
      const { status = 200, body } = await work(request);
      if (fault?.kind === 'no-response') return void request.socket.destroy();
      if (fault?.kind === 'cut') {
        const text = JSON.stringify(body ?? {});
        response.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length + 100 });
        response.write(text.slice(0, text.length / 2));
        await sleep(10);
        return void request.socket.destroy();
      }
      if (body === undefined) response.status(status).end();
      else response.status(status).json(body);
    };
  };
}

function gladiaRoutes({ jobs, truths, live }: ProviderServerDependencies): express.Router {
  const router = express.Router();
  router.post('/v2/live', live.gladiaRoute());
  const step = stepOf(jobs, 'gladia', 'x-gladia-key');
  router.post(
    '/v2/upload',
    step('upload', async (request) => {
      const audio = await fileOf(request, 'audio');
      if (audio === null) return invalid('The field audio is missing.');
      const id = `https://api.gladia.io/file/${crypto.randomUUID()}`;
      jobs.addUpload('gladia', await truths.of(audio), { id });
      return { body: { audio_url: id, audio_metadata: {} } };
    }),
  );
  router.post(
    '/v2/pre-recorded',
    step('submit', (request) => {
      const { audio_url, custom_metadata, callback_config } = jsonOf(request);
      const truth = jobs.truthOfUpload(String(audio_url));
      if (truth === null) return invalid('audio_url is not known.');
      const refused = refusedSubmission('gladia', jsonOf(request), truth);
      if (refused !== null) return refused;
      const reference = textIn(custom_metadata, 'reference');
      const callbackUrl = textIn(callback_config, 'url');
      const job = jobs.submit({ provider: 'gladia', reference, upload: null, truth, callbackUrl });
      void reportEnd(jobs, job, { event: 'transcription.success', payload: { id: job.id } });
      return { status: 201, body: { id: job.id, result_url: `https://api.gladia.io/v2/pre-recorded/${job.id}` } };
    }),
  );
  router.get(
    '/v2/pre-recorded',
    step('list', () => ({
      body: {
        items: jobs
          .list('gladia')
          .slice(0, 100)
          .map(({ id, reference }) => ({ id, status: 'done', custom_metadata: { reference } })),
      },
    })),
  );
  router.get(
    '/v2/pre-recorded/:id',
    step('read', (request) => {
      const job = jobs.find('gladia', idOf(request));
      if (job === null) return notFound;
      if (!jobs.isReady(job)) return { body: { id: job.id, status: 'processing', result: null } };
      if (job.failed) return { body: { id: job.id, status: 'error', error_code: 500 } };
      return { body: gladiaDocument(job) };
    }),
  );
  router.delete(
    '/v2/pre-recorded/:id',
    step('remove', (request) => (jobs.removeJob('gladia', idOf(request)) ? { status: 202 } : notFound)),
  );
  return router;
}

function deepgramRoutes({ jobs, truths }: ProviderServerDependencies): express.Router {
  const router = express.Router();
  router.post(
    '/v1/listen',
    stepOf(
      jobs,
      'deepgram',
      'authorization',
    )('submit', async (request) => {
      const refused = refusedSubmission('deepgram', request.query, { bytes: (request.body as Buffer).byteLength });
      if (refused !== null) return refused;
      const { language, detect_language } = request.query;
      const detects = detect_language === 'true' || language === 'multi';
      const truth = understoodBy(
        await truths.of(request.body as Buffer),
        (spoken) => detects || spoken === (language ?? 'en'),
      );
      const callbackUrl = typeof request.query['callback'] === 'string' ? request.query['callback'] : null;
      const reference = typeof request.query['tag'] === 'string' ? request.query['tag'] : null;
      const job = jobs.submit({ provider: 'deepgram', reference, upload: null, truth, callbackUrl });
      if (callbackUrl === null) {
        await sleep(jobs.processingMs);
        return job.failed
          ? { status: 400, body: { err_code: 'Bad Request' } }
          : { body: deepgramDocument(job.id, truth) };
      }
      const failure = { err_code: 'INTERNAL_SERVER_ERROR', err_msg: 'It failed.', request_id: job.id };
      void reportEnd(jobs, job, job.failed ? failure : deepgramDocument(job.id, truth));
      return { body: { request_id: job.id } };
    }),
  );
  return router;
}

function assemblyaiRoutes({ jobs, truths }: ProviderServerDependencies): express.Router {
  const router = express.Router();
  const step = stepOf(jobs, 'assemblyai', 'authorization');
  /** Jobs whose language cannot be detected, because they have no speech. */
  const withoutLanguage = new Set<string>();
  router.post(
    '/v2/upload',
    step('upload', async (request) => {
      const id = `https://cdn.assemblyai.com/upload/${crypto.randomUUID()}`;
      return { body: { upload_url: jobs.addUpload('assemblyai', await truths.of(request.body as Buffer), { id }) } };
    }),
  );
  router.post(
    '/v2/transcript',
    step('submit', (request) => {
      const { audio_url, webhook_url, language_detection } = jsonOf(request);
      const truth = jobs.truthOfUpload(String(audio_url));
      if (truth === null) return invalid('audio_url is not known.');
      const refused = refusedSubmission('assemblyai', jsonOf(request), truth);
      if (refused !== null) return refused;
      const callbackUrl = typeof webhook_url === 'string' ? webhook_url : null;
      const upload = String(audio_url);
      const job = jobs.submit({ provider: 'assemblyai', reference: null, upload, truth, callbackUrl });
      if (language_detection === true && truth.words.length === 0) withoutLanguage.add(job.id);
      void reportEnd(jobs, job, { transcript_id: job.id, status: job.failed ? 'error' : 'completed' });
      return { body: { id: job.id, status: 'queued' } };
    }),
  );
  router.get(
    '/v2/transcript',
    step('list', () => ({
      body: {
        page_details: { limit: 100 },
        transcripts: jobs
          .list('assemblyai')
          .slice(0, 100)
          .map(({ id, upload }) => ({ id, status: 'completed', audio_url: upload })),
      },
    })),
  );
  router.get(
    '/v2/transcript/:id',
    step('read', (request) => {
      const job = jobs.find('assemblyai', idOf(request));
      if (job === null) return notFound;
      if (!jobs.isReady(job)) return { body: { id: job.id, status: 'processing' } };
      const error = job.failed
        ? 'Download error, unable to download https://cdn.assemblyai.com/upload/secret-of-the-team'
        : 'language_detection cannot be performed on files with no spoken audio.';
      if (job.failed || withoutLanguage.has(job.id)) return { body: { id: job.id, status: 'error', error } };
      return { body: assemblyaiDocument(job) };
    }),
  );
  router.delete(
    '/v2/transcript/:id',
    step('remove', (request) => {
      return jobs.removeJob('assemblyai', idOf(request), true) ? { body: { id: idOf(request) } } : notFound;
    }),
  );
  return router;
}

function speechmaticsRoutes({ jobs, truths }: ProviderServerDependencies): express.Router {
  const router = express.Router();
  const step = stepOf(jobs, 'speechmatics', 'authorization');
  /** Jobs that are rejected because their language is not certain. */
  const unsure = new Set<string>();
  router.post(
    '/v2/jobs',
    step('submit', async (request) => {
      const form = await formOf(request);
      const audio = await fileIn(form, 'data_file');
      const given = form.get('config');
      const config = JSON.parse(typeof given === 'string' ? given : '{}') as Record<string, unknown>;
      if (audio === null || config['type'] !== 'transcription') return invalid('config and data_file are needed.');
      const transcription = (config['transcription_config'] ?? {}) as Record<string, unknown>;
      const refused = refusedSubmission('speechmatics', transcription, { bytes: audio.length });
      if (refused !== null) return refused;
      const { language, model, output_locale } = transcription;
      const isMelia = String(model).startsWith('melia');
      if (language === undefined) return invalid('language is needed.');
      if (isMelia !== (language === 'multi')) return invalid(`The model does not take this language.`);
      if (language === 'auto' && output_locale !== undefined) return invalid('output_locale needs a language.');
      const [notification] = (config['notification_config'] ?? []) as unknown[];
      const job = jobs.submit({
        provider: 'speechmatics',
        reference: textIn(config['tracking'], 'reference'),
        upload: null,
        truth: understoodBy(
          await truths.of(audio),
          (spoken) => language === 'auto' || language === 'multi' || spoken === language,
        ),
        callbackUrl: textIn(notification, 'url'),
      });
      const isDetected = language === 'auto';
      const allows = textIn(config['language_identification_config'], 'low_confidence_action') === 'allow';
      if (isDetected && !allows && job.truth.durationMs < surelyDetectedMs) unsure.add(job.id);
      void reportEnd(jobs, job, { job: { id: job.id } });
      return { status: 201, body: { id: job.id } };
    }),
  );
  const describe = (job: SimulatedJob) => ({
    id: job.id,
    status: !jobs.isReady(job) ? 'running' : job.failed || unsure.has(job.id) ? 'rejected' : 'done',
    ...(unsure.has(job.id) ? { errors: [{ message: 'No language was identified with enough confidence.' }] } : {}),
    duration: Math.ceil(job.truth.durationMs / 1_000),
    config: { type: 'transcription', tracking: { reference: job.reference } },
  });
  router.get(
    '/v2/jobs',
    step('list', () => ({ body: { jobs: jobs.list('speechmatics').slice(0, 100).map(describe) } })),
  );
  router.get(
    '/v2/jobs/:id',
    step('read', (request) => {
      const job = jobs.find('speechmatics', idOf(request));
      return job === null ? notFound : { body: { job: describe(job) } };
    }),
  );
  router.get(
    '/v2/jobs/:id/transcript',
    step('result', (request) => {
      const job = jobs.find('speechmatics', idOf(request));
      return job === null || !jobs.isReady(job) ? notFound : { body: speechmaticsDocument(job) };
    }),
  );
  router.delete(
    '/v2/jobs/:id',
    step('remove', (request) => (jobs.removeJob('speechmatics', idOf(request)) ? { body: {} } : notFound)),
  );
  return router;
}

function sonioxRoutes(dependencies: ProviderServerDependencies): express.Router {
  const router = express.Router();
  router.use(sonioxFiles(dependencies));
  router.use(sonioxTranscriptions(dependencies));
  return router;
}

function sonioxFiles({ jobs, truths }: ProviderServerDependencies): express.Router {
  const router = express.Router();
  const step = stepOf(jobs, 'soniox', 'authorization');
  router.post(
    '/v1/files',
    step('upload', async (request) => {
      const form = await formOf(request);
      const audio = await fileIn(form, 'file');
      if (audio === null) return invalid('The field file is missing.');
      const fileName = (form.get('file') as File).name;
      return { status: 201, body: { id: jobs.addUpload('soniox', await truths.of(audio), { fileName }) } };
    }),
  );
  router.get(
    '/v1/files',
    step('list', () => ({
      body: { files: jobs.listUploads('soniox').map(({ id, fileName }) => ({ id, filename: fileName })) },
    })),
  );
  router.delete(
    '/v1/files/:id',
    step('remove', (request) => (jobs.removeUpload(idOf(request)) ? { status: 204 } : notFound)),
  );
  return router;
}

function sonioxTranscriptions({ jobs }: ProviderServerDependencies): express.Router {
  const router = express.Router();
  const step = stepOf(jobs, 'soniox', 'authorization');
  router.post(
    '/v1/transcriptions',
    step('submit', (request) => {
      const { file_id, client_reference_id, webhook_url } = jsonOf(request);
      const upload = String(file_id);
      const truth = jobs.truthOfUpload(upload);
      if (truth === null) return invalid('file_id is not known.');
      const refused = refusedSubmission('soniox', jsonOf(request), truth);
      if (refused !== null) return refused;
      const reference = typeof client_reference_id === 'string' ? client_reference_id : null;
      const callbackUrl = typeof webhook_url === 'string' ? webhook_url : null;
      const job = jobs.submit({ provider: 'soniox', reference, upload, truth, callbackUrl });
      void reportEnd(jobs, job, { id: job.id, status: job.failed ? 'error' : 'completed' });
      return { status: 201, body: { id: job.id, status: 'queued' } };
    }),
  );
  router.get(
    '/v1/transcriptions',
    step('list', () => ({
      body: {
        transcriptions: jobs.list('soniox').map(({ id, reference }) => ({ id, client_reference_id: reference })),
        next_page_cursor: null,
      },
    })),
  );
  router.get(
    '/v1/transcriptions/:id',
    step('read', (request) => {
      const job = jobs.find('soniox', idOf(request));
      if (job === null) return notFound;
      const { id, truth } = job;
      if (!jobs.isReady(job)) return { body: { id, status: 'processing' } };
      if (job.failed) return { body: { id, status: 'failed', error_type: 'audio', error_message: 'It failed.' } };
      return { body: { id, status: 'completed', audio_duration_ms: truth.durationMs } };
    }),
  );
  router.get(
    '/v1/transcriptions/:id/transcript',
    step('result', (request) => {
      const job = jobs.find('soniox', idOf(request));
      if (job === null || !jobs.isReady(job)) return notFound;
      const tokens = sonioxTokens(job.truth);
      return { body: { id: job.id, text: tokens.map(({ text }) => text).join(''), tokens } };
    }),
  );
  router.delete(
    '/v1/transcriptions/:id',
    step('remove', (request) => (jobs.removeJob('soniox', idOf(request)) ? { status: 204 } : notFound)),
  );
  return router;
}

function openaiRoutes({ jobs, truths }: ProviderServerDependencies): express.Router {
  const router = express.Router();
  router.post(
    '/v1/audio/transcriptions',
    stepOf(
      jobs,
      'openai',
      'authorization',
    )('submit', async (request) => {
      const form = await formOf(request);
      const audio = await fileIn(form, 'file');
      if (audio === null) return invalid('The field file is missing.');
      const problem = refusedAudio('openai', { bytes: audio.length });
      if (problem !== null) return { status: 413, body: { error: { message: problem } } };
      const texts = [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []));
      const { model = '', response_format: format = 'json', ...given } = Object.fromEntries(texts);
      const refused = refusedSubmission('openai', { model, response_format: format, ...given }, {});
      if (refused !== null) return refused;
      const isTextOnly = textOnly.test(model);
      if (isTextOnly && !['json', 'text'].includes(format))
        return invalid(`response_format '${format}' is not compatible with model '${model}'.`);
      const truth = await truths.of(audio);
      const reference = request.get('idempotency-key') ?? null;
      const job = jobs.submit({ provider: 'openai', reference, upload: null, truth, callbackUrl: null });
      await sleep(jobs.processingMs);
      // As servers on faster-whisper respond to audio without a detectable language.
      if (truth.words.length === 0) return { status: 500, body: { detail: 'max() arg is an empty sequence' } };
      return job.failed
        ? invalid('The audio cannot be read.')
        : { body: isTextOnly ? { text: openaiDocument(truth).text } : openaiDocument(truth) };
    }),
  );
  return router;
}

function jsonOf(request: Request): Record<string, unknown> {
  return JSON.parse((request.body as Buffer).toString('utf8')) as Record<string, unknown>;
}

function idOf(request: Request): string {
  return String(request.params['id']);
}

function textIn(value: unknown, field: string): string | null {
  const found = (value as Record<string, unknown> | null | undefined)?.[field];
  return typeof found === 'string' ? found : null;
}

async function formOf(request: Request): Promise<FormData> {
  const headers = { 'content-type': request.get('content-type') ?? '' };
  return new Response(new Uint8Array(request.body as Buffer), { headers }).formData();
}

async function fileOf(request: Request, field: string): Promise<Buffer | null> {
  return fileIn(await formOf(request), field);
}

async function fileIn(form: FormData, field: string): Promise<Buffer | null> {
  const file = form.get(field);
  return file === null || typeof file === 'string' ? null : Buffer.from(await file.arrayBuffer());
}

const attempts = 3;
const timeoutMs = 5_000;

/**
 * Calls the customer's address when the job is done, as providers do: retries after a failure, or as set by a fault.
 */
async function reportEnd(jobs: ProviderJobs, job: SimulatedJob, body: unknown): Promise<void> {
  if (job.callbackUrl === null || job.lost) return;
  await sleep(jobs.processingMs + 20);
  if (jobs.takeFault(job.provider, 'callback', ['callback-lost']) !== null) return;
  const times = jobs.takeFault(job.provider, 'callback', ['callback-twice']) === null ? 1 : 2;
  for (let time = 0; time < times; time += 1) await call(job.callbackUrl, body);
}

async function call(url: string, body: unknown): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const isReceived = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReceived) return;
    await sleep(100 * 2 ** attempt);
  }
}
