import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { childService } from './child-service.ts';
import { quietLogger, ServerLog } from './embedded/server-log.ts';
import { embeddedServer, SupervisedProcess } from './embedded/supervised-process.ts';
import { keepLogSmall } from './log-limit.ts';

const limit = { largestBytes: 20_000, pollIntervalMs: 10 };
/**
 * The size of both files together. The writer continues while the process that limits its log is not given a core: for
 * seconds.
 */
const largestSeen = 20 * limit.largestBytes;
/** About a hundred kilobytes a second, each line numbered. */
const writer = `
  let lines = 0;
  setInterval(() => process.stdout.write(String(lines++) + ' '.repeat(400) + '.\\n'), 4);
  process.send?.({ ready: 'writer' });`;

let folder: string;
const stops: (() => Promise<void>)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rapporteur-logs-'));
  writeFileSync(join(folder, 'writer.mjs'), writer);
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  rmSync(folder, { recursive: true, force: true });
});

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Watches until the log was rotated twice; returns the largest size of both files together. */
async function watchTwoTurns(log: string): Promise<number> {
  const older = `${log}.1`;
  const firstLines = new Set<string>();
  let largest = 0;
  await waitFor(
    () => {
      largest = Math.max(largest, sizeOf(log) + sizeOf(older));
      firstLines.add(textOf(older).split(' ', 1)[0] ?? '');
      firstLines.delete('');
      return firstLines.size >= 2;
    },
    { what: 'the log to begin anew twice' },
  );
  return largest;
}

/** A writer without append mode would leave zero bytes before its position. */
function expectNoHoles(log: string): void {
  const text = textOf(`${log}.1`) + textOf(log);
  expect(text.split('\n').length).toBeGreaterThan(20);
  expect(text).not.toContain('\0');
}

describe('a log that grows while its writer lives', () => {
  test('of an app is kept at about twice its limit, and left alone once it has ended', async () => {
    const child = childService(
      { name: 'writer', entry: join(folder, 'writer.mjs'), stopMs: 5_000 },
      { logFolder: folder, onStarted: () => undefined, say: () => undefined, logLimit: limit },
    );
    stops.push(() => child.stop());
    await child.start();
    expect(await watchTwoTurns(child.logFile)).toBeLessThan(largestSeen);
    await child.stop();
    expectNoHoles(child.logFile);

    const large = 'x'.repeat(2 * limit.largestBytes);
    const other = join(folder, 'other.log');
    for (const file of [child.logFile, other]) writeFileSync(file, large);
    const stopPolling = keepLogSmall(other, { ...limit, pollIntervalMs: 5 * limit.pollIntervalMs });
    stops.push(async () => stopPolling());
    await waitFor(() => existsSync(`${other}.1`), { what: 'the other log to begin anew' });
    expect(sizeOf(child.logFile)).toBe(large.length);
  });

  test('of a server is kept so too', async () => {
    const log = join(folder, 'server.log');
    const server = new SupervisedProcess({
      ...embeddedServer,
      name: 'Writer',
      program: process.execPath,
      arguments: [join(folder, 'writer.mjs')],
      folder,
      runAs: null,
      logFile: log,
      logLimit: limit,
      logger: quietLogger,
      prepare: async () => undefined,
      isReady: async () => true,
      stopSignals: [{ signal: 'SIGTERM', waitMs: 5_000 }],
      restart: null,
    });
    stops.push(() => server.stop());
    await server.start();
    expect(await watchTwoTurns(log)).toBeLessThan(largestSeen);
    await server.stop();
    expectNoHoles(log);
  });

  test('still gives the last lines of a run for its error once it began anew', async () => {
    const file = join(folder, 'server.log');
    writeFileSync(file, 'an earlier run\n'.repeat(100));
    const log = new ServerLog(file, limit);
    const descriptor = log.open();
    const stopPolling = log.keepSmall();
    stops.push(async () => {
      stopPolling();
      log.close(descriptor);
    });
    writeSync(descriptor, 'line\n'.repeat(limit.largestBytes));
    await waitFor(() => existsSync(`${file}.1`) && sizeOf(file) === 0, { what: 'the log to begin anew' });
    writeSync(descriptor, 'the last words\n');
    expect(log.lastLines()).toBe('the last words');
  });
});
