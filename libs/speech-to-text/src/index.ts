export type {
  BatchProvider,
  JobState,
  ProviderAccess,
  ProviderCopy,
  SpeechAudio,
  Submission,
  Submitted,
} from './batch-provider.ts';
export { createBatchProvider } from './create-batch-provider.ts';
export { SpeechToTextFailure } from './failure.ts';
export { parseBoundedJson } from './json-text.ts';
export type { SpeechToTextFailureKind } from './failure.ts';
export { isBatchProvider, vendorAddress } from './providers.ts';
export type { BatchProviderName, LiveProviderName, ProviderName } from './providers.ts';
export { languagesOf, meanConfidence, utterancesOf } from './transcript.ts';
export type { LabelledWord, Transcript, TranscriptUtterance, TranscriptWord } from './transcript.ts';
