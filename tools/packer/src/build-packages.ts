import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bannerForCommonJs } from './bundle.ts';
import { withEsbuild } from './with-esbuild.ts';

const run = promisify(execFile);

interface SourceManifest {
  readonly name: string;
  readonly description: string;
  readonly license: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  /** As pnpm reads it: members that replace the package's own when it is published. */
  readonly publishConfig: Readonly<Record<string, unknown>>;
}

type Dependencies = Readonly<Record<string, string>>;

interface PackageBuild {
  /** Below the repository's root. */
  readonly folder: string;
  /** Writes the package's code into `target`, and returns the npm packages that it needs. */
  readonly compile: (root: string, folder: string, target: string) => Promise<Dependencies>;
}

const builds: Readonly<Record<string, PackageBuild>> = {
  sdk: { folder: 'libs/sdk', compile: compileModules },
  mcp: { folder: 'tools/mcp', compile: compileProgram },
  cli: { folder: 'tools/operator-cli', compile: compileProgram },
};

/** Names of the packages that npm publishes; each is built into a folder of this name. */
export const publishedPackages: readonly string[] = Object.keys(builds);

/**
 * Builds a package as npm publishes it into `target`, replacing its content: plain JavaScript with types, and a
 * manifest that names no file of the repository. Its version is that of the repository.
 * @throws Error when there is no such package, or its sources do not compile
 */
export async function buildPackage(root: string, name: string, target: string): Promise<void> {
  const build = builds[name];
  if (build === undefined) throw new Error(`There is no package ${name}: choose of ${publishedPackages.join(', ')}.`);
  const folder = join(root, build.folder);
  const manifest = await readManifest(folder);
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  const dependencies = await build.compile(root, folder, target);
  await cp(join(folder, 'README.md'), join(target, 'README.md'));
  await cp(join(root, 'LICENSE'), join(target, 'LICENSE'));
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  await writeJson(join(target, 'package.json'), publishedManifest(manifest, version, dependencies));
}

async function readManifest(folder: string): Promise<SourceManifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as SourceManifest;
}

function publishedManifest(
  manifest: SourceManifest,
  version: string,
  dependencies: Dependencies,
): Record<string, unknown> {
  const { name, description, license, publishConfig } = manifest;
  const { access, ...published } = publishConfig;
  return { name, version, description, license, type: 'module', dependencies, ...published, publishConfig: { access } };
}

/** The same modules twice, for `import` and for `require`, each with the types of its kind. */
async function compileModules(root: string, folder: string, target: string): Promise<Dependencies> {
  const compile = async (output: string, module: string, resolution: string): Promise<void> => {
    const words = ['--project', join(folder, 'tsconfig.package.json'), '--outDir', join(target, output)];
    const kind = ['--module', module, '--moduleResolution', resolution];
    await run(join(root, 'node_modules/.bin/tsc'), [...words, ...kind]).catch((error: unknown) => {
      throw new Error(`${folder} does not compile: ${(error as { stdout?: string }).stdout ?? ''}`, { cause: error });
    });
  };
  await Promise.all([compile('esm', 'nodenext', 'nodenext'), compile('cjs', 'commonjs', 'bundler')]);
  await writeJson(join(target, 'cjs/package.json'), { type: 'commonjs' });
  return (await readManifest(folder)).dependencies ?? {};
}

/** `src/main.ts` as one program with everything that it imports, for every Node that is supported. */
async function compileProgram(root: string, folder: string, target: string): Promise<Dependencies> {
  await withEsbuild((esbuild) =>
    esbuild.build({
      absWorkingDir: root,
      entryPoints: [join(folder, 'src/main.ts')],
      outfile: join(target, 'dist/main.js'),
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      logLevel: 'silent',
      banner: { js: `#!/usr/bin/env node${bannerForCommonJs}` },
    }),
  );
  return {};
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
}
