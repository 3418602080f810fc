import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as Esbuild from 'esbuild';

/** What the bundled text calls `install` with. */
export const optionsName = 'pageScriptOptions';

export interface BundledPageScript {
  readonly bundled: string;
}

interface BundledFiles extends BundledPageScript {
  /** The paths of the files it was made of. */
  readonly files: readonly string[];
}

/**
 * The text of a page script without its options, read again.
 * @throws Error when the file cannot be read, is no valid TypeScript, exports no `install`, or imports what a page does
 * not have
 */
export function bundlePageScript(url: URL): BundledFiles {
  const path = fileURLToPath(url);
  // A packed app has its page scripts inside, and no esbuild.
  const esbuild = createRequire(import.meta.url)('esbuild') as typeof Esbuild;
  const folder = dirname(path);
  const { outputFiles, metafile } = esbuild.buildSync({
    stdin: {
      contents: `import { install } from './${basename(path)}'; install(${optionsName});`,
      resolveDir: folder,
      sourcefile: 'page-script',
    },
    absWorkingDir: folder,
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'esnext',
    logLevel: 'silent',
    metafile: true,
    write: false,
  });
  const files = Object.keys(metafile.inputs).filter((name) => name !== 'page-script');
  return { bundled: outputFiles[0]?.text ?? '', files: files.map((name) => join(folder, name)) };
}
