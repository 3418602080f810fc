import { spawn } from 'node:child_process';
import type { ProcessIdentity } from '@rapporteur/process-identity';

/**
 * The guard waits on its standard input. A line means a normal end; end of input without a line means that this process
 * ended: the guard stops the server and deletes its folder. The start time confirms that the PID is still the same
 * process; a zombie counts as ended.
 */
const script = `
read -r line && exit 0
same() { [ "$(cut -d' ' -f22 "/proc/$1/stat" 2>/dev/null)" = "$2" ] && [ "$(cut -d' ' -f3 "/proc/$1/stat")" != Z ]; }
same "$1" "$2" && kill -s "$3" "$1"
tries=0
while same "$1" "$2" && [ "$tries" -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
same "$1" "$2" && kill -s KILL "$1"
[ -n "$4" ] && rm -rf -- "$4"
exit 0
`;

export interface Guard {
  /** The server ended normally; the guard exits without an action. Idempotent. */
  dismiss(): void;
}

/** Stops a server (and deletes its folder, when given) when this process ends, also by SIGKILL. For tests. */
export function guardAgainstParentExit(
  server: ProcessIdentity,
  signal: 'TERM' | 'QUIT',
  folder: string | undefined,
): Guard {
  const child = spawn(
    '/bin/sh',
    ['-c', script, 'rapporteur-guard', String(server.pid), server.startTicks, signal, folder ?? ''],
    { detached: true, stdio: ['pipe', 'ignore', 'ignore'] },
  );
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  let dismissed = false;
  return {
    dismiss: () => {
      if (dismissed) return;
      dismissed = true;
      child.stdin.end('done\n');
    },
  };
}
