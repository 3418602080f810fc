import { runProgram } from '@rapporteur/process-identity';

export interface FileFacts {
  readonly startMs: number;
  readonly durationMs: number;
  readonly video: { readonly codec: string; readonly width: number; readonly height: number } | null;
  readonly audio: { readonly codec: string; readonly sampleRate: number } | null;
}

interface ProbedStream {
  readonly codec_type?: string;
  readonly codec_name?: string;
  readonly width?: number;
  readonly height?: number;
  readonly sample_rate?: string;
}

/** A file's own metadata. @throws Error when ffprobe cannot read it */
export async function probe(path: string, ffprobePath: string, deadlineMs: number): Promise<FileFacts> {
  const { output } = await runProgram({
    program: ffprobePath,
    arguments: ['-v', 'error', '-show_streams', '-show_format', '-of', 'json', path],
    deadlineMs,
  });
  const response = JSON.parse(output.toString()) as {
    streams?: ProbedStream[];
    format?: { start_time?: string; duration?: string };
  };
  const video = response.streams?.find((stream) => stream.codec_type === 'video');
  const audio = response.streams?.find((stream) => stream.codec_type === 'audio');
  return {
    startMs: Math.round(Number(response.format?.start_time ?? 0) * 1_000),
    durationMs: Math.round(Number(response.format?.duration ?? 0) * 1_000),
    video: video ? { codec: video.codec_name ?? '', width: video.width ?? 0, height: video.height ?? 0 } : null,
    audio: audio ? { codec: audio.codec_name ?? '', sampleRate: Number(audio.sample_rate ?? 0) } : null,
  };
}
