import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import {
  boxHeaderBytes,
  damagedFragment,
  fragmentIndex,
  mediaOf,
  syncFlags,
  parameterBytesMost,
  frameIn,
  participantRuns,
} from '@rapporteur/media-container';
import type { RunEntry, TrackRun, ParticipantRun } from '@rapporteur/media-container';

/** The index of a fragment on disk, without its media. */
export interface FragmentFile {
  readonly path: string;
  readonly bytes: number;
  readonly video: TrackRun | null;
  readonly audio: TrackRun | null;
  /** Audio of single participants. */
  readonly participantRuns: readonly ParticipantRun[];
}

const headBytes = 16_384;

/**
 * Reads a fragment's index (a fragment is one `moof` and one `mdat`), and the parameters of its key frames.
 * @throws Error when it is missing, cut or damaged
 */
export async function readFragmentFile(path: string): Promise<FragmentFile> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const begin = await readBytes(file, 0, Math.min(size, headBytes));
    const indexBytes = begin.length >= boxHeaderBytes ? begin.readUInt32BE(0) : 0;
    if (indexBytes + boxHeaderBytes > size) throw damagedFragment();
    const head =
      indexBytes + boxHeaderBytes <= begin.length ? begin : await readBytes(file, 0, indexBytes + boxHeaderBytes);
    const { video, audio } = fragmentIndex(head, size);
    const mediaEnd = Math.max(
      ...[video, audio].map((run) => run && run.dataAt + mediaOf(run)).filter((end) => end !== null),
    );
    return {
      path,
      bytes: size,
      video: video && (await withFrames(file, video)),
      audio,
      // Unreadable participant audio does not affect the recording.
      participantRuns: await readParticipantRuns(file, Math.max(mediaEnd, indexBytes + boxHeaderBytes), size).catch(
        () => [],
      ),
    };
  } finally {
    await file.close();
  }
}

async function readParticipantRuns(file: FileHandle, at: number, size: number): Promise<ParticipantRun[]> {
  return participantRuns(await readBytes(file, at, size - at), at);
}

async function withFrames(file: FileHandle, run: TrackRun): Promise<TrackRun> {
  const entries: RunEntry[] = [];
  let at = run.dataAt;
  for (const entry of run.entries) {
    const isKey = entry.flags === syncFlags;
    const videoData = isKey ? frameIn(await readBytes(file, at, Math.min(entry.size, parameterBytesMost))) : null;
    entries.push(videoData ? { ...entry, video: videoData } : entry);
    at += entry.size;
  }
  return { ...run, entries };
}

/** @throws Error when the file ends before */
export async function readBytes(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length;) {
    const { bytesRead } = await file.read(bytes, at, length - at, start + at);
    if (bytesRead === 0) throw new Error(`A file ended at byte ${start + at} and not at ${start + length}.`);
    at += bytesRead;
  }
  return bytes;
}
