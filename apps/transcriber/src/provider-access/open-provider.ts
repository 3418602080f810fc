import { internalCalls } from '@rapporteur/contracts';
import { measureRequests } from '@rapporteur/outbound-http';
import type { OutboundHttp, ProviderMeasurements } from '@rapporteur/outbound-http';
import { createClient, withoutEndingSlashes } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import {
  createBatchProvider,
  isBatchProvider,
  isOfDeployment,
  isOfVendor,
  isSimulated,
  keyedBatchApis,
  keySettingOf,
  readByProvider,
  SpeechToTextFailure,
  vendorAddress,
} from '@rapporteur/speech-to-text';
import type { BatchProvider, BatchProviderName } from '@rapporteur/speech-to-text';
import type { TranscriberConfig } from '../config.ts';
import type { TranscriptionRequest } from '../schema/entities.ts';

/** Labels of the measurements. */
export const measuredProviders = [...keyedBatchApis, 'simulated'] as const;

/**
 * Throws SpeechToTextFailure when this deployment cannot use the provider, UNAVAILABLE when a key cannot be read now.
 */
export type OpenProvider = (
  request: Pick<TranscriptionRequest, 'botId' | 'teamId' | 'choice'>,
  signal: AbortSignal,
) => Promise<BatchProvider>;

export interface ProviderDependencies {
  readonly http: OutboundHttp;
  readonly auth: InternalAuth;
  readonly config: TranscriberConfig;
  readonly measurements: ProviderMeasurements;
}

export function createOpenProvider({ http, auth, config, measurements }: ProviderDependencies): OpenProvider {
  const addresses = readByProvider('PROVIDER_ADDRESSES', config.providerAddresses, isBatchProvider, httpAddress);
  const models = readByProvider('PROVIDER_MODELS', config.providerModels, isBatchProvider);
  const bots = createClient(internalCalls.bots, { auth, service: 'bot-scheduler', baseUrl: config.schedulerUrl });
  const ownKey = async ({ botId, teamId }: Parameters<OpenProvider>[0], field: string): Promise<string> => {
    const { secret } = await bots.secret({ botId, teamId, field });
    if (secret === null) throw new SpeechToTextFailure('credentials', 'The key for the provider is not kept any more.');
    return secret;
  };
  return async (request, signal) => {
    const { provider: name, region, keyField } = request.choice;
    if (!isBatchProvider(name)) throw new SpeechToTextFailure('rejected', `There is no provider ${name}.`);
    const baseUrl = addresses.get(name) ?? addressOf(config, name, region);
    const apiKey = keyField === null ? deploymentKey(config, name) : await ownKey(request, keyField);
    const { customParams } = request.choice;
    const measured = measureRequests(http, isSimulated(name) ? 'simulated' : name, measurements);
    return createBatchProvider(name, {
      http: measured,
      baseUrl,
      apiKey,
      customParams,
      model: models.get(name),
      signal,
    });
  };
}

function addressOf(config: TranscriberConfig, name: BatchProviderName, region: string | null): string {
  const own = { 'openai-compatible': config.openaiCompatibleUrl, local: config.localUrl } as const;
  const address = isOfDeployment(name) ? own[name] : vendorAddress(name, 'batch', region);
  if (name === 'meeting_captions') return '';
  if (address === undefined || address === null) throw notConfigured(name);
  return address;
}

function deploymentKey(config: TranscriberConfig, name: BatchProviderName): string | null {
  // The simulator accepts every key.
  if (isSimulated(name)) return 'simulated';
  const keyed = keyedBatchApis.find((one) => one === name);
  const key = keyed === undefined ? undefined : config[keySettingOf(keyed)];
  if (key === undefined && isOfVendor(name)) throw notConfigured(name);
  return key?.reveal() ?? null;
}

function notConfigured(name: string): SpeechToTextFailure {
  return new SpeechToTextFailure('credentials', `The provider ${name} is not configured in this deployment.`);
}

function httpAddress(address: string): string {
  if (/^https?:\/\/./.test(address)) return withoutEndingSlashes(address);
  throw new Error('RAPPORTEUR_PROVIDER_ADDRESSES: an address begins with http:// or https://.');
}
