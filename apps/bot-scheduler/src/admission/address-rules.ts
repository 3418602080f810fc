import { Failure } from '@rapporteur/failures';
import type { OutboundHttp, UrlKind } from '@rapporteur/outbound-http';
import { invalid } from '@rapporteur/service-runtime';
import type { CreateBotBody } from '../schema/create-bot-body.ts';

/** Decides whether a bot may call an address. Names are resolved at the call only. */
export type AddressCheck = OutboundHttp['checkUrl'];

export interface AddressChecks {
  /** Applied by runners, which fetch images and tokens and open streams. */
  readonly checkAddress: AddressCheck;
  /** Applied by delivery, which sends callbacks and webhooks. */
  readonly checkWebhook: AddressCheck;
}

interface GivenAddress {
  readonly field: string;
  readonly url: string | null | undefined;
  readonly kind?: UrlKind;
}

/** The first address of a body that may not be called, as a failure, or null. Disabled features count too. */
export function findRefusedAddress({ checkAddress, checkWebhook }: AddressChecks, body: CreateBotBody): Failure | null {
  return (
    firstRefused(checkAddress, [...imagesOf(body), ...streamsOf(body), ...tokensOf(body)]) ??
    firstRefused(checkWebhook, [
      { field: 'callback_config.url', url: body.callback_config?.url },
      { field: 'webhook_url', url: body.legacy?.webhook_url },
    ])
  );
}

/** The first of these addresses that may not be called, as a failure, or null. */
export function firstRefused(check: AddressCheck, addresses: readonly GivenAddress[]): Failure | null {
  for (const { field, url, kind } of addresses) {
    try {
      if (url !== null && url !== undefined) check(url, kind);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return invalid(field, error.message, error.code);
    }
  }
  return null;
}

function imagesOf({ bot_image: given }: CreateBotBody): readonly GivenAddress[] {
  if (given === null) return [];
  if (!Array.isArray(given)) return [{ field: 'bot_image', url: given }];
  return given.map((url, index) => ({ field: `bot_image[${index}]`, url }));
}

function streamsOf({ streaming_config: streaming }: CreateBotBody): readonly GivenAddress[] {
  return [
    { field: 'streaming_config.input_url', url: streaming?.input_url, kind: 'socket' },
    { field: 'streaming_config.output_url', url: streaming?.output_url, kind: 'socket' },
  ];
}

function tokensOf({ alpha_config: config }: CreateBotBody): readonly GivenAddress[] {
  return (['obf_token_url', 'zak_token_url'] as const).map((name) => ({
    field: `alpha_config.${name}`,
    url: config?.[name],
  }));
}
