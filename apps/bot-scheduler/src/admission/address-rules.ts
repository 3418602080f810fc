import { Failure, fail } from '@rapporteur/failures';
import type { OutboundHttp, UrlKind } from '@rapporteur/outbound-http';
import type { CreateBotBody } from './create-bot-body.ts';

/** What says whether a bot may call an address; names are looked up only when it does. */
export type AddressCheck = OutboundHttp['checkUrl'];

interface GivenAddress {
  readonly field: string;
  readonly url: string | null;
  readonly kind: UrlKind;
}

/** The first address of a body that bots may not call, as the failure to respond with, or null. */
export function findRefusedAddress(checkAddress: AddressCheck, body: CreateBotBody): Failure | null {
  for (const { field, url, kind } of addressesOf(body)) {
    try {
      if (url !== null) checkAddress(url, kind);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return fail(error.code, { message: `/body/${field}: ${error.message}`, details: `/body/${field}` });
    }
  }
  return null;
}

/** Those that the bot will call. */
function addressesOf(body: CreateBotBody): readonly GivenAddress[] {
  return [...imagesOf(body), ...streamsOf(body), ...tokensOf(body)];
}

function imagesOf({ bot_image: given }: CreateBotBody): readonly GivenAddress[] {
  if (given === null) return [];
  if (!Array.isArray(given)) return [{ field: 'bot_image', url: given, kind: 'http' }];
  return given.map((url, index) => ({ field: `bot_image/${index}`, url, kind: 'http' }));
}

function streamsOf({ streaming_enabled, streaming_config: streaming }: CreateBotBody): readonly GivenAddress[] {
  if (!streaming_enabled || streaming === null) return [];
  return [
    { field: 'streaming_config/input_url', url: streaming.input_url, kind: 'socket' },
    { field: 'streaming_config/output_url', url: streaming.output_url, kind: 'socket' },
  ];
}

function tokensOf({ alpha_config: config }: CreateBotBody): readonly GivenAddress[] {
  return (['obf_token_url', 'zak_token_url'] as const).map((name) => ({
    field: `alpha_config/${name}`,
    url: config?.[name] ?? null,
    kind: 'http',
  }));
}
