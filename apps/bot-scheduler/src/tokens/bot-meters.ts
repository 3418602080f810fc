import type { Meter, MeteredMs } from '@rapporteur/bot-lifecycle';
import type { RunnerConfiguration } from '@rapporteur/contracts';

/** What a bot of this configuration is charged for, by what it was asked to do. */
export function metersOf({ streaming_config: streaming }: Pick<RunnerConfiguration, 'streaming_config'>): Meter[] {
  const meters: Meter[] = ['recording'];
  if ((streaming?.input_url ?? null) !== null) meters.push('streaming_input');
  if ((streaming?.output_url ?? null) !== null) meters.push('streaming_output');
  return meters;
}

/** Every meter of the bot runs for as long as it recorded. */
export function meteredFor(configuration: Pick<RunnerConfiguration, 'streaming_config'>, ms: number): MeteredMs {
  return Object.fromEntries(metersOf(configuration).map((meter) => [meter, ms]));
}
