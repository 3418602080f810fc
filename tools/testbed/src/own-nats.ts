import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNats } from '@rapporteur/local-stack';
import type { RunningNats } from '@rapporteur/local-stack';

/** A nats-server of a test's own, to be killed, wiped and started again on the same port. */
export interface OwnNats {
  readonly url: string;
  /** SIGKILL; the store stays unless `wipeStore`. */
  crash(options?: { readonly wipeStore?: boolean }): Promise<void>;
  /** Starts it again on the same port. */
  restart(): Promise<void>;
  /** Stops it and removes its folder. */
  remove(): Promise<void>;
}

export async function startOwnNats(options: { readonly authConfig?: string } = {}): Promise<OwnNats> {
  const storeFolder = mkdtempSync(join(tmpdir(), 'rapporteur-nats-'));
  let server: RunningNats = await startNats({ storeFolder, port: 0, ...options });
  const { port, url } = server;
  return {
    url,
    crash: async ({ wipeStore = false } = {}) => {
      await server.kill();
      if (wipeStore) rmSync(join(storeFolder, 'jetstream'), { recursive: true, force: true });
    },
    restart: async () => {
      server = await startNats({ storeFolder, port, ...options });
    },
    remove: async () => {
      await server.stop();
      rmSync(storeFolder, { recursive: true, force: true });
    },
  };
}
