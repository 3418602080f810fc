import { buffer } from 'node:stream/consumers';
import { openS3Store } from '@rapporteur/object-store';
import type { ObjectStore } from '@rapporteur/object-store';
import { startFaultProxy, startS3Server } from '@rapporteur/object-store/testing';
import type { FaultProxy, S3Server, S3User } from '@rapporteur/object-store/testing';

/**
 * A customer's object store: an ingest key that may only write, a service key, and a proxy in front that injects
 * faults.
 */
export interface CustomerStore {
  readonly server: S3Server;
  readonly proxy: FaultProxy;
  readonly ingest: S3User;
  readonly service: S3User;
  /** An empty bucket of which the ingest key may only write and the service key may do everything. */
  createBucket(name: string): Promise<void>;
  /** Body of PUT /v2/storage-config with these three buckets. */
  configuration(buckets: readonly [string, string, string], over?: Record<string, unknown>): Record<string, unknown>;
  /** The customer's own client, without the proxy. */
  client(bucket: string): ObjectStore;
  keysOf(bucket: string): Promise<string[]>;
  contentOf(bucket: string, key: string): Promise<Buffer>;
  stop(): Promise<void>;
}

export async function startCustomerStore(): Promise<CustomerStore> {
  const server = await startS3Server();
  const [ingest, service] = [await server.createUser('ingest'), await server.createUser('service')];
  const proxy = await startFaultProxy(server.endpoint);
  const clients: ObjectStore[] = [];
  const client = (bucket: string): ObjectStore => {
    const { endpoint, region, accessKeyId, secretAccessKey } = server;
    const credentials = { accessKeyId, secretAccessKey };
    const store = openS3Store({ endpoint, region, bucket, credentials, forcePathStyle: true });
    clients.push(store);
    return store;
  };
  return {
    server,
    proxy,
    ingest,
    service,
    client,
    createBucket: async (name) => {
      await server.createBucket(name);
      await server.setPolicy(name, { full: ['service'], write: ['ingest'] });
    },
    configuration: ([artifacts, chunks, logs], over = {}) => ({
      endpoint: proxy.url,
      region: server.region,
      force_path_style: true,
      artifacts_bucket: artifacts,
      audio_chunks_bucket: chunks,
      logs_bucket: logs,
      ingest_access_key_id: ingest.accessKeyId,
      ingest_secret_access_key: ingest.secretAccessKey,
      service_access_key_id: service.accessKeyId,
      service_secret_access_key: service.secretAccessKey,
      ...over,
    }),
    keysOf: async (bucket) => (await client(bucket).list({ prefix: '' })).objects.map(({ key }) => key),
    contentOf: async (bucket, key) => await buffer((await client(bucket).get(key)).body),
    stop: async () => {
      await Promise.all(clients.map((store) => store.close()));
      await proxy.stop();
      await server.stop();
    },
  };
}
