import express from 'express';
import * as z from 'zod';
import { ProviderJobs, providerFaultSchema, simulatedProviders } from './provider-jobs.ts';
import { providerRoutes } from './provider-routes.ts';
import { speechTruthSchema, SpeechTruths } from './speech-truth.ts';
import type { RecognizeRoom } from './speech-truth.ts';

/** The simulated speech-to-text providers. */
export interface SpeechProviders {
  readonly jobs: ProviderJobs;
  readonly truths: SpeechTruths;
  /** Every provider's API, below `/<provider>`. */
  readonly routes: express.Router;
  /** What tests and participants control them with. */
  readonly control: express.Router;
}

const registered = z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/), truth: speechTruthSchema });
const pace = z.strictObject({ processingMs: z.number().int().min(0).max(600_000) });

export function createSpeechProviders(options: { now: () => number; recognizeRoom?: RecognizeRoom }): SpeechProviders {
  const jobs = new ProviderJobs(options.now);
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
    jobs.processingMs = pace.parse(request.body).processingMs;
    response.json({ processingMs: jobs.processingMs });
  });
  control.get('/counts', (_request, response) => {
    response.json(Object.fromEntries(simulatedProviders.map((name) => [name, jobs.counts(name)])));
  });
  return { jobs, truths, routes: providerRoutes({ jobs, truths }), control };
}
