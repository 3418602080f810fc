import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import type { BotLauncher, ObservedRun } from '../launch/launcher.ts';
import { launchSpec } from './launch-spec.ts';

/** Behaviour of a run in a conformance test; the harness starts a program that implements it. */
/** `exits-with-7` writes the line "It ends with 7." first. */
export type RunBehaviour = 'stays' | 'stays-deaf-to-signals' | 'exits-with-7' | 'leaves-an-orphan-and-exits';

/** One launcher under test, with the operations that depend on it. */
export interface LauncherHarness {
  /** A launcher whose runs behave this way. A second one with the same storage acts as a scheduler after a restart. */
  open(behaviour: RunBehaviour): BotLauncher;
  /** Kills a run from outside with SIGKILL, like the kernel. */
  killFromOutside(run: string): Promise<void>;
  /** True while a process of the run is alive. */
  anythingLeft(run: string): Promise<boolean>;
  /** Resolves when the run's behaviour has begun. */
  begun(run: string): Promise<void>;
  close(): Promise<void>;
}

const spec = launchSpec;

interface Bench {
  harness(): LauncherHarness;
  open(behaviour: RunBehaviour): BotLauncher;
}

function exitedRun(launcher: BotLauncher): Promise<ObservedRun> {
  return waitFor(async () => (await launcher.observe()).find((run) => run.state === 'exited'), {
    what: 'the run to be seen as exited',
  });
}

/** Registers the conformance tests of a launcher. */
export function describeLauncher(name: string, openHarness: () => Promise<LauncherHarness>): void {
  describe(`the ${name} launcher`, () => {
    let harness: LauncherHarness;
    const opened: BotLauncher[] = [];
    const bench: Bench = {
      harness: () => harness,
      open: (behaviour) => {
        const launcher = harness.open(behaviour);
        opened.push(launcher);
        return launcher;
      },
    };
    beforeEach(async () => {
      harness = await openHarness();
    });
    afterEach(async () => {
      const newest = opened.at(-1);
      for (const run of (await newest?.observe()) ?? []) await newest?.stop(run.name, { graceMs: 0 });
      for (const launcher of opened.splice(0)) await launcher.close();
      await harness.close();
    });
    testMemory(bench);
    testEnds(bench);
    testRestarts(bench);
  });
}

function testMemory(bench: Bench): void {
  test('shows a run it started, and refuses a second one of the same name', async () => {
    const launcher = bench.open('stays');
    await launcher.launch(spec);
    await bench.harness().begun(spec.name);
    const seenRunning = async () => (await launcher.observe()).find(({ state }) => state === 'running');
    expect(await waitFor(seenRunning, { what: 'the run to be seen as running' })).toMatchObject({
      name: spec.name,
      botId: 'one',
      attempt: 1,
      exit: null,
      exitedAtMs: null,
    });
    await expect(launcher.launch(spec)).rejects.toThrow(spec.name);
    expect(await launcher.observe()).toHaveLength(1);
  });

  test('does not forget a run that lives, and does not mind one that it never knew', async () => {
    const launcher = bench.open('stays');
    await launcher.launch(spec);
    await launcher.forget(spec.name);
    expect(await launcher.observe()).toHaveLength(1);
    await launcher.stop('bot-nobody-1', { graceMs: 0 });
    await launcher.forget('bot-nobody-1');
  });
}

function testEnds(bench: Bench): void {
  test('observes how a run ended by itself, reports at once, and forgets it only on request', async () => {
    const launcher = bench.open('exits-with-7');
    let reported = 0;
    launcher.onChange(() => (reported += 1));
    await launcher.launch(spec);
    const run = await exitedRun(launcher);
    expect(run.exit).toMatchObject({ exitCode: 7, signal: null, outOfMemory: false });
    expect(run.exitedAtMs).toBeGreaterThan(0);
    expect(reported).toBe(1);
    expect(await launcher.evidence(spec.name)).toMatchObject({ lastLogLines: ['It ends with 7.'] });
    await launcher.forget(spec.name);
    expect(await launcher.observe()).toEqual([]);
    expect(await launcher.evidence('bot-nobody-1')).toBe(null);
  });

  test('sees that a run was killed', async () => {
    const launcher = bench.open('stays');
    await launcher.launch(spec);
    await bench.harness().begun(spec.name);
    await bench.harness().killFromOutside(spec.name);
    expect((await exitedRun(launcher)).exit).toMatchObject({ signal: 'SIGKILL' });
  });

  test('ends a run politely and leaves nothing of it', async () => {
    const launcher = bench.open('stays');
    await launcher.launch(spec);
    await bench.harness().begun(spec.name);
    await launcher.stop(spec.name, { graceMs: 10_000 });
    expect((await exitedRun(launcher)).exit?.signal).not.toBe('SIGKILL');
    expect(await bench.harness().anythingLeft(spec.name)).toBe(false);
  });

  test('ends a run that does not listen by force once its grace is over', async () => {
    const launcher = bench.open('stays-deaf-to-signals');
    await launcher.launch(spec);
    await bench.harness().begun(spec.name);
    await launcher.stop(spec.name, { graceMs: 200 });
    expect((await exitedRun(launcher)).exit?.signal).toBe('SIGKILL');
    expect(await bench.harness().anythingLeft(spec.name)).toBe(false);
  });

  test('clears away what a run left behind', async () => {
    const launcher = bench.open('leaves-an-orphan-and-exits');
    await launcher.launch(spec);
    await exitedRun(launcher);
    await waitFor(async () => !(await bench.harness().anythingLeft(spec.name)), { what: 'the orphan to be gone' });
  });
}

function testRestarts(bench: Bench): void {
  test('takes over a run that lives through a restart of the scheduler', async () => {
    const before = bench.open('stays');
    await before.launch(spec);
    await bench.harness().begun(spec.name);
    await before.close();
    const after = bench.open('stays');
    const seen = async () => (await after.observe()).find(({ state }) => state === 'running');
    expect(await waitFor(seen, { what: 'the run to be seen' })).toMatchObject({ name: spec.name });
    await after.stop(spec.name, { graceMs: 0 });
    expect(await exitedRun(after)).toMatchObject({ name: spec.name });
    expect(await bench.harness().anythingLeft(spec.name)).toBe(false);
  });

  test('sees after a restart that a run has ended meanwhile', async () => {
    const before = bench.open('stays');
    await before.launch(spec);
    await bench.harness().begun(spec.name);
    await before.close();
    await bench.harness().killFromOutside(spec.name);
    expect((await exitedRun(bench.open('stays'))).name).toBe(spec.name);
  });
}
