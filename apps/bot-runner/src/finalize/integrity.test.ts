import { describe, expect, test } from '@jest/globals';
import { integrityReport } from '@rapporteur/contracts';
import type { IntegrityReport as RecordedIntegrity } from '@rapporteur/recorder';
import { integrityOf, qualityOf } from './integrity.ts';
import type { RunResourceUsage } from './integrity.ts';

const recorded: RecordedIntegrity = {
  version: 1,
  mode: 'speaker_view',
  captureStrategies: [null],
  durationMs: 6_000,
  gaps: [{ startMs: 2_000, endMs: 4_000, reason: 'missing_fragments' }],
  gapMs: 2_000,
  pauses: [{ atMs: 1_000, lastedMs: null }],
  videoMissing: null,
  degradations: null,
  audioImpaired: null,
  framesReceived: null,
  framesEncoded: null,
  framesRepeated: null,
  framesSkippedByRateLimit: null,
  framesDropped: null,
  framesStored: 120,
  audioPacketsStored: 200,
  audioDiscontinuities: null,
  lateAudioMs: null,
  participantAudio: { state: null, sharedMs: null, unownedMs: null },
  fragments: 2,
  bytes: 100_000,
  missingSequences: [{ attempt: 0, sequences: [2] }],
  startOffsetMs: 4,
  endedCleanly: false,
  resourceUsage: { filesMade: 'after_call', encodingCpuMs: 300, artifactBytes: 90_000 },
};
const stored = [
  { kind: 'video' as const, key: 'artifacts/video.mp4', bytes: 9, sha256: 'ab', contentType: 'video/mp4' },
];
const died: RunResourceUsage = {
  attempt: 1,
  complete: false,
  cpuMs: 5_000,
  peakMemoryBytes: 700,
  uploadedBytes: 80,
  uploadRequests: 3,
  uploads: { fragments: { bytes: 80, requests: 3 } },
};
const finished: RunResourceUsage = {
  attempt: 2,
  complete: true,
  cpuMs: 900,
  peakMemoryBytes: 200,
  uploadedBytes: 90,
  uploadRequests: 4,
  uploads: { fragments: { bytes: 10, requests: 1 }, video: { bytes: 80, requests: 3 } },
};

describe('the summary of losses', () => {
  const report = integrityOf(recorded, stored, [finished]);

  test('states the missing video with the reason of most of it', () => {
    const missing = (startMs: number, endMs: number, reason: 'black' | 'no_frames') => ({ startMs, endMs, reason });
    const videoMissing = [missing(0, 300, 'black'), missing(500, 900, 'no_frames'), missing(1_000, 1_200, 'black')];
    expect(qualityOf({ ...report, videoMissing })).toMatchObject({
      gapMs: 2_000,
      gapReason: 'missing_fragments',
      videoMissingMs: 900,
      videoMissingReason: 'black',
    });
    expect(qualityOf({ ...report, videoMissing: [] })).toMatchObject({ videoMissingMs: 0, videoMissingReason: null });
    const degradations = [{ startMs: 100, endMs: 700.4, reason: 'frame_rate' as const }];
    expect(qualityOf({ ...report, degradations, audioImpaired: [] })).toMatchObject({
      audioImpairedMs: 0,
      degradedMs: 600,
    });
  });

  test('states impaired audio once where spans overlap, and no single seconds of it', () => {
    const span = (startMs: number, endMs: number, reason: 'late' | 'concealed' | 'stretched') => ({
      startMs,
      endMs,
      reason,
    });
    const single = [span(0, 1_855, 'stretched'), span(4_117, 5_117, 'concealed'), span(13_867, 15_116, 'stretched')];
    expect(qualityOf({ ...report, audioImpaired: single })).toMatchObject({ audioImpairedMs: 0 });
    const lasting = [span(20_000, 23_500, 'late'), span(22_000, 24_000, 'concealed'), span(24_400, 26_000, 'late')];
    expect(qualityOf({ ...report, audioImpaired: [...lasting.toReversed(), ...single] })).toMatchObject({
      audioImpairedMs: 6_000,
    });
  });

  test('states what is unknown, and that no video was to be recorded', () => {
    expect(qualityOf(report)).toMatchObject({
      videoMissingMs: null,
      videoMissingReason: null,
      audioImpairedMs: null,
      degradedMs: null,
    });
    expect(qualityOf({ ...report, mode: 'audio_only' })).toMatchObject({ videoMissingReason: 'audio_only' });
  });
});

describe('the integrity report', () => {
  test('names the stored files with their hashes, and adds up what all runs spent', () => {
    const report = integrityOf(recorded, stored, [died, finished]);
    expect(integrityReport.parse(report)).toEqual({
      ...recorded,
      files: [{ kind: 'video', bytes: 9, sha256: 'ab' }],
      resourceUsage: {
        ...recorded.resourceUsage,
        cpuMs: 5_900,
        peakMemoryBytes: 700,
        uploadedBytes: 170,
        uploadRequests: 7,
        uploads: { fragments: { bytes: 90, requests: 4 }, video: { bytes: 80, requests: 3 } },
        runs: [died, finished],
      },
    });
  });

  test('states events that cannot be read', () => {
    expect(integrityReport.parse(integrityOf(recorded, stored, [died], 2))).toMatchObject({ eventsLost: 2 });
  });

  test('gives no sum of what one run did not report', () => {
    const silent: RunResourceUsage = {
      attempt: 3,
      complete: false,
      cpuMs: null,
      peakMemoryBytes: null,
      uploadedBytes: 0,
    };
    expect(integrityOf(recorded, stored, [died, silent]).resourceUsage).toMatchObject({
      cpuMs: null,
      peakMemoryBytes: 700,
    });
    expect(integrityOf(recorded, stored, [died, silent]).resourceUsage).not.toHaveProperty('uploadRequests');
    expect(integrityOf(recorded, stored, [silent]).resourceUsage).toMatchObject({ cpuMs: null, peakMemoryBytes: null });
  });
});
