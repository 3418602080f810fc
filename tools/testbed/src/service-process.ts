import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { basename, dirname } from 'node:path';
import { keepOnFailure, writeEvidence } from './evidence/keep-on-failure.ts';
import { waitFor } from './waiting.ts';

export interface ServiceProcess {
  readonly child: ChildProcess;
  /** Base URLs of its apps, in the order of starting to listen; empty when it did not start. */
  readonly urls: readonly string[];
  /** Its output so far. */
  output(): string;
  /** Its exit code; null when a signal ended it. Safe twice. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

export interface ServiceProcesses {
  /** With these variables only, PATH and the compile cache of the run. Resolves when it reports that it is ready, or has ended. */
  start(environment: Record<string, string>): Promise<ServiceProcess>;
  killAll(): Promise<void>;
}

/** Starts a service as separate processes. @param entry path of its main.ts */
export function serviceProcesses(entry: string): ServiceProcesses {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const started: ServiceProcess[] = [];
  return {
    start: async (environment) => {
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', entry], {
        env: { PATH, NODE_COMPILE_CACHE, ...environment },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      });
      let text = '';
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += String(chunk)));
      // Only then all that it wrote has been read, too.
      const closed = once(child, 'close') as Promise<[number | null]>;
      let over = false;
      void closed.then(() => (over = true));
      const service = {
        child,
        urls: [] as string[],
        output: () => text,
        end: async (signal: 'SIGTERM' | 'SIGKILL') => {
          if (!over) child.kill(signal);
          return (await closed)[0];
        },
      };
      started.push(service);
      const name = basename(dirname(dirname(entry)));
      keepOnFailure((folder) => writeEvidence(folder, `${name}.log`, text));
      await waitFor(() => over || text.includes(' is ready.'), { what: `${entry} to start`, saw: () => text });
      service.urls.push(...[...text.matchAll(/listens on (http:\/\/[\d.]+:\d+)/g)].map((match) => match[1] ?? ''));
      return service;
    },
    killAll: async () => {
      await Promise.all(started.map((service) => service.end('SIGKILL')));
    },
  };
}
