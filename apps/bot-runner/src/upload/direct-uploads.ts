import { directUploadReply, internalRoutes } from '@rapporteur/contracts';
import type { DirectUploadReply, DirectUploadRequest } from '@rapporteur/contracts';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import type { Clock, Logger } from '@rapporteur/service-runtime/process';
import type { DirectUploads } from './direct-media.ts';
import { expectOk, postWithGrant, timeoutMsFor, withinTime } from './grant-store.ts';
import type { GrantOptions } from './grant-store.ts';

export interface DirectUploadsOptions extends Pick<GrantOptions, 'url' | 'grant'> {
  /** Carries what goes to a store whose address a customer gave. */
  readonly outbound: () => Pick<OutboundHttp, 'request'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

type SignedRequest = NonNullable<DirectUploadReply['request']>;

/** So long after a failure, or where the store takes nothing directly, everything passes storage-config. */
const pauseMs = 60_000;
const responseBytesAtMost = 100_000;
/** The store has the object: an earlier try arrived and its response did not. */
const alreadyThere = 412;
const unknownRoute = 404;

export function createDirectUploads(options: DirectUploadsOptions): DirectUploads {
  const { clock, logger } = options;
  let pausedUntilMs = 0;
  /** Null: it has to pass storage-config, as always with one of an earlier release. */
  const signedRequestFor = async (wish: DirectUploadRequest, signal: AbortSignal): Promise<SignedRequest | null> => {
    const response = await postWithGrant(options, internalRoutes.grantDirectUploads, wish, signal);
    if (response.status === unknownRoute) {
      await response.body?.cancel();
      return null;
    }
    await expectOk(response, `requesting a direct upload of ${wish.key}`, false);
    return directUploadReply.parse(await response.json()).request;
  };
  const send = async (wish: DirectUploadRequest, bytes: Buffer, signal: AbortSignal): Promise<boolean> => {
    if (clock.now() < pausedUntilMs) return false;
    const request = await signedRequestFor(wish, signal);
    const failure = request === null ? null : await sendToStore(request, bytes, signal).catch(String);
    if (request !== null && failure === null) return true;
    signal.throwIfAborted();
    pausedUntilMs = clock.now() + pauseMs;
    if (failure !== null)
      logger.warn(
        { key: wish.key, failure },
        'The object store did not take an upload directly; using storage-config.',
      );
    return false;
  };
  /** @returns null, or why the store did not take it */
  const sendToStore = async (request: SignedRequest, bytes: Buffer, signal: AbortSignal): Promise<string | null> => {
    const status = request.customers
      ? await throughOutbound(options.outbound(), request, bytes, signal)
      : await throughFetch(request, bytes, signal);
    const isFine = (status >= 200 && status < 300) || status === alreadyThere;
    return isFine ? null : `HTTP ${status}`;
  };
  return {
    sendFragment: async ({ key, bytes, contentType }, signal) => {
      const sent = await send({ kind: 'fragment', key, bytes: bytes.length, contentType }, bytes, signal);
      if (!sent) return false;
      const place = { key, bytes: bytes.length };
      const committed = await postWithGrant(options, internalRoutes.grantDirectCommits, place, signal);
      await expectOk(committed, `committing ${key}`);
      return true;
    },
    sendPart: async (part, bytes, signal) => await send({ kind: 'part', ...part, bytes: bytes.length }, bytes, signal),
  };
}

async function throughOutbound(
  outbound: Pick<OutboundHttp, 'request'>,
  { url, method, headers }: SignedRequest,
  body: Buffer,
  signal: AbortSignal,
): Promise<number> {
  const { status } = await outbound.request({
    url,
    method,
    headers,
    body,
    timeoutMs: timeoutMsFor(body.length),
    maxResponseBytes: responseBytesAtMost,
    whenTooLarge: 'cut',
    signal,
  });
  return status;
}

async function throughFetch(request: SignedRequest, bytes: Buffer, signal: AbortSignal): Promise<number> {
  // fetch sets the length itself.
  const { 'content-length': _length, ...headers } = request.headers;
  const body = bytes as Uint8Array<ArrayBuffer>;
  const { url, method } = request;
  const init = { method, headers, body, redirect: 'error', signal: withinTime(signal, bytes.length) } as const;
  const response = await fetch(url, init);
  await response.body?.cancel();
  return response.status;
}
