export { buildDiarization, mediaTimeOf } from './diarization/build-diarization.ts';
export type { RecordingClock, SpeakerSpan } from './diarization/build-diarization.ts';
export { finalizeRecording } from './finalize/finalize-recording.ts';
export type { FinalizedRecording, FinalizeOptions, IntegrityReport } from './finalize/finalize-recording.ts';
export type { RecordingAttempt, StoredFragment } from './finalize/join-fragments.ts';
export type { RecordingFragment } from './fragments/fragment-assembler.ts';
export { createRecorder } from './recorder.ts';
export { defaultLimits } from './recorder-ports.ts';
export type {
  AudioLevel,
  Recorder,
  RecorderHealth,
  RecorderLimits,
  RecorderLogger,
  RecorderOptions,
  RecorderPage,
  RecordingGap,
  RecordingMode,
  RecordingPause,
  RecordingSummary,
  RecordingWay,
} from './recorder-ports.ts';
