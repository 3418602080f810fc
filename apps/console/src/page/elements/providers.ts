import type { components } from '@rapporteur/sdk';

export const providers = [
  'gladia',
  'deepgram',
  'assemblyai',
  'speechmatics',
  'soniox',
  'openai-compatible',
  'local',
] as const satisfies readonly components['schemas']['TranscriptionProvider'][];

export type Provider = (typeof providers)[number];

export function isProvider(name: string): name is Provider {
  return (providers as readonly string[]).includes(name);
}
