import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Length and codecs of a media file, by ffprobe. */
export async function probeMedia(bytes: Buffer, folder: string): Promise<{ seconds: number; streams: string[] }> {
  const file = join(folder, `${crypto.randomUUID()}.media`);
  await writeFile(file, bytes);
  const wanted = ['-v', 'error', '-show_format', '-show_streams', '-of', 'json', file];
  const { stdout } = await promisify(execFile)('ffprobe', wanted);
  const probed = JSON.parse(stdout) as { format: { duration: string }; streams: { codec_name: string }[] };
  return { seconds: Number(probed.format.duration), streams: probed.streams.map((stream) => stream.codec_name).sort() };
}
