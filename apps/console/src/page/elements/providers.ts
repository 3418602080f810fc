import type { components } from '@rapporteur/sdk';

/** The simulator's providers exist only where one runs; the API refuses what a deployment does not have. */
export const providers = [
  'meeting_captions',
  'gladia',
  'deepgram',
  'assemblyai',
  'speechmatics',
  'soniox',
  'openai-compatible',
  'local',
  'simulated-gladia',
  'simulated-deepgram',
  'simulated-assemblyai',
  'simulated-speechmatics',
  'simulated-soniox',
] as const satisfies readonly components['schemas']['TranscriptionProvider'][];

export type Provider = (typeof providers)[number];

export function isProvider(name: string): name is Provider {
  return (providers as readonly string[]).includes(name);
}
