import { providerGroups } from './providers.ts';

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
