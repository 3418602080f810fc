import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeBlocks } from '@rapporteur/testbed';
import type { CodeBlock } from '@rapporteur/testbed';

const root = join(import.meta.dirname, '../../..');
const cli = join(root, 'tools/operator-cli/src/main.ts');
const limitMs = 120_000;

/** What a command wrote to its standard output, and its exit code. */
export interface Executed {
  readonly output: string;
  readonly exitCode: number;
}

/**
 * Executes a guide word by word, block after block, in a folder of its own. There `npm run -s rapporteur` is the command
 * line of the stack in `.rapporteur`, and `npm start` writes down its settings: the stack of a test has ports of its own.
 */
export class GuideCommands {
  /** What the guide calls the folder of the repository. */
  readonly folder: string;
  readonly dataFolder: string;
  /** Those of the guide that were not taken yet, in its order. */
  readonly #blocks: CodeBlock[];
  readonly #replaced = new Map<string, string>();

  constructor(guide: string, folder: string) {
    this.folder = folder;
    this.dataFolder = join(folder, '.rapporteur');
    // Another test runs what names it.
    this.#blocks = codeBlocks(readFileSync(join(root, guide), 'utf8')).filter(
      ({ notRunBecause }) => notRunBecause?.includes('.integration.test.ts') !== true,
    );
    mkdirSync(this.dataFolder, { mode: 0o755 });
    mkdirSync(join(folder, 'bin'));
    symlinkSync(join(root, 'tools'), join(folder, 'tools'));
    const npm = join(folder, 'bin/npm');
    const command = `exec "${process.execPath}" --disable-warning=ExperimentalWarning "${cli}" "$@" --data-folder "${this.dataFolder}"`;
    writeFileSync(
      npm,
      `#!/bin/sh\nif [ "$*" = start ]; then exec env > settings; fi\n[ "$1 $2 $3 $4" = "run -s rapporteur --" ] || exit 64\nshift 4\n${command}\n`,
    );
    chmodSync(npm, 0o755);
  }

  /** The stack of the test has another address than the guide. */
  replace(text: string, by: string): void {
    this.#replaced.set(text, by);
  }

  /** The next block, which holds `contained`. Throws when the guide is in another order. */
  next(contained: string): string {
    const block = this.#blocks.shift();
    if (block === undefined || !block.text.includes(contained))
      throw new Error(`The guide's next block does not hold ${contained}: ${block?.text ?? 'it has no more'}`);
    return block.text;
  }

  /** The blocks that were not taken. */
  get left(): number {
    return this.#blocks.length;
  }

  /** The last block, out of order. */
  last(): string {
    return this.#blocks.pop()?.text ?? '';
  }

  /** Executes the next block, or a part of one; rejects when it fails otherwise than expected. */
  async execute(text: string, { exitCode = 0 } = {}): Promise<string> {
    let command = text;
    for (const [from, to] of this.#replaced) command = command.replaceAll(from, to);
    const executed = await this.#run(command);
    if (executed.exitCode === exitCode) return executed.output;
    throw new Error(
      `The guide's command ended with ${executed.exitCode}, not ${exitCode}: ${command}\n${executed.output}`,
    );
  }

  /** Settings of the last `npm start`, by name. */
  settings(): Record<string, string> {
    const lines = readFileSync(join(this.folder, 'settings'), 'utf8').split('\n');
    const own = lines.filter((line) => line.startsWith('RAPPORTEUR_'));
    return Object.fromEntries(own.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
  }

  #run(command: string): Promise<Executed> {
    const PATH = [join(this.folder, 'bin'), dirname(process.execPath), process.env['PATH']].join(':');
    const { NODE_COMPILE_CACHE } = process.env;
    const options = { cwd: this.folder, env: { PATH, HOME: this.folder, NODE_COMPILE_CACHE }, timeout: limitMs };
    return new Promise((resolve) => {
      execFile('bash', ['-e', '-o', 'pipefail', '-c', command], options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({ output: `${stdout}${code === 0 ? '' : stderr}`, exitCode: code });
      });
    });
  }
}
