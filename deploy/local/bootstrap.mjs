// The first file that runs on a bare machine: plain JavaScript for the system's own Node (18 or newer), no packages.
// It brings npm packages, Node 24, Debian packages and the generated contract files, then hands over to the real program.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

// Node 18 has no import.meta.dirname, and the path of a URL is not that of a folder with a space in its name.
const root = fileURLToPath(new URL('../..', import.meta.url));
const wantedNodeMajor = 24;

const commands = {
  start: { entry: 'deploy/local/src/main.ts', packages: ['run'] },
  test: { entry: 'tools/checks/src/run-tests.ts', packages: ['run', 'test', 's3'] },
  cluster: { entry: 'tools/checks/src/run-cluster.ts', packages: ['run'] },
  soak: { entry: 'tools/soak/src/main.ts', packages: ['run'], s3For: ['--all', 'storage-kills'] },
  check: { entry: 'tools/checks/src/run-checks.ts', packages: [] },
  cli: { entry: 'tools/operator-cli/src/main.ts', packages: [] },
  build: { entry: 'tools/packer/src/main.ts', packages: [] },
  packages: { entry: 'tools/packer/src/packages-main.ts', packages: [] },
  docs: { entry: 'tools/packer/src/docs-main.ts', packages: [] },
  generate: { entry: 'tools/contracts-generator/src/main.ts', packages: [] },
  observability: { entry: 'tools/observability/src/main.ts', packages: [] },
  bench: { entry: 'tools/bench/src/main.ts', packages: ['run'] },
  'api-fuzz': { entry: 'tools/api-fuzz/src/main.ts', packages: ['run'] },
  'recording-check': { entry: 'tools/recording-check/src/main.ts', packages: ['run'] },
  simulator: { entry: 'tools/simulator/src/main.ts', packages: ['run'] },
  conformance: { entry: 'libs/meeting-platforms/src/conformance/matrix.ts', packages: ['run'] },
};

/** Debian packages by what needs them. A program or file of `probe`, or the success of `runs`, shows that the package is there. */
const debianPackages = {
  run: [
    {
      name: isUbuntu() ? 'chromium-browser' : 'chromium',
      probe: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', '/snap/bin/chromium'],
      why: 'the browser that joins meetings',
    },
    { name: 'ffmpeg', probe: 'ffmpeg', why: 'finishes recordings' },
    { name: 'nats-server', probe: 'nats-server', why: 'the message bus' },
    {
      name: 'python3-venv',
      runs: ['python3', '-c', 'import ensurepip'],
      why: 'transcripts without a provider',
      isOptional: true,
    },
    { name: 'flite', probe: 'flite', why: 'voices of the simulated participants' },
    {
      name: 'fonts-dejavu-core',
      probe: '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf',
      why: 'names in simulated video',
    },
  ],
  test: [
    { name: 'libnss3-tools', probe: 'certutil', why: 'authorities that the browser of bots trusts' },
    { name: 'prometheus', probe: 'promtool', why: 'runs the expressions of dashboards and alerts' },
    { name: 'prometheus-alertmanager', probe: 'prometheus-alertmanager', why: 'receives an alert once' },
  ],
  s3: [
    { name: 'radosgw', probe: 'radosgw', why: 'the real S3 server of the object-store tests' },
    { name: 'ceph-mon', probe: 'ceph-mon', why: 'part of that S3 server' },
    { name: 'ceph-osd', probe: 'ceph-osd', why: 'part of that S3 server' },
    { name: 'ceph-common', probe: 'ceph-authtool', why: 'part of that S3 server' },
  ],
};

/** Not on standard output: it may precede the result of a command. */
function say(text) {
  process.stderr.write(`${text}\n`);
}

function stop(text) {
  process.stderr.write(`\n${text}\n`);
  process.exit(1);
}

/** Ubuntu has no package `chromium`: its `chromium-browser` brings the same browser. */
function isUbuntu() {
  try {
    return /^ID=ubuntu$/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
}

function isPresent(probe) {
  return [probe].flat().some(isPresentAt);
}

function isPresentAt(probe) {
  const places = probe.startsWith('/')
    ? [probe]
    : [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/sbin', '/usr/local/bin'].map((folder) =>
        join(folder, probe),
      );
  return places.some((place) => {
    try {
      accessSync(place, constants.R_OK);
      return true;
    } catch {
      return false;
    }
  });
}

async function installNpmPackages() {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const stamp = createHash('sha256').update(lock).digest('hex');
  const stampFile = join(root, 'node_modules', '.rapporteur-lock');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  // A developer's own `npm install` leaves the packages in place; only the stamp is missing then.
  const installed = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installed) || existsSync(stampFile)) {
    const packages = Object.entries(JSON.parse(lock).packages)
      .filter(
        ([path, { os, cpu, libc }]) =>
          path !== '' && isFor('linux', os) && isFor(process.arch, cpu) && isFor('glibc', libc),
      )
      .map(([path]) => join(root, path, 'package.json'));
    say(`Installing ${packages.length} npm packages, once …`);
    const startedAt = Date.now();
    const progress = setInterval(() => {
      const done = packages.filter((file) => existsSync(file)).length;
      say(`  ${done} of ${packages.length} after ${Math.round((Date.now() - startedAt) / 1000)} s`);
    }, 10_000);
    const npm = spawn('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, stdio: 'inherit' });
    const [code] = await once(npm, 'exit');
    clearInterval(progress);
    if (code !== 0)
      stop('npm could not install the packages. The lines above say why; then run the same command again.');
  }
  writeFileSync(stampFile, stamp);
}

