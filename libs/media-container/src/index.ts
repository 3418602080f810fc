export { splitAdts, windowOf } from './audio/adts.ts';
export { audioFragmentBytes, readAudioFragment } from './audio/audio-fragment.ts';
export type { EncodedAudio } from './audio/audio-fragment.ts';
export {
  audioRate,
  contextFrames,
  decoderLeadSamples,
  fragmentFrames,
  frameSamples,
  jointFrames,
  samplesAt,
} from './audio/audio-grid.ts';
export { cutAudio, cuttableTypes } from './audio/cut-audio.ts';
export { flacHead, numberedFlacFrame, splitFlac } from './audio/flac-frames.ts';
export { oggOpus, opusStep, silence } from './audio/ogg-opus.ts';
export type { OpusPacket } from './audio/ogg-opus.ts';
export { frameIn, parameterBytesMost, parameterSetBytes, sameBytes } from './avc/parameter-sets.ts';
export type { FrameDescription } from './boxes/track-box.ts';
export { firstFrameMs, FragmentAssembler } from './fragments/fragment-assembler.ts';
export type { RecordingFragment } from './fragments/fragment-assembler.ts';
export { canFollow, initSegment, readAvcC, readFrame, readOpus, videoTrack } from './fragments/init-segment.ts';
export {
  boxHeaderBytes,
  damagedFragment,
  fragmentIndex,
  fromFirstKey,
  mediaFragment,
  mediaOf,
  syncFlags,
} from './fragments/media-fragment.ts';
export type { AudioSample, RunEntry, TrackRun, VideoSample } from './fragments/media-fragment.ts';
export { bytesIn, participantPacketUs, participantRuns } from './fragments/participant-box.ts';
export type { ParticipantPacket, ParticipantRun } from './fragments/participant-box.ts';
export { ArtifactLayout, packetTimes, startMsOf } from './movie/artifact-layout.ts';
export type { ArtifactName, AudioFrames } from './movie/artifact-layout.ts';
export { spansLength, splitSpans } from './byte-span.ts';
export type { ByteSpan } from './byte-span.ts';
