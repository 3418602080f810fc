import type { CreateBotBody } from '../schema/create-bot-body.ts';
import type { StoredRequest } from '../schema/bot-entity.ts';

/** Fields of bot_secrets. Delivery requests the first two by these names. */
export const secretFields = [
  'callback_secret',
  'legacy_api_key',
  'obf_token',
  'alpha_sdk_id',
  'alpha_sdk_pwd',
  'transcription_api_key',
  'streaming_api_key',
] as const;
export type SecretField = (typeof secretFields)[number];

export type BotSecrets = Partial<Record<SecretField, string>>;

const retryPrefix = 'callback_secret/';

/** Field for the secret of one request to retry a callback. */
export function retrySecretField(requestId: string): `callback_secret/${string}` {
  return `${retryPrefix}${requestId}`;
}

const retranscribePrefix = 'transcription_api_key/';

/** Field for the key of one request to transcribe again. */
export function retranscribeKeyField(requestId: string): `transcription_api_key/${string}` {
  return `${retranscribePrefix}${requestId}`;
}

/** Keys that the transcriber may read. */
export function isTranscriptionKeyField(field: string): boolean {
  return field === 'transcription_api_key' || field.startsWith(retranscribePrefix);
}

export function isRetrySecretField(field: string): boolean {
  return field.startsWith(retryPrefix);
}

/** Splits a body into the part that is stored and shown, and the part that is sealed. `joinSecrets` is the inverse. */
export function splitSecrets(body: CreateBotBody): { readonly request: StoredRequest; readonly secrets: BotSecrets } {
  const { legacy, callback_config, alpha_config, transcription_config, streaming_config, ...rest } = body;
  const request = {
    ...rest,
    callback_config: without(callback_config, 'secret'),
    alpha_config: without(alpha_config, 'obf_token'),
    transcription_config: without(transcription_config, 'api_key'),
    streaming_config: streaming_config && {
      ...streaming_config,
      transcription: without(streaming_config.transcription, 'api_key'),
    },
  };
  const given: Record<SecretField, string | null | undefined> = {
    callback_secret: callback_config?.secret,
    legacy_api_key: legacy?.api_key,
    obf_token: alpha_config?.obf_token,
    alpha_sdk_id: legacy?.alpha_sdk_id,
    alpha_sdk_pwd: legacy?.alpha_sdk_pwd,
    transcription_api_key: transcription_config?.api_key,
    streaming_api_key: streaming_config?.transcription?.api_key,
  };
  return { request, secrets: present(given) };
}

/** Secrets of enabled features. Those of disabled features are not kept once the bot runs. */
export function neededFields(request: StoredRequest): ReadonlySet<SecretField> {
  return new Set<SecretField>([
    'legacy_api_key',
    'obf_token',
    'alpha_sdk_id',
    'alpha_sdk_pwd',
    ...(request['callback_enabled'] === true ? (['callback_secret'] as const) : []),
    ...(request['transcription_enabled'] === true ? (['transcription_api_key'] as const) : []),
    ...(request['streaming_enabled'] === true ? (['streaming_api_key'] as const) : []),
  ]);
}

export function onlyNeeded(secrets: BotSecrets, request: StoredRequest): BotSecrets {
  const needed = neededFields(request);
  return Object.fromEntries(Object.entries(secrets).filter(([field]) => needed.has(field as SecretField)));
}

/** The top-level body field that contains a secret; replacing the field removes its old secret. */
export const fieldOfSecret = {
  callback_secret: 'callback_config',
  legacy_api_key: 'legacy',
  obf_token: 'alpha_config',
  alpha_sdk_id: 'legacy',
  alpha_sdk_pwd: 'legacy',
  transcription_api_key: 'transcription_config',
  streaming_api_key: 'streaming_config',
} as const satisfies Record<SecretField, keyof CreateBotBody>;

function present(given: Record<SecretField, string | null | undefined>): BotSecrets {
  return Object.fromEntries(Object.entries(given).filter(([, text]) => text !== null && text !== undefined));
}

function without<T extends object, K extends keyof T>(value: T | null, secret: K): Omit<T, K> | null {
  if (value === null) return null;
  const { [secret]: _secret, ...rest } = value;
  return rest;
}
