import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { startRadosgw } from './index.ts';
import { removeLeftovers } from './radosgw.ts';

describe('the S3 server for tests', () => {
  test('states which packages to install when its programs are missing', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'no-programs-'));
    await expect(startRadosgw({ searchFolders: [empty] })).rejects.toThrow(
      'apt-get install -y --no-install-recommends ceph-mon ceph-osd radosgw ceph-common',
    );
    await rm(empty, { recursive: true });
  });

  test('removes the folder and the daemons of a run that was killed, and only those', async () => {
    const gone = spawn('true');
    await once(gone, 'exit');
    const leftover = await mkdtemp(join(tmpdir(), 'rapporteur-radosgw-'));
    const inUse = await mkdtemp(join(tmpdir(), 'rapporteur-radosgw-'));
    await writeFile(join(leftover, 'ceph.conf'), '');
    const daemon = spawn('tail', ['-f', join(leftover, 'ceph.conf')], { stdio: 'ignore' });
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
    await mkdir(join(leftover, 'run'));
    await writeFile(join(leftover, 'owner.pid'), String(gone.pid));
    await writeFile(join(leftover, 'daemons.txt'), `${daemon.pid}\n${stranger.pid}\n`);
    await writeFile(join(inUse, 'owner.pid'), String(process.pid));
    const ended = once(daemon, 'exit');
    await removeLeftovers();
    await ended;
    await expect(stat(leftover)).rejects.toMatchObject({ code: 'ENOENT' });
    expect((await stat(inUse)).isDirectory()).toBe(true);
    expect(stranger.exitCode).toBeNull();
    stranger.kill('SIGKILL');
    await rm(inUse, { recursive: true });
  });
});