/** Whether a package that names these systems or processors is installed here. */
function isFor(own, names) {
  return names === undefined || names.includes(own);
}

function missingDebianPackages(groups) {
  return groups
    .flatMap((group) => debianPackages[group])
    .filter(({ probe, runs }) =>
      runs === undefined ? !isPresent(probe) : spawnSync(runs[0], runs.slice(1), { stdio: 'ignore' }).status !== 0,
    );
}

function installDebianPackages(groups) {
  const missing = missingDebianPackages(groups);
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name);
  const list = missing.map(({ name, why }) => `  ${name}  (${why})`).join('\n');
  const elevate = elevation();
  const isNeeded = missing.some(({ isOptional }) => !isOptional);
  if (elevate === null || !isPresent('apt-get')) {
    if (!isNeeded) return;
    stop(
      `These Debian packages are missing and this user may not install them:\n${list}\n\nInstall them, then run the same command again:\n  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${names.join(' ')}`,
    );
  }
  say(`Installing Debian packages, once:\n${list}`);
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (args) =>
    spawnSync([...elevate, 'apt-get'][0], [...[...elevate, 'apt-get'].slice(1), ...args], {
      env: environment,
      stdio: ['ignore', 'ignore', 'inherit'],
    }).status === 0;
  // Another apt or dpkg of this machine is waited for.
  const waiting = ['-o', 'DPkg::Lock::Timeout=600'];
  apt([...waiting, 'update', '-qq']);
  apt([...waiting, 'install', '-y', '-qq', '--no-install-recommends', ...names]);
  if (missingDebianPackages(groups).some(({ isOptional }) => !isOptional)) {
    stop(
      `apt-get could not install them. Try by hand:\n  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${names.join(' ')}`,
    );
  }
}

/** The words before `apt-get`: none as root, sudo where it requests no password, null where neither. */
function elevation() {
  if (process.getuid?.() === 0) return [];
  return spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0 ? ['sudo', '-n'] : null;
}

function findNode() {
  const pinned = join(root, 'node_modules', '.bin', 'node');
  if (existsSync(pinned)) return pinned;
  if (Number(process.versions.node.split('.')[0]) >= wantedNodeMajor) return process.execPath;
  return stop(
    `Node ${wantedNodeMajor} is needed and its npm package did not install on this machine (${process.platform} ${process.arch}).\nInstall Node ${wantedNodeMajor} from nodejs.org, or with nvm: nvm install ${wantedNodeMajor}.`,
  );
}

const generatedStamp = join(root, 'libs/contracts/src/generated/.sources');

/** Types, schemas and documents of the public contract are in no commit: they are written again when a source changed. */
function generateContracts(node) {
  const stamp = createHash('sha256');
  const { nx } = JSON.parse(readFileSync(join(root, 'libs/contracts/package.json'), 'utf8'));
  // Nx caches by the same inputs: files, and everything below folders.
  const inputs = nx.targets.generate.inputs.map((input) =>
    input
      .replace('{projectRoot}', 'libs/contracts')
      .replace('{workspaceRoot}/', '')
      .replace(/\/\*.*$/, ''),
  );
  for (const file of inputs.flatMap((path) => filesIn(join(root, path)))) {
    stamp
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  const sources = stamp.digest('hex');
  if (existsSync(generatedStamp) && readFileSync(generatedStamp, 'utf8') === sources) return;
  say('Generating the types of the API from its contract …');
  const generator = join(root, commands.generate.entry);
  const run = spawnSync(node, ['--disable-warning=ExperimentalWarning', generator], { stdio: ['ignore', 'ignore', 2] });
  if (run.status !== 0) stop('The contract files in libs/contracts could not be read. The lines above say why.');
  writeFileSync(generatedStamp, sources);
}

/** The file itself, or the files below a folder that are not generated, in a fixed order. */
function filesIn(path) {
  if (path.endsWith('/generated')) return [];
  let entries;
  try {
    entries = readdirSync(path);
  } catch (error) {
    if (error.code !== 'ENOTDIR') throw error;
    return [path];
  }
  return entries.sort().flatMap((entry) => filesIn(join(path, entry)));
}

const [name, ...rest] = process.argv.slice(2);
const command = commands[name];
if (command === undefined) stop(`Say one of: ${Object.keys(commands).join(', ')}.`);
if (process.platform !== 'linux')
  stop('The one-machine service needs Linux (Debian or Ubuntu). On other systems run it in a Linux virtual machine.');

await installNpmPackages();
// A usage text needs none of them.
const needsS3 = command.s3For?.some((parameter) => rest.includes(parameter)) === true;
if (!rest.includes('--help') && !rest.includes('-h'))
  installDebianPackages([...command.packages, ...(needsS3 ? ['s3'] : [])]);

const node = findNode();
if (name !== 'generate') generateContracts(node);
const child = spawn(node, ['--disable-warning=ExperimentalWarning', join(root, command.entry), ...rest], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}` },
});
// The terminal sends Ctrl-C to the whole group: the program handles it, this file only waits for its end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}
// npm may be killed without a signal to its children. Only where npm runs this: the parent may be a shell, which may end.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 500);
}
child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)));
