import { runnerConfiguration, streamingConfiguration } from '@rapporteur/contracts';
import type { RunnerConfiguration } from '@rapporteur/contracts';
import { beginTrace } from '@rapporteur/event-bus';
import { Failure } from '@rapporteur/failures';
import { parseMeetingLink } from '@rapporteur/meeting-links';
import type { MeetingLink } from '@rapporteur/meeting-links';
import { invalid } from '@rapporteur/service-runtime';
import type { CallbackRow, LegacyRow, StoredRequest } from '../schema/bot-entity.ts';
import type { LoginClient } from '../service-clients.ts';
import { splitSecrets } from '../credentials/split-secrets.ts';
import type { BotSecrets } from '../credentials/split-secrets.ts';
import type { CreateBotBody } from '../schema/create-bot-body.ts';
import { findUnusableTranscription, meetingCaptions, providerOf } from '../transcription/engines.ts';
import type { TranscriptionEngines } from '../transcription/engines.ts';
import { findUnusableLive, noLiveEngines } from '../transcription/live-engines.ts';
import type { LiveSettings } from '../transcription/live-engines.ts';
import type { TranscriptionKey } from '../credentials/bot-meters.ts';
import { loginUnavailable, wantedLogin } from '../credentials/wanted-login.ts';
import { findZoomRefusal } from './zoom-access.ts';
import type { ZoomAccess } from './zoom-access.ts';
import { findRefusedAddress } from './address-rules.ts';
import type { AddressChecks } from './address-rules.ts';
import { findBrokenRule, withLineFeeds, findForeignSettings } from './body-rules.ts';

/** A request that passed every check but those that depend on the team's other bots. */
export interface PreparedBot {
  readonly link: MeetingLink;
  readonly request: StoredRequest;
  readonly secrets: BotSecrets;
  readonly configuration: RunnerConfiguration;
  readonly extra: Record<string, unknown> | null;
  readonly legacy: LegacyRow | null;
  readonly deduplicationKey: string | null;
  readonly duplicates: DuplicateRule;
  /** For a calendar's bot: the API key that configured it through the legacy API. */
  readonly apiKeyId: string | null;
}

/**
 * The earlier bots of the team for the same meeting, in the last 5 minutes, that make a new one a duplicate. allowed:
 * none. none: any. same-api-key: those of the same API key. same-key: of these, those with the same deduplication key
 * (legacy API).
 */
export type DuplicateRule = 'allowed' | 'none' | 'same-api-key' | 'same-key';

export interface PrepareDependencies extends AddressChecks {
  /** Hosts of links that lead to a simulated meeting; empty: no simulator. */
  readonly simulatorLinkHosts: readonly string[];
  /** Absent: Zoom meetings are joined as a guest only. */
  readonly zoom?: ZoomAccess;
  /** Client of the service that stores logins; absent or null: not deployed. */
  readonly logins?: LoginClient | null;
  /** Providers for recordings; absent: none. */
  readonly engines?: TranscriptionEngines;
  /** Providers for live transcription; absent: none. */
  readonly live?: LiveSettings;
}

/**
 * Checks a body in the documented sequence: fields, platform rules, capabilities of this deployment. Throws the first
 * failure.
 */
export function prepareBot(dependencies: PrepareDependencies, body: CreateBotBody): PreparedBot {
  const broken = findBrokenRule(body);
  if (broken !== null) throw broken;
  const link = readLink(dependencies, body.meeting_url);
  if (link instanceof Failure) throw link;
  const refusal = findForeignSettings(body, link) ?? findUnusable(dependencies, body);
  if (refusal !== null) throw refusal;
  const missing = findMissingLogins(body, (dependencies.logins ?? null) !== null);
  if (missing !== null) throw missing;
  return {
    link,
    ...splitSecrets(withProvider(dependencies, body)),
    configuration: runnerConfigurationOf(body),
    extra: body.extra,
    legacy: body.legacy === null ? null : { webhookUrl: body.legacy.webhook_url },
    deduplicationKey: body.legacy?.deduplication_key ?? null,
    duplicates: duplicateRuleOf(body),
    apiKeyId: body.legacy?.api_key_id ?? null,
  };
}

/** A configuration that names no provider gets the deployment's default, which is stored and shown. */
function withProvider({ engines = [] }: PrepareDependencies, body: CreateBotBody): CreateBotBody {
  const { transcription_config: config } = body;
  return config === null
    ? body
    : { ...body, transcription_config: { ...config, provider: providerOf(engines, config) } };
}

