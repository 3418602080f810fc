import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endChild } from '@rapporteur/process-identity';
import { waitFor } from '@rapporteur/testbed';
import type { PlatformName } from '@rapporteur/simulator/platforms';
import type { FrameArea } from '@rapporteur/recording-check';
import { killNow, processTree } from '../measure/process-tree.ts';
import type { Bot } from './take.ts';

export interface FieldBotInput {
  readonly platform: PlatformName;
  readonly url: string;
  readonly hostResolverRules: string;
  readonly certificateSpki: string;
  readonly folder: string;
  /** `attend`: joined, without a window and without a recording. */
  readonly mode: 'video' | 'audio' | 'attend';
  readonly file: string;
}

export type FieldBotMessage =
  | { readonly kind: 'joined' | 'recording' }
  /** With the places that one participant's video had on the screen. */
  | { readonly kind: 'finished'; readonly places: readonly FrameArea[] };

const program = join(import.meta.dirname, 'field-bot.ts');
const joinMs = 120_000;
const finishMs = 60_000;

/** Starts the reference bot as a process of its own, so that exactly its own cost is measured. */
export async function startFieldBot(input: FieldBotInput): Promise<Bot> {
  await mkdir(input.folder, { recursive: true });
  const child = fork(program, [JSON.stringify(input)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const said: FieldBotMessage[] = [];
  let complaint = '';
  child.on('message', (message) => said.push(message as FieldBotMessage));
  child.stderr?.on('data', (text: Buffer) => (complaint = `${complaint}${String(text)}`.slice(-2_000)));
  const untilSaid = <K extends FieldBotMessage['kind']>(kind: K, timeoutMs: number) =>
    waitFor(
      () =>
        said.find((message): message is Extract<FieldBotMessage, { kind: K }> => message.kind === kind) ??
        hasEnded(child),
      { what: `the field's bot to say "${kind}"`, timeoutMs },
    ).then((found) => {
      if (found === true) throw new Error(`The field's bot ended before it said "${kind}": ${complaint}`);
      return found;
    });
  return {
    pid: child.pid ?? 0,
    folder: input.folder,
    untilRecording: async () => void (await untilSaid('recording', joinMs)),
    finish: async () => {
      child.send('stop');
      const { places } = await untilSaid('finished', finishMs);
      await endChild(child, [{ signal: 'SIGTERM', waitMs: 10_000 }]);
      if (input.mode === 'attend') return null;
      return {
        by: 'field',
        file: input.file,
        place: places,
        audioOnly: input.mode === 'audio',
        captureStrategies: ['the reference bot'],
        strategiesRefused: [],
        startedAtMs: null,
      };
    },
    clear: async () => {
      const tree = await processTree(child.pid ?? 0);
      if (child.connected) child.send('stop');
      for (const until = Date.now() + 5_000; Date.now() < until && !hasEnded(child);) await sleep(50);
      await endChild(child);
      for (const { pid } of tree) killNow(pid);
    },
  };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
