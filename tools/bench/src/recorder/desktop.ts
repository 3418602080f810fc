import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { endChild } from '@rapporteur/process-identity';
import { waitFor } from '@rapporteur/testbed';

/** A virtual screen and a virtual loudspeaker, for programs that need both. */
export interface Desktop {
  /** For programs with windows on this screen. */
  readonly environment: Readonly<Record<string, string>>;
  readonly display: string;
  /** The loudspeaker's audio, as a source to record. */
  readonly audioSource: string;
  stop(): Promise<void>;
}

export const screenSize = { width: 1280, height: 720 } as const;

const startMs = 20_000;
const sinkName = 'bot';

/** Xvfb and a PulseAudio server of its own, which end with `stop`. @throws Error when one of them does not start */
export async function startDesktop(folder: string): Promise<Desktop> {
  const children: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    for (const child of children.splice(0).reverse()) await endChild(child);
  };
  const environment = { PATH: process.env['PATH'] ?? '', HOME: folder, XDG_RUNTIME_DIR: folder };
  try {
    const size = `${screenSize.width}x${screenSize.height}x24`;
    const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', size, '-nolisten', 'tcp', '-ac'], {
      env: environment,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    children.push(screen);
    const display = `:${await firstLine(screen)}`;
    const socket = join(folder, 'pulse.socket');
    const audio = spawn(
      'pulseaudio',
      [
        ...'-n --daemonize=no --use-pid-file=no --exit-idle-time=-1 --disable-shm=no --log-level=error'.split(' '),
        '-L',
        `module-null-sink sink_name=${sinkName} rate=48000`,
        '-L',
        `module-native-protocol-unix auth-anonymous=1 socket=${socket}`,
      ],
      { env: environment, stdio: 'ignore' },
    );
    children.push(audio);
    await waitFor(async () => (await stat(socket)).isSocket(), { what: 'PulseAudio', timeoutMs: startMs });
    return {
      environment: { ...environment, DISPLAY: display, PULSE_SERVER: `unix:${socket}` },
      display,
      audioSource: `${sinkName}.monitor`,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  const pipe = child.stdio[3] as NodeJS.ReadableStream;
  const [bytes] = (await Promise.race([
    once(pipe, 'data', { signal: AbortSignal.timeout(startMs) }),
    once(child, 'exit').then(() => Promise.reject(new Error('Xvfb ended at once.'))),
  ])) as [Buffer];
  return String(bytes).trim();
}
