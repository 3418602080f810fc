import { join } from 'node:path';

/** The layout of one temporary cluster: every path is below `folder`, every port on loopback. */
export interface ClusterLayout {
  readonly folder: string;
  readonly fsid: string;
  readonly monitorPorts: readonly [number, number];
  readonly gatewayPort: number;
}

/** The monitor's two addresses in the form of ceph. */
export function monitorAddress(layout: ClusterLayout): string {
  return `[v2:127.0.0.1:${layout.monitorPorts[0]},v1:127.0.0.1:${layout.monitorPorts[1]}]`;
}

/**
 * ceph.conf of a cluster without a manager, a disk or a second copy: one monitor, one storage daemon that keeps
 * everything in memory, one gateway. With `auth ... = none` radosgw would hang, so cephx stays on.
 */
export function clusterConfig(layout: ClusterLayout): string {
  const path = (name: string) => join(layout.folder, name);
  const settings = {
    fsid: layout.fsid,
    'mon host': monitorAddress(layout),
    'mon initial members': 'a',
    'public addr': '127.0.0.1',
    'cluster addr': '127.0.0.1',
    'auth cluster required': 'cephx',
    'auth service required': 'cephx',
    'auth client required': 'cephx',
    keyring: path('keyring'),
    'run dir': path('run'),
    'pid file': path('run/$name.pid'),
    'admin socket': '',
    'log file': path('log/$name.log'),
    'log to stderr': 'false',
    'mon data': path('mon'),
    'osd data': path('osd'),
    'rgw data': path('rgw'),
    'osd objectstore': 'memstore',
    'memstore device bytes': 4 * 1024 ** 3,
    'osd pool default size': 1,
    'osd pool default min size': 1,
    'osd pool default pg num': 4,
    'osd pool default pgp num': 4,
    'osd pool default pg autoscale mode': 'off',
    'mon allow pool size one': 'true',
    'osd crush chooseleaf type': 0,
    // The monitor must not stop on a test machine whose disk is nearly full.
    'mon data avail warn': 1,
    'mon data avail crit': 1,
    'rgw thread pool size': 32,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  return [
    '[global]',
    ...lines,
    '[client.rgw]',
    `rgw frontends = beast endpoint=127.0.0.1:${layout.gatewayPort}`,
    '',
  ].join('\n');
}

/** Permissions inside the cluster. */
export const clusterKeys: readonly { readonly name: string; readonly capabilities: readonly string[] }[] = [
  { name: 'mon.', capabilities: ['--cap', 'mon', 'allow *'] },
  { name: 'client.admin', capabilities: ['--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *'] },
  { name: 'osd.0', capabilities: ['--cap', 'mon', 'allow profile osd', '--cap', 'osd', 'allow *'] },
  { name: 'client.rgw', capabilities: ['--cap', 'mon', 'allow rw', '--cap', 'osd', 'allow rwx'] },
];
