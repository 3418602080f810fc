export type { Span } from './interpolate-words.ts';
export { attributeWord, LabelSpeakers, splitBySpeaker, TurnIndex } from './attribution/attribute-words.ts';
export type { AttributedWords, Attribution, SpeechTurn } from './attribution/attribute-words.ts';
export type {
  BatchProvider,
  JobState,
  ProviderAccess,
  ProviderCopy,
  SpeechAudio,
  Submission,
  Submitted,
} from './batch-provider.ts';
export { interpolateWords, shiftTranscript, speechSpans, spreadOverSpeech, withoutLoops } from './interpolate-words.ts';
export { withDefaults } from './custom-params.ts';
export { captionLine } from './meeting-captions/meeting-captions.ts';
export type { CaptionLine } from './meeting-captions/meeting-captions.ts';
export { createBatchProvider } from './create-batch-provider.ts';
export { liveSampleRateHz } from './live-provider.ts';
export type { LiveAccess, LiveEvent, LiveSession, LiveTranslation, LiveUtterance } from './live-provider.ts';
export { openLiveSession } from './open-live-session.ts';
export type { LiveVendorName } from './open-live-session.ts';
export { SpeechToTextFailure } from './failure.ts';
export { parseBoundedJson } from './json-text.ts';
export type { SpeechToTextFailureKind } from './failure.ts';
export {
  apiOf,
  batchLimitsOf,
  isBatchProvider,
  isLiveProvider,
  isOfDeployment,
  isOfVendor,
  isSimulated,
  keyedBatchApis,
  keySettingOf,
  readByProvider,
  vendorAddress,
} from './providers.ts';
export type {
  BatchApi,
  BatchLimits,
  BatchProviderName,
  KeySetting,
  LiveApi,
  LiveProviderName,
  ProviderName,
} from './providers.ts';
export { emptyTranscript, languagesOf, meanConfidence, textOfWords, utterancesOf } from './transcript.ts';
export type { LabelledWord, Transcript, TranscriptUtterance, TranscriptWord } from './transcript.ts';
