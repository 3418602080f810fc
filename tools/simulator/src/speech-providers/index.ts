export { blockMs, scriptedBlock } from './live/scripted-audio.ts';
export type { LiveProviders } from './live/live-providers.ts';
export { simulatedProviders } from './provider-jobs.ts';
export type { ProviderFault, SimulatedProvider } from './provider-jobs.ts';
export { startSpeechProviderServer } from './server.ts';
export type { SpeechProviderServer } from './server.ts';
export type { SpeechTruth } from './speech-truth.ts';
