// node sbom.mjs PACKAGE_LOCK [DEBIAN_PACKAGES]: a CycloneDX list of the npm packages that ship, and of an image's Debian packages.
import { readFileSync } from 'node:fs';
import process from 'node:process';

const [lockFile, debianFile] = process.argv.slice(2);
const { packages, version } = JSON.parse(readFileSync(lockFile, 'utf8'));

const npm = Object.entries(packages)
  .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && dev !== true && link !== true)
  .map(([path, entry]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const [algorithm = '', digest = ''] = (entry.integrity ?? '').split('-');
    return {
      type: 'library',
      name,
      version: entry.version,
      purl: `pkg:npm/${name.replace('@', '%40')}@${entry.version}`,
      ...(entry.license === undefined ? {} : { licenses: [{ expression: entry.license }] }),
      ...(algorithm === 'sha512'
        ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }
        : {}),
    };
  });
const debian =
  debianFile === undefined
    ? []
    : readFileSync(debianFile, 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split(' '))
        .map(([name, release, architecture]) => ({
          type: 'library',
          name,
          version: release,
          purl: `pkg:deb/debian/${name}@${encodeURIComponent(release)}?arch=${architecture}`,
        }));
const bySource = new Map([...npm, ...debian].map((component) => [component.purl, component]));
const sbom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component: { type: 'application', name: 'rapporteur', version } },
  components: [...bySource.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1)),
};
process.stdout.write(`${JSON.stringify(sbom, null, 1)}\n`);
