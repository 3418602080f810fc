import fc from 'fast-check';
import type { Operation } from '../document/document.ts';
import type { Overrides } from './valid.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const letters = (length: number) =>
  fc.string({
    unit: fc.constantFrom(...Array.from('abcdefghijklmnopqrstuvwxyz')),
    minLength: length,
    maxLength: length,
  });
const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from('123456789')), minLength: length, maxLength: length });

export const meetLink = fc
  .tuple(letters(3), letters(4), letters(3), fc.constantFrom('', '', '', '?authuser=1', '/'))
  .map(([a, b, c, tail]) => `https://meet.google.com/${a}-${b}-${c}${tail}`);
const otherLink = fc.oneof(
  digits(10).map((number) => `https://zoom.us/j/${number}?pwd=abc`),
  digits(13).map((number) => `https://teams.live.com/meet/${number}?p=secret`),
);
const noMeeting = fc.constantFrom(
  'https://a.invalid/',
  'https://meet.google.com/new',
  'https://zoom.us/j/1',
  'https://[::1]/j/123456789',
);

const link = () =>
  fc.oneof(
    { weight: 16, arbitrary: meetLink },
    { weight: 2, arbitrary: otherLink },
    { weight: 1, arbitrary: noMeeting },
  );
const rarelyGiven = (usual: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: usual });
const rarelyOn = () =>
  fc.oneof({ weight: 11, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });
/** Times move with the clock, so a seed determines the offset. */
const ahead = () =>
  fc.integer({ min: 3 * minuteMs, max: 85 * dayMs }).map((ms) => new Date(Date.now() + ms).toISOString());
const past = () => fc.integer({ min: minuteMs, max: 85 * dayMs }).map((ms) => new Date(Date.now() - ms).toISOString());

/** Fields of the legacy join for Zoom only. */
const legacyZoomFields = [
  'alpha_access_token_url',
  'alpha_obf_token',
  'alpha_obf_token_url',
  'alpha_obf_token_user_id',
  'alpha_sdk_id',
  'alpha_sdk_pwd',
] as const;

/** Valid values by the meaning of the API's names, so that requests pass the first validation. */
export const meanings: Overrides = new Map<string, (usual: fc.Arbitrary<unknown>) => fc.Arbitrary<unknown>>([
  ['MeetingUrl', link],
  ['meeting_url', link],
  ['JoinAt', ahead],
  ['join_at', ahead],
  ['expires_at', () => fc.oneof(fc.constant(null), ahead())],
  ['start_time', () => ahead().map((at) => Math.floor(Date.parse(at) / 1_000))],
  ['alpha_config', rarelyGiven],
  ['teams_config', rarelyGiven],
  ['meet_config', rarelyGiven],
  ['retention_hours', rarelyGiven],
  ...legacyZoomFields.map((name) => [name, rarelyGiven] as const),
  ['streaming', rarelyGiven],
  ['transcription_custom_parameters', rarelyGiven],
  ['transcription_enabled', rarelyOn],
  ['streaming_enabled', rarelyOn],
  // Settings of an object store: a host without a response, so that nothing of the fuzzer leaves this machine.
  ['endpoint', () => fc.constant('http://127.0.0.1:1')],
]);

/** The same for query parameters, which share names with members of bodies. */
export const queryMeanings: Overrides = new Map<string, (usual: fc.Arbitrary<unknown>) => fc.Arbitrary<unknown>>([
  ['created_after', past],
  ['created_before', past],
  ['ended_after', past],
  ['scheduled_after', past],
  ['scheduled_before', ahead],
  ['extra', () => fc.constantFrom('customer_id:c-1', 'region:eu,customer_id:7', 'a b:ä', 'constructor:1', 'x-1:%')],
  ['filter_by_extra', () => fc.constantFrom('customer_id:c-1', 'region:eu,customer_id:7', 'a b:ä')],
  ['sort_by_extra', () => fc.constantFrom('customer_id', 'region:asc', 'customer_id:desc', 'nothing')],
]);

type Body = Readonly<Record<string, unknown>>;
const hosts = {
  alpha_config: /(^|\.)zoom\.us$/,
  meet_config: /^meet\.google\.com$/,
  teams_config: /^teams\./,
} as const;

/**
 * The documented rule across fields, beyond the schema, by which a valid body or query may be refused with 400; null:
 * none.
 */
