import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createLogger, systemClock } from '@rapporteur/service-runtime';
import { waitFor } from '@rapporteur/testbed';
import { findProcessesNaming, isAlive, signalProcess } from '@rapporteur/process-identity';
import { launchSpec as spec } from '../testing/launch-spec.ts';
import { describeLauncher } from '../testing/launcher-conformance.ts';
import type { LauncherHarness } from '../testing/launcher-conformance.ts';
import { createProcessLauncher, openRunRecords } from './process-launcher.ts';

const logger = createLogger('test', 'silent');

/** Prefix of every stub: records its temporary folder, which a launcher that lost the run's record cannot remove. */
const noteTemporaryFolder = `require('node:fs').appendFileSync(__dirname + '/temporary-folders', process.env.TMPDIR + '\\n');`;

/** A stub of the runner: writes a file when it has started, then behaves as its environment configures. */
const standIn = `
${noteTemporaryFolder}
const { spawn } = require('node:child_process');
const { writeFileSync } = require('node:fs');
const folder = process.env.RAPPORTEUR_WORK_FOLDER;
if (process.env.BEHAVIOUR === 'stays-deaf-to-signals') process.on('SIGTERM', () => undefined);
if (process.env.BEHAVIOUR === 'exits-with-7') {
  require('node:fs').writeSync(1, 'It ends with 7.\\n');
  process.exit(7);
}
if (process.env.BEHAVIOUR === 'ends-with-7-on-request') process.on('SIGTERM', () => process.exit(7));
if (process.env.BEHAVIOUR === 'leaves-an-orphan-and-exits') {
  spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)', '--', '--user-data-dir=' + folder + '/profile'], { detached: true, stdio: 'ignore', env: {} }).unref();
  process.exit(0);
}
writeFileSync(folder + '/begun', process.env.RAPPORTEUR_LAUNCH_TICKET);
setInterval(() => undefined, 1000);
`;

let folder: string;
const workFolderOf = (run: string): string => join(folder, 'runs', 'work', `${run}.run`);
const openLauncher = (behaviour: string) =>
  createProcessLauncher({
    runnerEntry: join(folder, 'stand-in.cjs'),
    runsFolder: join(folder, 'runs'),
    environment: { BEHAVIOUR: behaviour },
    logger,
    clock: systemClock,
  });

async function openHarness(): Promise<LauncherHarness> {
  folder = mkdtempSync(join(tmpdir(), 'rapporteur-launcher-'));
  writeFileSync(join(folder, 'stand-in.cjs'), standIn);
  return {
    open: openLauncher,
    killFromOutside: async (run) => {
      const pid = openRunRecords(join(folder, 'runs')).find(run)?.process?.pid ?? 0;
      process.kill(pid, 'SIGKILL');
    },
    anythingLeft: async (run) => existsSync(workFolderOf(run)) || findProcessesNaming(workFolderOf(run)).length > 0,
    begun: async (run) => {
      await waitFor(() => existsSync(join(workFolderOf(run), 'begun')), { what: 'the run to begin' });
    },
    close: async () => {
      const noted = join(folder, 'temporary-folders');
      const temporaryFolders = existsSync(noted) ? readFileSync(noted, 'utf8').trim().split('\n') : [];
      for (const path of [...temporaryFolders, folder]) rmSync(path, { recursive: true, force: true });
    },
  };
}

describeLauncher('process', openHarness);

