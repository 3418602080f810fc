export { buildDiarization, mediaTimeOf } from './diarization/build-diarization.ts';
export type { RecordingClock, SpeakerSpan } from './diarization/build-diarization.ts';
export { readSpans, writeSpans } from './finalize/byte-span.ts';
export type { ByteSpan } from './finalize/byte-span.ts';
export { artifactFiles, finalizeRecording } from './finalize/finalize-recording.ts';
export type { ArtifactName } from './finalize/artifact-layout.ts';
export { growArtifacts } from './finalize/growing-artifacts.ts';
export type { GrowingArtifacts, GrownArtifact, GrownRecording } from './finalize/growing-artifacts.ts';
export type { ConcludedRecording, IntegrityReport } from './finalize/conclude-recording.ts';
export type { FinalizedRecording, FinalizeOptions } from './finalize/finalize-recording.ts';
export { NothingToFinish } from './finalize/join-fragments.ts';
export type { RecordingAttempt, StoredFragment } from './finalize/join-fragments.ts';
export type { RecordingFragment } from './fragments/fragment-assembler.ts';
export { heardSpans, writePersonFile } from './persons/person-sounds.ts';
export type { PersonSound, RecordedPersons } from './persons/person-sounds.ts';
export { createRecorder, preloadCapture } from './recorder.ts';
export { defaultLimits, pictureSizings, recordingWaySettings } from './recorder-ports.ts';
export type {
  AudioLevel,
  Recorder,
  RecorderHealth,
  RecorderLimits,
  RecorderLogger,
  RecorderOptions,
  RecorderPage,
  RecorderSoundTap,
  RecordingGap,
  RecordingMode,
  RecordingPause,
  RecordingSummary,
  PictureSizing,
  RecordingWaySetting,
  WayChange,
} from './recorder-ports.ts';
