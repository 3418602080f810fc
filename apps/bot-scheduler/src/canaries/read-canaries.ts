import type { MeetingPlatformName } from '@rapporteur/contracts';
import { Failure } from '@rapporteur/failures';
import { readLink } from '../admission/prepare-bot.ts';
import type { PrepareDependencies } from '../admission/prepare-bot.ts';
import type { ConfiguredCanary } from './canary-config.ts';

/** A canary whose link is known to lead to a meeting. */
export interface Canary extends ConfiguredCanary {
  readonly platform: MeetingPlatformName;
}

/** Throws a sentence for a link that leads to no meeting, and for a login that cannot be used there. */
export function readCanaries(
  configured: readonly ConfiguredCanary[],
  { simulatorLinkHosts, logins = null }: Pick<PrepareDependencies, 'simulatorLinkHosts' | 'logins'>,
): readonly Canary[] {
  return configured.map((one) => {
    const field = `RAPPORTEUR_CANARIES: ${one.name}`;
    const link = readLink({ simulatorLinkHosts }, one.link);
    if (link instanceof Failure) throw new Error(`${field}/link leads to no meeting. ${link.message}`);
    const { platform } = link;
    if (one.login !== undefined && platform === 'zoom')
      throw new Error(`${field}/login is for Google Meet and Microsoft Teams; bots join Zoom without one.`);
    if (one.login !== undefined && logins === null)
      throw new Error(`${field}/login is given, but this deployment stores no logins: set RAPPORTEUR_SSO_IDP_URL.`);
    return { ...one, platform };
  });
}
