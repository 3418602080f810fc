import type { RunnerConfiguration } from '@rapporteur/contracts';
import type { OutgoingDevices } from '@rapporteur/meeting-platforms';

/** What the bot must bring to show and say what it was asked to. */
export function outgoingDevices({ streaming_config }: RunnerConfiguration, hasVideo: boolean): OutgoingDevices {
  return { camera: hasVideo, microphone: (streaming_config?.input_url ?? null) !== null };
}
