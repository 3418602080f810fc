import type { Meter, MeteredMs } from '@rapporteur/bot-lifecycle';
import type { RunnerConfiguration } from '@rapporteur/contracts';

/** Whose key pays the provider; null: no provider transcribes. */
export type TranscriptionKey = 'own' | 'deployment' | null;

export interface MeteredBot {
  readonly configuration: Pick<RunnerConfiguration, 'streaming_config'>;
  readonly transcriptionKey: TranscriptionKey;
}

/** The meters of a bot, by its configuration. */
export function metersOf({ configuration, transcriptionKey }: MeteredBot): Meter[] {
  const { streaming_config: streaming } = configuration;
  const meters: Meter[] = ['recording'];
  if (transcriptionKey !== null) meters.push(transcriptionMeter(transcriptionKey));
  if ((streaming?.input_url ?? null) !== null) meters.push('streaming_input');
  if ((streaming?.output_url ?? null) !== null) meters.push('streaming_output');
  return meters;
}

export function transcriptionMeter(key: 'own' | 'deployment'): 'byok_transcription' | 'transcription' {
  return key === 'own' ? 'byok_transcription' : 'transcription';
}

/** Every meter of the bot runs for the length of its recording. */
export function meteredFor(bot: MeteredBot, ms: number): MeteredMs {
  return Object.fromEntries(metersOf(bot).map((meter) => [meter, ms]));
}