describe('a run on this machine', () => {
  let harness: LauncherHarness;
  beforeEach(async () => {
    harness = await openHarness();
  });
  afterEach(() => harness.close());

  test('gets its ticket and its work folder, and nothing of the environment of the scheduler', async () => {
    process.env['RAPPORTEUR_CANARY'] = 'secret';
    const launcher = openLauncher('stays');
    await launcher.launch(spec);
    await harness.begun(spec.name);
    const pid = openRunRecords(join(folder, 'runs')).find(spec.name)?.process?.pid ?? 0;
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .map((entry) => entry.split('=')[0]);
    delete process.env['RAPPORTEUR_CANARY'];
    expect(
      environment.filter((name) => name !== '').toSorted((one, other) => (one ?? '').localeCompare(other ?? '')),
    ).toEqual(
      [
        'BEHAVIOUR',
        'HOME',
        'LANG',
        'MALLOC_ARENA_MAX',
        'MALLOC_MMAP_THRESHOLD_',
        'MALLOC_TRIM_THRESHOLD_',
        'NODE_COMPILE_CACHE',
        'PATH',
        'RAPPORTEUR_LAUNCH_TICKET',
        'RAPPORTEUR_WORK_FOLDER',
        'TMPDIR',
        'TZ',
      ].sort(),
    );
    await launcher.stop(spec.name, { graceMs: 0 });
    await launcher.close();
  });

  test('whose record was cut short by a crash of the scheduler is found by its work folder', async () => {
    const before = openLauncher('stays');
    await before.launch(spec);
    await harness.begun(spec.name);
    await before.close();
    const records = openRunRecords(join(folder, 'runs'));
    const record = records.find(spec.name);
    if (record === null) throw new Error('There is no record.');
    records.write({ ...record, process: null });
    const after = openLauncher('stays');
    expect(records.find(spec.name)?.process).toEqual(record.process);
    await after.stop(spec.name, { graceMs: 0 });
    await after.close();
  });

  test('that cannot be started leaves nothing to observe', async () => {
    const launcher = openLauncher('stays');
    await expect(launcher.launch({ ...spec, name: '../outside' })).rejects.toThrow('cannot be called');
    expect(await launcher.observe()).toEqual([]);
    await launcher.close();
  });

  test('whose folder is taken away is seen no more, and the next one is launched in a new folder', async () => {
    const launcher = openLauncher('stays');
    await launcher.launch(spec);
    await harness.begun(spec.name);
    const [runner] = findProcessesNaming(workFolderOf(spec.name));
    rmSync(join(folder, 'runs'), { recursive: true });
    expect(await launcher.observe()).toEqual([]);
    if (runner !== undefined) signalProcess(runner, 'SIGKILL');
    const other = { ...spec, name: 'bot-two-1', botId: 'two' };
    await launcher.launch(other);
    await harness.begun(other.name);
    expect((await launcher.observe()).map(({ name, state }) => [name, state])).toEqual([['bot-two-1', 'running']]);
    await launcher.stop(other.name, { graceMs: 0 });
    await launcher.close();
  });

  test('that cannot be written down fails alone; what goes on meanwhile is written down afterwards, with its exit code', async () => {
    const launcher = openLauncher('ends-with-7-on-request');
    await launcher.launch(spec);
    await harness.begun(spec.name);
    const [runner] = findProcessesNaming(workFolderOf(spec.name));
    const [runs, aside] = [join(folder, 'runs'), join(folder, 'aside')];
    renameSync(runs, aside);
    writeFileSync(runs, 'A file where the folder was.');
    await expect(launcher.launch({ ...spec, name: 'bot-two-1' })).rejects.toThrow();
    await expect(launcher.observe()).rejects.toThrow('ENOTDIR');
    if (runner !== undefined) signalProcess(runner, 'SIGTERM');
    await waitFor(() => runner !== undefined && !isAlive(runner), { what: 'its end' });
    rmSync(runs);
    renameSync(aside, runs);
    const run = await waitFor(async () => (await launcher.observe()).find(({ state }) => state === 'exited'), {
      what: 'the end to be written down',
    });
    expect(run).toMatchObject({ name: spec.name, exit: { exitCode: 7, signal: null } });
    await launcher.close();
  });

  test('whose heap was full is seen as out of memory', async () => {
    writeFileSync(
      join(folder, 'stand-in.cjs'),
      `${noteTemporaryFolder} process.stderr.write('FATAL ERROR: JavaScript heap out of memory\\n'); process.abort();`,
    );
    const launcher = openLauncher('stays');
    await launcher.launch(spec);
    const run = await waitFor(async () => (await launcher.observe()).find(({ state }) => state === 'exited'), {
      what: 'the end',
    });
    expect(run.exit).toEqual({ exitCode: null, signal: 'SIGABRT', outOfMemory: true });
    await launcher.close();
  });
});
