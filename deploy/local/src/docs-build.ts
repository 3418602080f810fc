import { spawn } from 'node:child_process';
import { join } from 'node:path';

/**
 * Builds the documentation site at the lowest priority, unless the existing one is current. Until it is built, /docs
 * leads to the API reference.
 * @returns a function that ends the build
 */
export function buildDocsInBackground(root: string, say: (text: string) => void): () => void {
  const script = join(root, 'tools/packer/src/docs-main.ts');
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', script, '--if-changed', '--low-priority'],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let why = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (why = `${why}${text}`.slice(-maxReasonLength)));
  child.on('error', (error) => void (why = error.message));
  child.on('close', (code) => {
    if (code !== 0 && !child.killed) say(`/docs shows only the API reference. ${why.trim()}`);
  });
  return () => void child.kill();
}

const maxReasonLength = 2_000;
