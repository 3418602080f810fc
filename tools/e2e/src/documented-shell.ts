import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const blockMs = 120_000;

/** A shell as of a reader of a page, who types one block after another. */
export interface DocumentedShell {
  /**
   * What the block prints. Rejects with all of its output when a command of it fails, or takes longer than two minutes;
   * the shell then ends.
   */
  run(block: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts one. `prelude`: what is defined before the first block. */
export async function openDocumentedShell(prelude: string): Promise<DocumentedShell> {
  const folder = await mkdtemp(join(tmpdir(), 'rapporteur-guide-'));
  const shell = spawn('bash', ['-s'], { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
  const exited = once(shell, 'exit');
  let output = '';
  let errors = '';
  shell.stdout.on('data', (chunk: Buffer) => (output += String(chunk)));
  shell.stderr.on('data', (chunk: Buffer) => (errors += String(chunk)));
  const run = async (block: string): Promise<string> => {
    [output, errors] = ['', ''];
    const file = join(folder, `${randomUUID()}.sh`);
    const mark = `end of ${file}`;
    await writeFile(file, block);
    shell.stdin.write(`source '${file}' < /dev/null; echo '${mark}'\n`);
    const late = setTimeout(() => shell.kill('SIGKILL'), blockMs);
    try {
      while (!output.includes(mark)) {
        const [more] = await Promise.race([once(shell.stdout, 'data'), exited.then(() => [null])]);
        if (more === null) throw new Error(`A command of this block failed:\n${block}\n${output}\n${errors}`);
      }
      return output.slice(0, output.indexOf(mark)).trim();
    } finally {
      clearTimeout(late);
    }
  };
  await run(`set -euo pipefail\n${prelude}\n`);
  return {
    run,
    close: async () => {
      shell.stdin.end();
      shell.kill();
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
