import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkRecording } from '@rapporteur/recording-check';
import type { RecordingReport } from '@rapporteur/recording-check';
import type { PlayedFile } from './judge-fault.ts';

const run = promisify(execFile);
const deadlineMs = 120_000;
const errorsKept = 3;

export interface Played {
  readonly files: readonly PlayedFile[];
  /** Of the video file, null where there is none. */
  readonly report: RecordingReport | null;
}

/** Decodes every stored file with audio or video from its beginning to its end. */
export async function playFiles(
  artifacts: readonly { readonly key: string; readonly contentType: string }[],
  {
    objects,
    folder,
    framesPerSecond,
    loopSeconds,
  }: {
    readonly objects: ReadonlyMap<string, Buffer>;
    readonly folder: string;
    readonly framesPerSecond: number;
    readonly loopSeconds: number;
  },
): Promise<Played> {
  await mkdir(folder, { recursive: true });
  const files: PlayedFile[] = [];
  let report: RecordingReport | null = null;
  for (const { key, contentType } of artifacts) {
    if (!/^(video|audio|image)\//.test(contentType)) continue;
    const file = join(folder, key.replaceAll('/', '-'));
    const bytes = objects.get(key);
    if (bytes === undefined) {
      files.push({ key, errors: ['it is not there'], lengthMs: null });
      continue;
    }
    await writeFile(file, bytes);
    files.push({ key, ...(await play(file, contentType.startsWith('image/'))) });
    if (contentType.startsWith('video/'))
      report = (await checkRecording(file, { framesPerSecond, loopSeconds }).catch(() => null))?.report ?? null;
  }
  return { files, report };
}

async function play(file: string, still: boolean): Promise<Omit<PlayedFile, 'key'>> {
  try {
    const options = { timeout: deadlineMs };
    const { stderr } = await run(
      'ffmpeg',
      ['-nostdin', '-v', 'error', '-i', file, '-fps_mode', 'vfr', '-f', 'null', '-'],
      options,
    );
    const errors = stderr
      .split('\n')
      .filter((line) => line !== '')
      .slice(0, errorsKept);
    if (still) return { errors, lengthMs: null };
    const { stdout } = await run('ffprobe', [...'-v error -of json -show_format'.split(' '), file], options);
    const { format } = JSON.parse(stdout) as { format: { duration: string } };
    return { errors, lengthMs: Number(format.duration) * 1_000 };
  } catch (error) {
    return { errors: [(error as Error).message.slice(0, 300)], lengthMs: null };
  }
}
