import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rapporteur-bootstrap-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

test.each(['plain', 'Größe ist & 100% #1?'])('finds its programs in a folder called "%s", also by Node 18', (name) => {
  const root = join(folder, name);
  const lock = '{}';
  // Node 18 has no import.meta.dirname.
  const bootstrap = readFileSync(join(import.meta.dirname, '..', 'bootstrap.mjs'), 'utf8');
  write(join(root, 'deploy/local/bootstrap.mjs'), bootstrap.replaceAll('import.meta.dirname', 'undefined'));
  write(join(root, 'package-lock.json'), lock);
  write(join(root, 'node_modules/.rapporteur-lock'), createHash('sha256').update(lock).digest('hex'));
  write(join(root, 'tools/checks/src/run-checks.ts'), 'console.log(JSON.stringify(process.argv.slice(1)));');
  const [contract, generated] = [
    join(root, 'libs/contracts/openapi/api.yaml'),
    join(root, 'libs/contracts/src/generated'),
  ];
  write(contract, 'openapi: 3.1.0');
  const packageFile = join(import.meta.dirname, '../../../libs/contracts/package.json');
  write(join(root, 'libs/contracts/package.json'), readFileSync(packageFile, 'utf8'));
  write(join(root, 'libs/contracts/src/shapes.ts'), '');
  write(join(root, 'libs/speech-to-text/src/providers.ts'), '');
  write(join(generated, 'old.json'), '{}');
  write(
    join(root, 'tools/contracts-generator/src/main.ts'),
    `require('node:fs').appendFileSync(${JSON.stringify(join(generated, 'runs'))}, 'x');`,
  );
  const run = () => {
    const parameters = [join(root, 'deploy/local/bootstrap.mjs'), 'check', 'a word'];
    const said = execFileSync(process.execPath, parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    expect(JSON.parse(said)).toEqual([join(root, 'tools/checks/src/run-checks.ts'), 'a word']);
    return readFileSync(join(generated, 'runs'), 'utf8');
  };
  // Generated once for each state of the contract.
  expect([run(), run()]).toEqual(['x', 'x']);
  writeFileSync(contract, 'openapi: 3.1.1');
  expect([run(), run()]).toEqual(['xx', 'xx']);
});
