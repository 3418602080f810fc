import { join } from 'node:path';
import { loadCertificate } from './certificate.ts';
import { systemClock } from './clock.ts';
import { startControlServer } from './control/control-server.ts';
import { silentLog } from './log.ts';
import type { SimulatorLog } from './log.ts';
import { openMediaCache } from './media/media-cache.ts';
import { startMeetServer } from './meet/meet-server.ts';
import { RoomRegistry } from './rooms/room-registry.ts';

export type SimulatorOptions = {
  /** Keeps the certificate and the rendered media between runs. */
  dataFolder: string;
  /** 0 = any free port. */
  httpsPort?: number;
  controlPort?: number;
  /** `127.0.0.1` (default) keeps media on loopback too. */
  host?: string;
  log?: SimulatorLog;
};

export type Simulator = {
  controlUrl: string;
  httpsPort: number;
  /** Value for Chromium's `--host-resolver-rules`. */
  hostResolverRules: string;
  /** Value for Chromium's `--ignore-certificate-errors-spki-list` (works only together with `--user-data-dir`). */
  certificateSpki: string;
  /** `meet.simulator.localhost:<port>`: what people type into their own browser. */
  linkHost: string;
  /** Ends all rooms and closes all sockets; may be called twice. */
  stop(): Promise<void>;
};

/** Starts the simulated Google Meet and its control API. Throws when a port is taken or the folder cannot be written. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const log = options.log ?? silentLog;
  const host = options.host ?? '127.0.0.1';
  const clock = systemClock;
  const certificate = await loadCertificate(options.dataFolder, clock.now);
  const rooms = new RoomRegistry(await openMediaCache(join(options.dataFolder, 'media')), clock);
  const meet = await startMeetServer({ rooms, certificate, host, port: options.httpsPort ?? 0, clock, log });
  const info = {
    httpsPort: meet.port,
    hostResolverRules: `MAP meet.google.com:443 ${reachableHost(host)}:${meet.port}`,
    certificateSpki: certificate.spki,
    linkHost: `meet.simulator.localhost:${meet.port}`,
  };
  const controlOptions = { rooms, info, host, port: options.controlPort ?? 0, log };
  const control = await startControlServer(controlOptions).catch(async (error: unknown) => {
    await meet.stop();
    throw error;
  });
  log.info({ controlUrl: control.url, httpsPort: meet.port }, 'The simulator is ready.');
  return {
    controlUrl: control.url,
    ...info,
    stop: async () => {
      await control.stop();
      rooms.stop();
      await meet.stop();
    },
  };
}

function reachableHost(host: string): string {
  return host === '0.0.0.0' ? '127.0.0.1' : host;
}
