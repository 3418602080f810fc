export { buildDiarization, mediaTimeOf } from './diarization/build-diarization.ts';
export type { RecordingClock, Speaker, SpeakerSpan } from './diarization/build-diarization.ts';
export { readSpans, writeSpans } from './span-files.ts';
export { firstFrameMs } from '@rapporteur/media-container';
export type { ByteSpan } from '@rapporteur/media-container';
export { artifactFiles, finalizeRecording } from './finalize/finalize-recording.ts';
export type { ArtifactName } from '@rapporteur/media-container';
export { startIncrementalArtifacts } from './finalize/incremental-artifacts.ts';
export type {
  IncrementalArtifacts,
  IncrementalArtifact,
  IncrementalRecording,
} from './finalize/incremental-artifacts.ts';
export type { ConcludedRecording, IntegrityReport } from './finalize/conclude-recording.ts';
export type { FinalizedRecording, FinalizeOptions } from './finalize/finalize-recording.ts';
export { NothingToFinish } from './finalize/join-fragments.ts';
export type { RecordingAttempt, StoredFragment } from './finalize/join-fragments.ts';
export type { RecordingFragment } from '@rapporteur/media-container';
export { speechSpans, writeParticipantFile } from './participant-audio/participant-audio-files.ts';
export type { ParticipantAudio, RecordedParticipants } from './participant-audio/participant-audio-files.ts';
export { createRecorder, preloadCapture } from './recorder.ts';
export { defaultLimits, videoSizings, captureStrategySettings } from './recorder-ports.ts';
export type {
  AudioLevel,
  Recorder,
  RecorderHealth,
  RecorderLimits,
  RecorderLogger,
  RecorderOptions,
  RecorderPage,
  RecorderAudioTap,
  RecordingGap,
  RecordingMode,
  RecordingPause,
  RecordingSummary,
  VideoSizing,
  CaptureStrategySetting,
  StrategySwitch,
} from './recorder-ports.ts';