/** A requested feature that is not available here, or an address that may not be called. */
export function findUnusable(
  {
    zoom,
    engines = [],
    live = noLiveEngines,
    ...checks
  }: Pick<PrepareDependencies, keyof AddressChecks | 'zoom' | 'engines' | 'live'>,
  body: CreateBotBody,
): Failure | null {
  const transcription = body.transcription_enabled
    ? findUnusableTranscription(engines, body.transcription_config, 'transcription_config')
    : null;
  return (
    findUnusableLive(live, body) ?? transcription ?? findZoomRefusal(body, zoom) ?? findRefusedAddress(checks, body)
  );
}

/** The meeting of a link, or a failure. */
export function readLink(
  { simulatorLinkHosts: linkHosts }: Pick<PrepareDependencies, 'simulatorLinkHosts'>,
  meetingUrl: string,
): MeetingLink | Failure {
  const response = parseMeetingLink(meetingUrl, linkHosts.length === 0 ? {} : { simulator: { linkHosts } });
  if (response.accepted) return response.link;
  return invalid('meeting_url', response.reason, 'INVALID_MEETING_URL');
}

export function duplicateRuleOf({
  legacy,
  allow_multiple_bots,
}: Pick<CreateBotBody, 'allow_multiple_bots'> & {
  readonly legacy: { readonly deduplication_key: string | null } | null;
}): DuplicateRule {
  if (legacy === null) return allow_multiple_bots ? 'allowed' : 'none';
  return legacy.deduplication_key === null ? 'same-api-key' : 'same-key';
}

/** The bot's own callback; its secret stays sealed. */
export function callbackOf(request: StoredRequest, { hasSecret }: { readonly hasSecret: boolean }): CallbackRow | null {
  const config = request['callback_config'] as Pick<CallbackRow, 'url' | 'method'> | null;
  if (request['callback_enabled'] !== true || config === null) return null;
  return { url: config.url, method: config.method, secretField: hasSecret ? 'callback_secret' : null };
}

/** Whose key pays for the transcription of a request: for captions with a fallback, the fallback's. */
export function transcriptionKeyOf(request: StoredRequest, hasOwnKey: boolean): TranscriptionKey {
  if (request['transcription_enabled'] !== true) return null;
  const config = request['transcription_config'] as { provider?: string; fallback?: string | null } | null;
  if (config?.provider === meetingCaptions && (config.fallback ?? null) === null) return null;
  return hasOwnKey ? 'own' : 'deployment';
}

/** The part of the configuration that a runner needs: the fields of that name, and those that are derived. */
export function runnerConfigurationOf(body: CreateBotBody): RunnerConfiguration {
  const { bot_image: image, bot_image_config, entry_message, streaming_enabled, streaming_config } = body;
  const bot_image = image === null || Array.isArray(image) ? (image ?? []) : [image];
  return runnerConfiguration.parse({
    ...body,
    traceparent: beginTrace('bot') ?? undefined,
    entry_message: entry_message && withLineFeeds(entry_message),
    bot_image,
    bot_image_config: bot_image.length > 1 ? bot_image_config : null,
    streaming_config: streaming_enabled ? streamingOf(streaming_config) : null,
    captions: captionsOf(body),
  });
}

/** Captions to read, for the transcript of the recording or a live one; the former's language takes precedence. */
function captionsOf(body: CreateBotBody): RunnerConfiguration['captions'] {
  const { transcription_enabled, transcription_config, streaming_enabled, streaming_config } = body;
  const batch = transcription_enabled ? transcription_config : null;
  const live = streaming_enabled && streaming_config?.mode === 'transcription' ? streaming_config.transcription : null;
  const wanted = [batch, live].filter((config) => config?.provider === meetingCaptions);
  if (wanted.length === 0) return null;
  const language = wanted.map((config) => config?.custom_params?.['language']).find((one) => typeof one === 'string');
  return { language: language ?? null };
}

function streamingOf(config: CreateBotBody['streaming_config']): RunnerConfiguration['streaming_config'] {
  if (config === null) return null;
  const { mode, input_url, output_url, audio_frequency } = config;
  return streamingConfiguration.parse({ mode, input_url, output_url, audio_frequency: audio_frequency ?? 24_000 });
}

/** Settings for a stored login in a deployment that stores none, as a failure, or null. */
function findMissingLogins(body: CreateBotBody, storesLogins: boolean): Failure | null {
  const wanted = wantedLogin(body);
  if (storesLogins || wanted === null || wanted.fallback === 'anonymous') return null;
  return loginUnavailable(wanted, 'This deployment stores no logins.');
}