export function refusalOf(
  operation: Operation,
  value: unknown,
  query: Readonly<Record<string, string>>,
): string | null {
  if (query['cursor'] !== undefined) return 'a cursor belongs to the filters it came with';
  if (query['after'] !== undefined) return 'a place in a list is one that the list gave';
  if (query['endpoint_id'] !== undefined && query['callback_id'] !== undefined)
    return 'one delivery is that of an endpoint or of a callback';
  if (query['q'] !== undefined && !/^[^-]*[\p{L}\p{N}]/u.test(query['q']))
    return 'a search needs a word before what it excludes';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const body = value as Body;
  const url = body['meeting_url'];
  if (typeof url === 'string' && !isMeeting(url)) return 'the link leads to no meeting';
  // A change is merged with the stored configuration, which is unknown here.
  if (
    operation.method === 'PATCH' &&
    Object.keys(body).some((name) => /_(config|enabled|url|image)$|^bot_image$/.test(name))
  )
    return 'a change has to fit what is kept';
  const custom = (body['transcription_config'] as Body | null | undefined)?.['custom_params'] as
    | object
    | null
    | undefined;
  if (Object.keys(custom ?? {}).length > 0) return 'a provider takes parameters of its own only';
  const { fallback = null } = (body['transcription_config'] ?? {}) as Body;
  if (fallback !== null) return 'only captions take a fallback';
  if (((body['speech_to_text'] as Body | null | undefined)?.['api_key'] ?? null) !== null)
    return 'the local provider takes no key';
  if (Object.keys((body['headers'] ?? {}) as object).length > 0) return 'a header has printable characters only';
  if (operation.path === '/v2/retention-settings') return 'a plan keeps data for so many days';
  if ([body, body['bot']].some((bot) => ((bot as Body | null | undefined)?.['retention_hours'] ?? null) !== null))
    return 'a bot keeps its data no longer than its team';
  if (operation.path === '/v2/storage-config') return 'the access check of the buckets fails';
  if (operation.path.startsWith('/v2/zoom-credentials')) return credentialRefusal(operation, body);
  if (body['all_occurrences'] === false && (body['event_id'] ?? null) === null) return 'one occurrence needs its event';
  if (isUntypable(body) || isUntypable(body['bot'])) return 'a text has to be one that the field of a page can hold';
  if (
    /\p{Cc}/u.test(
      Object.values((body['service_providers'] ?? []) as object)
        .flatMap(Object.values)
        .join(''),
    )
  )
    return 'an identifier of a service provider has no control characters';
  if ('series_id' in body && (body['series_id'] ?? body['event_id'] ?? null) === null)
    return 'an event or a series is needed';
  if (Array.isArray(body['own_domains'])) return 'a domain has to be one';
  if (
    Object.values((body['streaming_config'] ?? {}) as object).some(
      (one) => typeof one === 'string' && one.includes('#'),
    )
  )
    return 'the address of a WebSocket has no fragment';
  if (body['streaming_enabled'] === true) return 'streaming needs an address and, for transcription, its settings';
  return foreignConfig(body, typeof url === 'string' ? url : '') ?? joinMethods(body) ?? legacyRefusal(body);
}

const typedTexts = [
  'bot_name',
  'chat_message',
  'entry_message',
  'enter_message',
  'message',
  'pause_message',
  'resume_message',
];
const untypable = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Noncharacter_Code_Point}\u202A-\u202E\u2066-\u2069]/u;
const visible = /[^\p{Cc}\p{Cf}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

function isUntypable(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const texts = typedTexts.map((name) => (body as Body)[name]).filter((text) => typeof text === 'string');
  return texts.some((text) => untypable.test(text) || !visible.test(text));
}

function isMeeting(url: string): boolean {
  return meetingForms.some((form) => form.test(url));
}
const meetingForms = [
  /^https:\/\/meet\.google\.com\/[a-z]{3}-[a-z]{4}-[a-z]{3}/,
  /^https:\/\/zoom\.us\/j\/\d{9,11}/,
  /^https:\/\/teams\.live\.com\/meet\/\d{9,15}/,
];

function foreignConfig(body: Body, url: string): string | null {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  const foreign = Object.entries(hosts).find(([name, own]) => (body[name] ?? null) !== null && !own.test(host));
  return foreign === undefined ? null : `${foreign[0]} is for another platform`;
}

function credentialRefusal(operation: Operation, body: Body): string | null {
  if (operation.method === 'PATCH' && 'client_id' in body) return 'an app has to fit the consent that is kept';
  const halves = [body['authorization_code'] ?? null, body['redirect_uri'] ?? null];
  return halves.filter((half) => half === null).length === 1 ? 'a code and its redirect address come together' : null;
}

function legacyRefusal(body: Body): string | null {
  if (legacyZoomFields.some((name) => (body[name] ?? null) !== null)) return 'alpha fields have rules of their own';
  if ((body['streaming'] ?? null) !== null) return 'streaming needs an address';
  if ((body['streaming_audio_frequency'] ?? null) !== null) return 'a frequency is one of a stream';
  const parameters = body['transcription_custom_parameters'] ?? null;
  return parameters !== null && (body['speech_to_text'] ?? null) === null ? 'parameters need a provider' : null;
}

function joinMethods(body: Body): string | null {
  return Object.keys((body['alpha_config'] ?? {}) as object).length > 1 ? 'one join method at a time' : null;
}
