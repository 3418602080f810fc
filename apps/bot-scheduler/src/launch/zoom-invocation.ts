import type { ZoomInvocation } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import type { SecretBox } from '@rapporteur/secret-box';
import type { BotRow } from '../schema/bot-entity.ts';
import { readSecrets } from '../credentials/bot-secrets.store.ts';
import type { SecretField } from '../credentials/split-secrets.ts';
import { chosenCredential } from '../credentials/chosen-credential.ts';
import type { CredentialFields } from '../credentials/chosen-credential.ts';
import { signSdkSignature } from '../credentials/sdk-signature.ts';
import type { SdkCredentials } from '../credentials/sdk-signature.ts';

export interface ZoomDependencies {
  readonly database: Executor;
  readonly box: SecretBox;
  /** The deployment's own SDK app; null: none. */
  readonly sdk: SdkCredentials | null;
}

interface KnownRequest {
  readonly alpha_config?:
    | (CredentialFields & { readonly obf_token_url?: string; readonly zak_token_url?: string })
    | null;
}

const secretFields = ['obf_token', 'alpha_sdk_id', 'alpha_sdk_pwd'] as const satisfies readonly SecretField[];

const nothing = { obfToken: null, obfTokenUrl: null, zakTokenUrl: null, storedCredential: false, sdk: null } as const;

/** The credentials that a Zoom bot joins with, or null for a guest. */
export async function zoomOf(
  dependencies: ZoomDependencies,
  bot: BotRow,
  nowMs: number,
): Promise<ZoomInvocation | null> {
  if (bot.meeting_platform !== 'zoom') return null;
  const { alpha_config: config } = bot.request as KnownRequest;
  // Its token is bound to its own app, whose signature is requested at the join.
  if (chosenCredential(bot.team_id, config) !== null) return { ...nothing, storedCredential: true, extra: bot.extra };
  const {
    obf_token: obfToken = null,
    alpha_sdk_id: ownKey = null,
    alpha_sdk_pwd: ownSecret = null,
  } = await readSecrets(dependencies, { teamId: bot.team_id, botId: bot.id }, secretFields);
  const obfTokenUrl = config?.obf_token_url ?? null;
  const zakTokenUrl = config?.zak_token_url ?? null;
  if ([obfToken, obfTokenUrl, zakTokenUrl, ownKey].every((given) => given === null)) return null;
  const own = ownKey === null || ownSecret === null ? null : { key: ownKey, secret: ownSecret };
  const credentials = own ?? dependencies.sdk;
  const sdk = credentials && {
    key: credentials.key,
    signature: await signSdkSignature(credentials, bot.meeting_id, nowMs),
  };
  return { ...nothing, obfToken, obfTokenUrl, zakTokenUrl, extra: bot.extra, sdk };
}
