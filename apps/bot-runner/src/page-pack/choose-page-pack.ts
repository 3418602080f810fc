import type { BotInvocation, PagePack } from '@rapporteur/contracts';
import { applyOverlay, builtInPagePack } from '@rapporteur/meeting-platforms/page-packs';
import type { Logger } from '@rapporteur/service-runtime/process';

/**
 * This build's page pack with the changes that the invocation brings. Changes for another build, or broken ones, are
 * left out: a bot with the built-in pack may still get in.
 */
export function choosePagePack({ meeting, pagePack }: BotInvocation, logger: Pick<Logger, 'warn' | 'info'>): PagePack {
  const builtIn = builtInPagePack(meeting.platform);
  if (pagePack === null) return builtIn;
  try {
    const pack = applyOverlay(builtIn, pagePack);
    logger.info({ pagePackVersion: pack.version }, `The page pack of this bot is ${pack.version}.`);
    return pack;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    logger.warn(
      { err: error, pagePackVersion: builtIn.version },
      `The page pack ${pagePack.version} is not used, but the built-in one ${builtIn.version}. ${why}`,
    );
    return builtIn;
  }
}
