import { Agent as PlainAgent } from 'node:http';
import type { AgentOptions } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import {
  BlobServiceClient,
  generateBlobSASQueryParameters,
  newPipeline,
  StorageSharedKeyCredential,
} from '@azure/storage-blob';
import type { BlobSASSignatureValues, ContainerClient, UserDelegationKey } from '@azure/storage-blob';
import { workloadIdentityCredential } from './workload-identity.ts';
import type { WorkloadIdentity } from './workload-identity.ts';

export interface AzureStoreOptions {
  /** Name of the storage account. */
  readonly account: string;
  /** The address of its Blob service, with scheme; absent: `https://<account>.blob.core.windows.net`. */
  readonly endpoint?: string;
  /** Must exist. */
  readonly container: string;
  /** The identity's tokens are requested by `fetch`. */
  readonly credentials: { readonly accountKey: string } | { readonly workloadIdentity: WorkloadIdentity };
  /** Options of the connections to the Blob service: a proxy, for example. */
  readonly agentOptions?: Pick<AgentOptions, 'proxyEnv'>;
  /** Default 4, including the first. */
  readonly maxAttempts?: number;
}

export interface AzureClient {
  readonly container: ContainerClient;
  /**
   * The query of a URL, signed by the account's key, or by one that Microsoft Entra ID gives for at most 7 days: the URL
   * ends with it.
   */
  sign(values: BlobSASSignatureValues & { readonly expiresOn: Date }): Promise<string>;
  close(): void;
}

/** No byte in either direction for this long ends a connection. */
const idleTimeoutMs = 30_000;
const connectionsAtMost = 100;
const delegationMs = 7 * 86_400_000;
/** The clocks of this machine and of the service may differ by this much. */
const skewMs = 5 * 60_000;

export function newAzureClient(options: AzureStoreOptions): AzureClient {
  const { account, credentials, maxAttempts = 4 } = options;
  const accountKey =
    'accountKey' in credentials ? new StorageSharedKeyCredential(account, credentials.accountKey) : null;
  const identity =
    'workloadIdentity' in credentials ? workloadIdentityCredential(credentials.workloadIdentity) : undefined;
  const pipeline = newPipeline(accountKey ?? identity, {
    retryOptions: { maxTries: maxAttempts, retryDelayInMs: 500, maxRetryDelayInMs: 8_000 },
  });
  const connections = { keepAlive: true, maxSockets: connectionsAtMost, timeout: idleTimeoutMs };
  const plain = endingIdle(new PlainAgent({ ...connections, ...options.agentOptions }));
  const secure = endingIdle(new SecureAgent({ ...connections, ...options.agentOptions }));
  pipeline.factories.push({
    create: (next) => ({
      sendRequest: (request) => {
        request.agent = request.url.startsWith('http:') ? plain : secure;
        return next.sendRequest(request);
      },
    }),
  });
  const service = new BlobServiceClient(options.endpoint ?? `https://${account}.blob.core.windows.net`, pipeline);
  let delegation: Promise<UserDelegationKey> | undefined;
  const delegationKey = async (expiresOn: Date): Promise<UserDelegationKey> => {
    const known = await delegation?.catch(() => undefined);
    if (known !== undefined && known.signedExpiresOn >= expiresOn) return known;
    const fromMs = Date.now() - skewMs;
    return await (delegation = service.getUserDelegationKey(new Date(fromMs), new Date(fromMs + delegationMs)));
  };
  return {
    container: service.getContainerClient(options.container),
    sign: async (values) => {
      if (accountKey !== null) return String(generateBlobSASQueryParameters(values, accountKey));
      const key = await delegationKey(values.expiresOn);
      const expiresOn = key.signedExpiresOn < values.expiresOn ? key.signedExpiresOn : values.expiresOn;
      return String(generateBlobSASQueryParameters({ ...values, expiresOn }, key, account));
    },
    close: () => {
      plain.destroy();
      secure.destroy();
    },
  };
}

/** Node only reports an idle connection. */
function endingIdle<A extends PlainAgent>(agent: A): A {
  const create = agent.createConnection.bind(agent);
  const end = (stream: Duplex | null | undefined): void => void stream?.on('timeout', () => stream.destroy(timedOut()));
  agent.createConnection = (options, callback) => {
    const direct = create(options, (error, stream) => {
      end(stream);
      callback?.(error, stream);
    });
    end(direct);
    return direct;
  };
  return agent;
}

const timedOut = (): Error => Object.assign(new Error('No byte arrived in time.'), { code: 'ETIMEDOUT' });
