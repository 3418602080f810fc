import { fail } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';
import { loginUnavailable, wantedLogin } from '../stored-logins/wanted-login.ts';
import type { CreateBotBody } from './create-bot-body.ts';

interface Requirement {
  readonly field: string;
  readonly requested: (body: CreateBotBody) => boolean;
  readonly sentence: string;
}

const notYet: readonly Requirement[] = [
  {
    field: 'streaming_config/mode',
    requested: (body) => body.streaming_enabled && body.streaming_config?.mode === 'transcription',
    sentence: 'This deployment does not stream transcripts yet. Use mode audio.',
  },
];

/** What was requested and this deployment cannot do, as the failure to respond with, or null. Nothing is accepted and then dropped. */
export function findUnsupportedFeature(body: CreateBotBody): Failure | null {
  const missing = notYet.find((requirement) => requirement.requested(body));
  if (missing === undefined) return null;
  return fail('NOT_CONFIGURED_YET', { message: missing.sentence, details: `/body/${missing.field}` });
}

/** Settings for a stored login in a deployment that stores none, as the failure to respond with, or null. */
export function findMissingLogins(body: CreateBotBody, storesLogins: boolean): Failure | null {
  const wanted = wantedLogin(body);
  if (storesLogins || wanted === null || wanted.fallback === 'anonymous') return null;
  return loginUnavailable(wanted, 'This deployment stores no logins.');
}
