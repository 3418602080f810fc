import { mkdir, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { ArtifactName, ByteSpan } from '@rapporteur/media-container';
import { ArtifactBuild } from './artifact-build.ts';
import { writeSpans } from '../span-files.ts';
import { concludeRecording } from './conclude-recording.ts';
import type { ConcludedRecording, ConcludeOptions } from './conclude-recording.ts';
import { firstInit, FragmentJoin, frameOf } from './join-fragments.ts';
import type { JoinedRecording, RecordingAttempt } from './join-fragments.ts';

export interface FinalizeOptions extends ConcludeOptions {
  readonly attempts: readonly RecordingAttempt[];
  /** Made when missing. The artifacts and nothing else are left in it. */
  readonly workFolder: string;
  readonly ffmpegPath: string;
  /** Time limit of ffmpeg for 20 seconds of audio; omitted: a minute. */
  readonly deadlineMs?: number;
}

export interface FinalizedRecording extends ConcludedRecording {
  /** MP4: H.264 as recorded, AAC, index at the beginning. Absent when there is no video. */
  readonly video?: string;
  /** FLAC, mono, 48 kHz. */
  readonly audio: string;
  /** M4A with the movie's AAC, for players. */
  readonly audioM4a: string;
  /** A JPEG of a frame with content. */
  readonly poster?: string;
}

/** Names of the files with the media, below the work folder. */
export const artifactFiles: Readonly<Record<ArtifactName, string>> = {
  video: 'video.mp4',
  audio: 'audio.flac',
  audio_m4a: 'audio.m4a',
};
export const posterFile = 'poster.jpg';
export const encodeDeadlineMs = 60_000;
/** Each takes about 100 MB. */
const mostRuns = 4;

/**
 * Builds the artifacts from the stored fragments of one recording: in the runner after the call, or anywhere after a
 * crash. A pure function of the files: a rerun gives the same result. The video is copied; audio is encoded where no
 * earlier run has encoded it.
 * @throws NothingToFinish when no fragment is usable, Error with ffmpeg's output when it fails
 */
export async function finalizeRecording(options: FinalizeOptions): Promise<FinalizedRecording> {
  const { workFolder, ffmpegPath, deadlineMs = encodeDeadlineMs } = options;
  await mkdir(workFolder, { recursive: true, mode: 0o700 });
  const attempts = options.attempts.toSorted((left, right) => left.startedAtMs - right.startedAtMs);
  const init = firstInit(await Promise.all(attempts.map((attempt) => readFile(attempt.init).catch(() => null))));
  const spans: Record<ArtifactName, ByteSpan[]> = { video: [], audio: [], audio_m4a: [] };
  const build = await ArtifactBuild.open({
    video: options.mode !== 'audio_only' ? frameOf(init) : null,
    spoolPath: join(workFolder, 'sound.part'),
    encoder: { ffmpegPath, deadlineMs, niceness: 0 },
    pace: { runs: Math.min(mostRuns, availableParallelism()), fragmentsPerRun: 8 },
    isLastChance: true,
    append: (name, added) => spans[name].push(...added),
  });
  try {
    const joining = new FragmentJoin(init, build);
    await addAttempts(joining, attempts);
    const joined = joining.result();
    const posterPath = join(workFolder, posterFile);
    const samples = joining.endSample;
    const { artifacts, hasPoster } = await build.finish(samples, posterPath);
    const files = artifacts.filter(({ name }) => name !== 'video' || joined.videoSamples > 0);
    await Promise.all(
      files.map(({ name, head }) =>
        writeSpans(join(workFolder, artifactFiles[name]), [{ bytes: head }, ...spans[name]]),
      ),
    );
    const concluded = await concludeRecording(options, withSilenced(joined, build), {
      recordedParticipants: { ...build.recordedParticipants, samples },
      resourceUsage: {
        filesMade: 'after_call',
        encodingCpuMs: build.cpuMs,
        artifactBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      },
    });
    return {
      ...concluded,
      ...(files.some(({ name }) => name === 'video') ? { video: join(workFolder, artifactFiles.video) } : {}),
      audio: join(workFolder, artifactFiles.audio),
      audioM4a: join(workFolder, artifactFiles.audio_m4a),
      ...(hasPoster ? { poster: posterPath } : {}),
    };
  } finally {
    await build.close();
  }
}

async function addAttempts(joining: FragmentJoin, attempts: readonly RecordingAttempt[]): Promise<void> {
  const zeroMs = attempts[0]?.startedAtMs ?? 0;
  let pausedMs = 0;
  for (const [index, attempt] of attempts.entries()) {
    const fragments = attempt.fragments.toSorted((left, right) => left.sequence - right.sequence);
    const atMs = attempt.startedAtMs - zeroMs - pausedMs;
    const lastMs = fragments.at(-1)?.endMs;
    if (lastMs !== undefined) {
      await joining.begin(attempt, atMs, lastMs);
      for (const fragment of fragments) await joining.add(fragment);
    }
    for (const pause of attempt.pauses ?? [])
      pausedMs += Math.max(0, (pause.endMs ?? attempts[index + 1]?.startedAtMs ?? pause.startMs) - pause.startMs);
  }
}

function withSilenced(joined: JoinedRecording, { silenced }: ArtifactBuild): JoinedRecording {
  const gaps = [...joined.gaps, ...silenced].toSorted((left, right) => left.startMs - right.startMs);
  return { ...joined, gaps };
}
