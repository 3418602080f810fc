import { directFragmentsReply, directPartReply, internalRoutes } from '@rapporteur/contracts';
import type { DirectFragments, DirectFragmentsReply, DirectPartReply, DirectPartRequest } from '@rapporteur/contracts';
import type { OutboundHttp, OutboundResponse } from '@rapporteur/outbound-http';
import type { Clock, Logger } from '@rapporteur/service-runtime/process';
import type { DirectFragment, DirectUploads } from './direct-media.ts';
import { expectOk, postWithGrant, timeoutMsFor } from './grant-store.ts';
import type { GrantOptions } from './grant-store.ts';

export interface DirectUploadsOptions extends Pick<GrantOptions, 'url' | 'grant'> {
  /** The client for a request to the store of the deployment, or to one whose address a customer gave. */
  readonly outbound: (request: Pick<SignedRequest, 'url' | 'customers'>) => Pick<OutboundHttp, 'request'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

type SignedRequest = NonNullable<DirectPartReply['request']>;
type Slot = NonNullable<DirectFragmentsReply['slots']>[number] & { readonly untilMs: number };

/** How long everything goes through storage-config after a failure, or where the store accepts nothing directly. */
const pauseMs = 60_000;
const responseBytesAtMost = 100_000;
const shownBytesOfRefusal = 300;
/** Slots for fragments that are granted at once: the commit of the last one requests the next ones. */
const slotsAtOnce = 8;
/** A slot is not used in this time before its request expires: the clocks of two machines differ. */
const expiryMarginMs = 5 * 60_000;
/** The store has the object: an earlier attempt arrived and its response was lost. */
const alreadyThere = 412;

export function createDirectUploads(options: DirectUploadsOptions): DirectUploads {
  const { clock, logger } = options;
  let pausedUntilMs = -Infinity;
  let partsPausedUntilMs = -Infinity;
  let slots: Slot[] = [];
  /** Commits a fragment, and fetches slots where none is left. */
  const exchange = async (commit: DirectFragments['commit'], signal: AbortSignal): Promise<void> => {
    const body: DirectFragments = { commit, slots: slots.length > 0 ? 0 : slotsAtOnce };
    const response = await postWithGrant(options, internalRoutes.grantDirectFragments, body, signal);
    await expectOk(response, commit === null ? 'requesting slots' : `committing ${commit.key}`, { discard: false });
    const reply = directFragmentsReply.parse(await response.json());
    const untilMs = Date.parse(reply.expiresAt) - expiryMarginMs;
    slots = [...slots, ...(reply.slots ?? []).map((slot) => ({ ...slot, untilMs }))];
  };
  const nextSlot = async (signal: AbortSignal): Promise<Slot | null> => {
    slots = slots.filter(({ untilMs }) => clock.now() < untilMs);
    if (slots.length === 0) await exchange(null, signal);
    return slots.shift() ?? null;
  };
  /** False: it goes through storage-config, and so does everything for a while. */
  const sendSigned = async (
    request: SignedRequest | null,
    { key, bytes }: Pick<DirectFragment, 'key' | 'bytes'>,
    signal: AbortSignal,
  ): Promise<boolean> => {
    const failure = request === null ? null : await sendToStore(request, bytes, signal).catch(String);
    if (request !== null && failure === null) return true;
    signal.throwIfAborted();
    pausedUntilMs = clock.monotonic() + pauseMs;
    if (failure !== null)
      logger.warn({ key, failure }, 'The object store did not take an upload directly; using storage-config.');
    return false;
  };
  /** @returns null, or why the store refused it */
  const sendToStore = async (request: SignedRequest, bytes: Buffer, signal: AbortSignal): Promise<string | null> => {
    const { status, bodyPrefix } = await put(options.outbound(request), request, bytes, signal);
    const isFine = (status >= 200 && status < 300) || status === alreadyThere;
    return isFine ? null : `HTTP ${status} ${bodyPrefix.toString('utf8', 0, shownBytesOfRefusal)}`;
  };
  return {
    sendFragment: async ({ key, bytes, contentType }, signal) => {
      if (clock.monotonic() < pausedUntilMs) return false;
      const slot = await nextSlot(signal);
      const request = slot && { ...slot.request, headers: { ...slot.request.headers, 'content-type': contentType } };
      if (!(await sendSigned(request, { key, bytes }, signal)) || slot === null) return false;
      await exchange({ key, bytes: bytes.length, slot: slot.slot }, signal);
      return true;
    },
    sendPart: async (part, bytes, signal) => {
      if (clock.monotonic() < Math.max(pausedUntilMs, partsPausedUntilMs)) return false;
      const request = await signedRequestFor(options, { ...part, bytes: bytes.length }, signal);
      if (request === null) {
        // A store may take fragments directly and no parts.
        partsPausedUntilMs = clock.monotonic() + pauseMs;
        return false;
      }
      return await sendSigned(request, { key: part.key, bytes }, signal);
    },
  };
}

/** Null: it has to go through storage-config. */
async function signedRequestFor(
  grant: Pick<GrantOptions, 'url' | 'grant'>,
  part: DirectPartRequest,
  signal: AbortSignal,
): Promise<SignedRequest | null> {
  const response = await postWithGrant(grant, internalRoutes.grantDirectParts, part, signal);
  await expectOk(response, `requesting a direct upload of ${part.key}`, { discard: false });
  return directPartReply.parse(await response.json()).request;
}

async function put(
  outbound: Pick<OutboundHttp, 'request'>,
  { url, method, headers }: SignedRequest,
  body: Buffer,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  return await outbound.request({
    url,
    method,
    headers,
    body,
    timeoutMs: timeoutMsFor(body.length),
    maxResponseBytes: responseBytesAtMost,
    whenTooLarge: 'cut',
    signal,
  });
}
