import type { MeetingPlatformName } from '@rapporteur/contracts';
import { Failure } from '@rapporteur/failures';
import { readLink } from '../admission/prepare-bot.ts';
import type { ConfiguredCanary } from './canary-config.ts';

/** A canary whose link is known to lead to a meeting. */
export interface Canary extends ConfiguredCanary {
  readonly platform: MeetingPlatformName;
}

/** Throws a sentence for a link that leads to no meeting. */
export function readCanaries(
  configured: readonly ConfiguredCanary[],
  simulatorLinkHosts: readonly string[],
): readonly Canary[] {
  return configured.map((one) => {
    const link = readLink({ simulatorLinkHosts }, one.link);
    if (link instanceof Failure)
      throw new Error(`RAPPORTEUR_CANARIES: ${one.name}/link leads to no meeting. ${link.message}`);
    return { ...one, platform: link.platform };
  });
}
