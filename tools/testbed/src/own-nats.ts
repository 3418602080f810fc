import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startNats } from '@rapporteur/local-stack';
import { RunFolder } from './run-folder.ts';

/** A nats-server of a test's own, which can be killed, wiped and restarted on the same port. It ends with the test. */
export interface OwnNats {
  readonly url: string;
  /** SIGKILL; the store stays unless `wipeStore`. */
  crash(options?: { readonly wipeStore?: boolean }): Promise<void>;
  /** Starts it again on the same port. */
  restart(): Promise<void>;
  /** Stops it and removes its folder. Safe twice. */
  remove(): Promise<void>;
}

/**
 * Starts one with JetStream on a free port; open to all clients unless `authConfig` restricts it. `storeFolder` is for
 * programs that run outside the tests, and is removed with it.
 */
export async function startOwnNats(
  options: { readonly authConfig?: string; readonly storeFolder?: string } = {},
): Promise<OwnNats> {
  const storeFolder = options.storeFolder ?? RunFolder.ofThisRun().newFolder('own-nats');
  const server = await startNats({ ...options, storeFolder, restart: false, diesWithUs: { folder: storeFolder } });
  return {
    url: server.url,
    crash: async ({ wipeStore = false } = {}) => {
      await server.kill();
      if (wipeStore) rmSync(join(storeFolder, 'store'), { recursive: true, force: true });
    },
    restart: () => server.start(),
    remove: async () => {
      await server.stop();
      rmSync(storeFolder, { recursive: true, force: true });
    },
  };
}
