import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';

/** The description of a put's file. Size and time of last change identify the file. */
export interface FileDescription {
  readonly bytes: number;
  /** Nanoseconds since 1970, as text because it does not fit a number. */
  readonly modifiedAtNs: string;
  readonly contentType: string;
  /** Null for a multipart upload. */
  readonly sha256: string | null;
}

/**
 * A description file contains the newest and the previous version of an object: it is replaced before the object is, so
 * that a reader, also after a crash between the two, finds the version of its file.
 */
export interface DescriptionFile {
  readonly versions: readonly FileDescription[];
}

export async function readDescriptions(path: string): Promise<readonly FileDescription[]> {
  try {
    const parsed = JSON.parse(await readFile(path, 'utf8')) as Partial<DescriptionFile>;
    return Array.isArray(parsed.versions) ? parsed.versions : [];
  } catch {
    return [];
  }
}

export function sameFile(description: FileDescription, file: { size: bigint; mtimeNs: bigint }): boolean {
  return BigInt(description.bytes) === file.size && description.modifiedAtNs === String(file.mtimeNs);
}

const typesByExtension: Record<string, string> = {
  '.mp4': 'video/mp4',
  '.flac': 'audio/flac',
  '.wav': 'audio/wav',
  '.m4a': 'audio/mp4',
  '.vtt': 'text/vtt',
  '.srt': 'application/x-subrip',
  '.json': 'application/json',
  '.jsonl': 'application/x-ndjson',
  '.ndjson': 'application/x-ndjson',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.txt': 'text/plain; charset=utf-8',
};

/** For a file that was copied here manually and has no description. */
export function contentTypeByName(key: string): string {
  return typesByExtension[extname(key).toLowerCase()] ?? 'application/octet-stream';
}
