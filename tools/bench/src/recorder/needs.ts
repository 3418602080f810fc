import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian packages that only the reference bot needs, each with a program that proves its installation. */
const packages = [
  { name: 'xvfb', program: 'Xvfb' },
  { name: 'pulseaudio', program: 'pulseaudio' },
] as const;

/** Installs the programs of the reference bot. @throws Error that lists what to install where this user may not */
export function bringFieldPrograms(say: (text: string) => void): void {
  const missing = packages.filter(({ program }) => !isThere(program)).map(({ name }) => name);
  if (missing.length === 0) return;
  const command = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  const sudo = elevation();
  if (sudo !== null) {
    say(`Installing ${missing.join(' and ')}, once: only this measurement needs them.`);
    apt(sudo, ['update', '-qq']);
    apt(sudo, [...command.split(' ').slice(1), '-qq']);
  }
  if (packages.some(({ program }) => !isThere(program)))
    throw new Error(
      `The reference bot needs ${missing.join(' and ')}. Install them, then run this again:\n  sudo apt-get update && sudo ${command}`,
    );
}

function isThere(program: string): boolean {
  return [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin'].some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The prefix of `apt-get`: none as root, sudo without a password, else null. */
function elevation(): string[] | null {
  if (!isThere('apt-get')) return null;
  if (process.getuid?.() === 0) return [];
  return spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0 ? ['sudo', '-n'] : null;
}

function apt(sudo: readonly string[], parameters: readonly string[]): void {
  const [program = '', ...rest] = [...sudo, 'apt-get', ...parameters];
  spawnSync(program, rest, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: 'ignore',
    timeout: 300_000,
  });
}
