import { readdirSync, readFileSync } from 'node:fs';

/**
 * Running processes whose command line, environment or working folder contains this text; never this process itself.
 */
export function processesNaming(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(
      (pid) => !isZombie(pid) && ['cmdline', 'environ'].some((file) => read(`/proc/${pid}/${file}`).includes(text)),
    )
    .map(Number);
}

/** The runner processes of a stack, packed or from the sources. */
export function runnersOf(dataFolder: string): number[] {
  return processesNaming(dataFolder).filter((pid) =>
    /bot-runner\/src\/main\.ts|rapporteur-packed\/bot-runner\//.test(read(`/proc/${pid}/cmdline`)),
  );
}

function isZombie(pid: string): boolean {
  return / Z /.test(read(`/proc/${pid}/stat`).replace(/\(.*\)/, ''));
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
