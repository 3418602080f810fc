import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { ProviderCounts, ProviderFault } from './provider-jobs.ts';
import { providerFaultSchema } from './provider-jobs.ts';
import { createSpeechProviders } from './speech-providers.ts';
import type { SpeechProviders } from './speech-providers.ts';
import type { RecognizeRoom, SpeechTruth } from './speech-truth.ts';
import type { SimulatedProvider } from './vendor-rules.ts';

/** The simulated providers alone, without meetings: for tests of their clients. */
export interface SpeechProviderServer {
  readonly url: string;
  readonly providers: SpeechProviders;
  strike(fault: Partial<ProviderFault> & Pick<ProviderFault, 'provider' | 'at' | 'kind'>): void;
  /** Registers the words of this audio. */
  teach(audio: Buffer, truth: SpeechTruth): void;
  counts(provider: SimulatedProvider): ProviderCounts;
  stop(): Promise<void>;
}

/** @param recognizeRoom the words of audio that is not registered */
export async function startSpeechProviderServer(recognizeRoom?: RecognizeRoom): Promise<SpeechProviderServer> {
  const providers = createSpeechProviders({
    now: () => Date.now(),
    ...(recognizeRoom === undefined ? {} : { recognizeRoom }),
  });
  const app = express();
  app.use('/speech-control', providers.control);
  app.use('/speech', providers.routes);
  const server = createServer(app);
  server.on('upgrade', (request, socket, head) => providers.live.upgrade(request, socket, head));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/speech`,
    providers,
    strike: (fault) => providers.jobs.strike(providerFaultSchema.parse(fault)),
    teach: (audio, truth) => providers.truths.register(createHash('sha256').update(audio).digest('hex'), truth),
    counts: (provider) => providers.jobs.counts(provider),
    stop: async () => {
      providers.live.cut();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
