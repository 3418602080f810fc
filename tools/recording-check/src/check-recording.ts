import { findBeeps } from './beeps.ts';
import { checkedRate, decodeAudio } from './decode-audio.ts';
import { decodeVideo } from './decode-video.ts';
import { findProblems } from './find-problems.ts';
import type { Expectations } from './find-problems.ts';
import { judgeFrames } from './judge-frames.ts';
import { findSilences, judgeBeats, judgeOffset } from './judge-audio.ts';
import type { FrameArea } from './marker.ts';
import { probe } from './probe.ts';
import type { RecordingReport } from './recording-report.ts';

export interface CheckOptions {
  readonly ffmpegPath?: string;
  readonly ffprobePath?: string;
  readonly deadlineMs?: number;
  /**
   * The area of the room's video in the frame, in pixels; omitted: the largest 16:9 area in the middle. More than one
   * where it moves.
   */
  readonly frameArea?: FrameArea | readonly FrameArea[];
}

/**
 * Decodes a whole recording of a simulated room and checks its video and audio.
 * @returns the findings, and in `problems` one sentence for each deviation; empty: passed
 * @throws Error when the file cannot be opened at all
 */
export async function checkRecording(
  path: string,
  expectations: Expectations = {},
  options: CheckOptions = {},
): Promise<{ report: RecordingReport; problems: string[] }> {
  const ffmpegPath = options.ffmpegPath ?? 'ffmpeg';
  const deadlineMs = options.deadlineMs ?? 600_000;
  const file = await probe(path, options.ffprobePath ?? 'ffprobe', deadlineMs);
  const { frameArea } = options;
  const [video, audio] = await Promise.all([
    file.video && decodeVideo(path, file.video, { ffmpegPath, deadlineMs, ...(frameArea ? { frameArea } : {}) }),
    file.audio && decodeAudio(path, ffmpegPath, deadlineMs),
  ]);
  const room = {
    framesPerSecond: expectations.framesPerSecond ?? 25,
    loopSeconds: expectations.loopSeconds ?? 60,
    ...(expectations.roomEndsAtMs === undefined ? {} : { endsAtMs: expectations.roomEndsAtMs }),
  };
  const videoFacts = video ? judgeFrames(video.frames, file.durationMs, room) : null;
  const beepsMs = audio ? findBeeps(audio.samples, checkedRate) : [];
  const beatsUntilMs = Math.min(file.durationMs, expectations.roomEndsAtMs ?? file.durationMs);
  const audioMs = audio ? Math.round((audio.samples.length / checkedRate) * 1_000) : 0;
  const report: RecordingReport = {
    path,
    file,
    video: videoFacts,
    flashes: videoFacts ? judgeBeats(videoFacts.flashesMs, beatsUntilMs) : null,
    beeps: audio ? judgeBeats(beepsMs, Math.min(audioMs, beatsUntilMs)) : null,
    beepsMs,
    offset: judgeOffset(videoFacts?.flashesMs ?? [], beepsMs),
    silences: audio ? findSilences(audio.samples, checkedRate, expectations.silenceMs ?? 1_000) : [],
    audioMs,
    decodeErrors: [...(video?.errors ?? []), ...(audio?.errors ?? [])],
  };
  return { report, problems: findProblems(report, expectations) };
}
