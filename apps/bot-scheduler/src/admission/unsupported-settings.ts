import { fail } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';
import type { CreateBotBody } from './create-bot-body.ts';

interface Requirement {
  readonly field: string;
  readonly asked: (body: CreateBotBody) => boolean;
  readonly sentence: string;
}

const notYet: readonly Requirement[] = [
  {
    field: 'streaming_config/mode',
    asked: (body) => body.streaming_enabled && body.streaming_config?.mode === 'transcription',
    sentence: 'This deployment does not stream transcripts yet. Use mode audio.',
  },
];

/** What was asked for and this deployment cannot do, as the failure to answer with, or null. Nothing is accepted and then dropped. */
export function findUnsupportedFeature(body: CreateBotBody): Failure | null {
  const missing = notYet.find((requirement) => requirement.asked(body));
  if (missing === undefined) return null;
  return fail('NOT_CONFIGURED_YET', { message: missing.sentence, details: `/body/${missing.field}` });
}

/** How a bot gets in: without a login, or as the customer's fallback says because no login is active here. */
export type Credential = 'none-wanted' | 'anonymous-fallback' | Failure;

export function findCredential({ meet_config, teams_config }: CreateBotBody): Credential {
  const field = meet_config === null ? 'teams_config' : 'meet_config';
  const config = meet_config ?? teams_config;
  if (config === null) return 'none-wanted';
  if (config.fallback === 'anonymous') return 'anonymous-fallback';
  const platform = meet_config === null ? 'Teams' : 'meet';
  return fail('MEET_LOGIN_UNAVAILABLE', {
    message: `No active ${platform} login is there for this bot. Set ${field}.fallback to anonymous, or leave ${field} out.`,
    details: `/body/${field}`,
  });
}
