import type { RunnerConfiguration } from '@rapporteur/contracts';
import type { OutgoingDevices } from '@rapporteur/meeting-platforms';

/** The devices that the bot needs for the images and audio of its configuration. */
export function outgoingDevices({ streaming_config }: RunnerConfiguration, hasVideo: boolean): OutgoingDevices {
  return { camera: hasVideo, microphone: (streaming_config?.input_url ?? null) !== null };
}
