import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

/** Writes the evidence of a failure into a folder. */
export type EvidenceCollector = (folder: string) => void | Promise<void>;

/** The interface between the code of a test and its environment (`test-environment.ts`). */
export interface TestRecord {
  readonly collectors: Set<EvidenceCollector>;
  /** Epoch ms; null: with the test. */
  sampleFromMs: number | null;
}

export const testRecordKey = Symbol.for('rapporteur.test-record');

/** Undefined outside a test. */
function testRecord(): TestRecord | undefined {
  return (globalThis as { [testRecordKey]?: TestRecord })[testRecordKey];
}

/**
 * Registers a collector of evidence: it runs when a test or a hook of this file fails, before the hooks that clean up.
 * Returns a function that removes it; otherwise it stays until the end of the file. Outside a test it is a no-op.
 */
export function keepOnFailure(collect: EvidenceCollector): () => void {
  testRecord()?.collectors.add(collect);
  return () => void testRecord()?.collectors.delete(collect);
}

/** States that the events under test began before the test, at this epoch ms. */
export function sampleBegan(atMs: number): void {
  const record = testRecord();
  if (record !== undefined) record.sampleFromMs = Math.min(record.sampleFromMs ?? atMs, atMs);
}

/** Writes text, or any other value as JSON; an existing name gets a suffix. */
export function writeEvidence(folder: string, name: string, content: unknown): void {
  writeFileSync(join(folder, unusedName(folder, name)), asText(content));
}

/** Copies a file, or a folder with its content; an existing name gets a suffix. */
export function copyEvidence(folder: string, path: string): void {
  if (existsSync(path)) cpSync(path, join(folder, unusedName(folder, basename(path))), { recursive: true });
}

/**
 * Keeps every `.log` file in a folder of a failed test. `read` copies them now, for a folder that is removed before the
 * failure is reported.
 */
export function keepLogsOf(folder: string): { read(): void } {
  let kept: ReadonlyMap<string, Uint8Array> = new Map();
  const read = (): void => void (kept = logsIn(folder));
  keepOnFailure((evidence) => {
    if (existsSync(folder)) read();
    for (const [name, content] of kept) writeEvidence(evidence, name, content);
  });
  return { read };
}

/** Logs by a name derived from the path in the folder. */
function logsIn(folder: string): ReadonlyMap<string, Uint8Array> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const logs = files.filter((file) => file.isFile() && file.name.endsWith('.log'));
  return new Map(
    logs.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [relative(folder, path).replaceAll('/', '-'), readFileSync(path)];
    }),
  );
}

function asText(content: unknown): string | Uint8Array {
  return typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content, null, 2);
}

function unusedName(folder: string, name: string): string {
  const taken = new Set(readdirSync(folder));
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${number}-${name}`;
    if (!taken.has(candidate)) return candidate;
  }
}
