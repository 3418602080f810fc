import express from 'express';
import * as z from 'zod';
import { LiveProviders } from './live/live-providers.ts';
import type { LiveRecognizer } from './live/live-recognizer.ts';
import { ProviderJobs, providerFaultSchema } from './provider-jobs.ts';
import { providerRoutes } from './provider-routes.ts';
import { speechTruthSchema, SpeechTruths } from './speech-truth.ts';
import type { RecognizeRoom } from './speech-truth.ts';
import { simulatedProviders } from './vendor-rules.ts';

/** The simulated speech-to-text providers. */
export interface SpeechProviders {
  readonly jobs: ProviderJobs;
  readonly truths: SpeechTruths;
  /** The live APIs; connections arrive by the server's `upgrade` event. */
  readonly live: LiveProviders;
  /** Every provider's API, below `/<provider>`. */
  readonly routes: express.Router;
  /** The API by which tests and users control them. */
  readonly control: express.Router;
}

const registered = z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/), truth: speechTruthSchema });
const pace = z.strictObject({
  processingMs: z.number().int().min(0).max(600_000),
  liveDelayMs: z.number().int().min(0).max(60_000).default(0),
});

const limits = z.strictObject({
  provider: z.enum(simulatedProviders),
  sessions: z.number().int().min(0).max(10_000).optional(),
  sessionMs: z.number().int().min(1).max(86_400_000).optional(),
});

export interface SpeechProvidersOptions {
  readonly now: () => number;
  readonly recognizeRoom?: RecognizeRoom;
  readonly createRoomRecognizer?: () => LiveRecognizer;
}

export function createSpeechProviders(options: SpeechProvidersOptions): SpeechProviders {
  const jobs = new ProviderJobs(options.now);
  const live = new LiveProviders({ ...options, jobs });
  const truths = new SpeechTruths(options.recognizeRoom);
  const control = express.Router();
  control.use(express.json({ limit: '8mb' }));
  control.post('/truths', (request, response) => {
    const { sha256, truth } = registered.parse(request.body);
    truths.register(sha256, truth);
    response.status(201).json({ registered: sha256 });
  });
  control.post('/faults', (request, response) => {
    const fault = providerFaultSchema.parse(request.body);
    jobs.strike(fault);
    response.status(201).json(fault);
  });
  control.delete('/faults', (_request, response) => {
    jobs.heal();
    response.status(204).end();
  });
  control.put('/pace', (request, response) => {
    const { processingMs, liveDelayMs } = pace.parse(request.body);
    jobs.processingMs = processingMs;
    live.delayMs = liveDelayMs;
    response.json({ processingMs, liveDelayMs });
  });
  control.put('/limits', (request, response) => {
    const { provider, ...given } = limits.parse(request.body);
    live.limits.set(provider, given as { sessions?: number; sessionMs?: number });
    response.json({ provider, ...given });
  });
  control.post('/live/cut', (_request, response) => {
    live.cut();
    response.status(204).end();
  });
  control.get('/counts', (_request, response) => {
    response.json(
      Object.fromEntries(simulatedProviders.map((name) => [name, { ...jobs.counts(name), live: live.counts(name) }])),
    );
  });
  return { jobs, truths, live, routes: providerRoutes({ jobs, truths, live }), control };
}
