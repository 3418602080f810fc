export { blockMs, scriptedBlock } from './live/scripted-audio.ts';
export type { LiveProviders } from './live/live-providers.ts';
export type { ProviderFault } from './provider-jobs.ts';
export { startSpeechProviderServer } from './server.ts';
export type { SpeechProviderServer } from './server.ts';
export type { RecognizeRoom, SpeechTruth } from './speech-truth.ts';
export { liveRefusals } from './live/refusals.ts';
export { refusalClasses, simulatedProviders, vendorRules } from './vendor-rules.ts';
export type { RefusalClass, SimulatedProvider } from './vendor-rules.ts';
