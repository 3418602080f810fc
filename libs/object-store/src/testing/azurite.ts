import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import { endChild, lastOutput, untilReady } from '@rapporteur/process-identity';
import { freePort } from '@rapporteur/testbed';

const startDeadlineMs = 60_000;

/** A running emulator of Azure Blob with one account, in memory. */
export interface Azurite {
  readonly account: string;
  readonly accountKey: string;
  /** Contains the account, where Azure has it in the host name. */
  readonly endpoint: string;
  createContainer(name: string): Promise<void>;
  /** Idempotent. */
  stop(): Promise<void>;
}

/** @param entry the file that `provideAzurite` of tools/cluster installs */
export async function startAzurite(entry: string): Promise<Azurite> {
  const account = 'recordings';
  const accountKey = randomBytes(64).toString('base64');
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}/${account}`;
  const listening = ['--blobHost', '127.0.0.1', '--blobPort', String(port)];
  const daemon = spawn(
    process.execPath,
    [entry, ...listening, '--inMemoryPersistence', '--silent', '--disableTelemetry', '--skipApiVersionCheck'],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, AZURITE_ACCOUNTS: `${account}:${accountKey}` } },
  );
  const details = lastOutput([daemon.stdout, daemon.stderr], 4_000);
  const stop = (): Promise<void> => endChild(daemon, []);
  const isReady = async (): Promise<boolean> => {
    const response = await fetch(endpoint, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
    await response?.body?.cancel();
    return response !== null;
  };
  try {
    await untilReady(daemon, isReady, { name: 'Azurite', deadlineMs: startDeadlineMs, pollMs: 100, details });
  } catch (error) {
    await stop();
    throw error;
  }
  const client = new BlobServiceClient(endpoint, new StorageSharedKeyCredential(account, accountKey));
  return {
    account,
    accountKey,
    endpoint,
    createContainer: async (name) => void (await client.createContainer(name)),
    stop,
  };
}
