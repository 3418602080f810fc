import { batchProviders, batchVendors, simulatedNameOf } from '@rapporteur/speech-to-text/providers';
import type { BatchProviderName } from '@rapporteur/speech-to-text/providers';

export { isBatchProvider as isProvider } from '@rapporteur/speech-to-text/providers';
export type Provider = BatchProviderName;

const names: Readonly<Record<string, string>> = {
  meeting_captions: 'Captions of the meeting: no key, no cost',
  local: 'Local engine: runs on this deployment, no key',
  'openai-compatible': 'OpenAI-compatible server of the operator',
  assemblyai: 'AssemblyAI: needs a key',
};

function nameOf(provider: Provider): string {
  return names[provider] ?? `${provider.charAt(0).toUpperCase()}${provider.slice(1)}: needs a key`;
}

/** Those without a key come first. */
const real = batchProviders.toSorted((one, other) => Number(isVendor(one)) - Number(isVendor(other)));

function isVendor(provider: string): boolean {
  return (batchVendors as readonly string[]).includes(provider);
}

/**
 * Providers by group, with their names. The simulator's exist only where one runs; the API refuses what a deployment
 * lacks.
 */
const providerGroups: readonly (readonly [group: string, options: readonly (readonly [Provider, string])[]])[] = [
  ['Without a key', real.filter((provider) => !isVendor(provider)).map((provider) => [provider, nameOf(provider)])],
  ['Services', real.filter(isVendor).map((provider) => [provider, nameOf(provider)])],
  ['Simulated, for tests', batchVendors.map(simulatedNameOf).map((provider) => [provider, provider])],
];

/** The options of a choice of transcription provider. */
export function ProviderOptions() {
  return providerGroups.map(([group, options]) => (
    <optgroup key={group} label={group}>
      {options.map(([provider, name]) => (
        <option key={provider} value={provider}>
          {name}
        </option>
      ))}
    </optgroup>
  ));
}
