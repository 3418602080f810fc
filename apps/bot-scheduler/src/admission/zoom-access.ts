import { fail } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';
import { invalid } from '@rapporteur/service-runtime';
import type { CredentialClient } from '../service-clients.ts';
import type { CreateBotBody } from '../schema/create-bot-body.ts';

/** How this deployment can join Zoom meetings, other than as a guest. */
export interface ZoomAccess {
  /** The operator configured a Meeting SDK app. */
  readonly sdk: boolean;
  /** Client of the service that stores customers' credentials; null: not deployed. */
  readonly credentials: Pick<CredentialClient, 'status'> | null;
}

const guestsOnly: ZoomAccess = { sdk: false, credentials: null };
const methods = ['credential_id', 'credential_user_id', 'obf_token', 'obf_token_url', 'zak_token_url'] as const;
const stored: readonly string[] = ['credential_id', 'credential_user_id'];

/** Why the join methods of `alpha_config` cannot be used, as a failure, or null. */
export function findZoomRefusal(body: CreateBotBody, access: ZoomAccess = guestsOnly): Failure | null {
  const config = body.alpha_config ?? {};
  const set = methods.filter((method) => config[method] !== undefined);
  const [method, another] = set;
  if (method === undefined) return null;
  if (another !== undefined) {
    return invalid(
      `alpha_config.${another}`,
      `It selects another way to join than ${method}, which is set too. Set one of them only.`,
    );
  }
  if (stored.includes(method) && access.credentials === null) {
    return notConfigured(
      method,
      `This deployment stores no Zoom credentials, so ${method} leads to none. Use obf_token, obf_token_url or zak_token_url.`,
    );
  }
  if (!access.sdk && !bringsOwnApp(body)) {
    return notConfigured(
      method,
      `This deployment joins Zoom meetings as a guest: it has no Meeting SDK app, which ${method} needs. Leave alpha_config out, or ask your operator to configure one.`,
    );
  }
  return method === 'obf_token' ? findBrokenToken(config.obf_token ?? '') : null;
}

const longestToken = 8_192;

function findBrokenToken(token: string): Failure | null {
  if (/^[\x21-\x7e]+$/.test(token) && token.length <= longestToken) return null;
  return invalid(
    'alpha_config.obf_token',
    `A token is ASCII text without spaces, at most ${longestToken} characters long.`,
  );
}

/** A customer's own SDK app; the legacy API only. */
export function bringsOwnApp({ legacy }: CreateBotBody): boolean {
  return legacy !== null && legacy.alpha_sdk_id !== null && legacy.alpha_sdk_pwd !== null;
}

function notConfigured(method: string, message: string): Failure {
  return fail('NOT_CONFIGURED_YET', { message, details: `alpha_config.${method}` });
}
