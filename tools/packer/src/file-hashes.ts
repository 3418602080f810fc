import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Size, modification and change time in ms, SHA-256. */
type Known = readonly [number, number, number, string];

/**
 * Hashes of files. Those of an earlier process are stored in `indexFile` and valid while size and times of a file are
 * unchanged, as in the index of git: a start then reads no source.
 */
export class FileHashes {
  readonly #root: string;
  readonly #indexFile: string;
  readonly #known: Map<string, Known>;
  readonly #checked = new Map<string, string>();
  #changed = false;

  constructor(root: string, indexFile: string) {
    this.#root = root;
    this.#indexFile = indexFile;
    this.#known = new Map(Object.entries(readIndex(indexFile)));
  }

  /** @throws Error when there is no such file */
  of(path: string): string {
    const checked = this.#checked.get(path);
    if (checked !== undefined) return checked;
    const file = join(this.#root, path);
    const { size, mtimeMs, ctimeMs } = statSync(file);
    const [knownSize, knownMtimeMs, knownCtimeMs, knownHash] = this.#known.get(path) ?? [];
    const isKnown = size === knownSize && mtimeMs === knownMtimeMs && ctimeMs === knownCtimeMs;
    const hash = isKnown && knownHash !== undefined ? knownHash : hashOf(readFileSync(file));
    if (!isKnown) {
      this.#known.set(path, [size, mtimeMs, ctimeMs, hash]);
      this.#changed = true;
    }
    this.#checked.set(path, hash);
    return hash;
  }

  save(): void {
    if (!this.#changed) return;
    const next = `${this.#indexFile}.${randomUUID()}`;
    mkdirSync(dirname(next), { recursive: true });
    writeFileSync(next, JSON.stringify(Object.fromEntries(this.#known)));
    renameSync(next, this.#indexFile);
    this.#changed = false;
  }
}

export function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function readIndex(file: string): Record<string, Known> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, Known>;
  } catch {
    // There is none yet, or it is not readable: every file is read again.
    return {};
  }
}
