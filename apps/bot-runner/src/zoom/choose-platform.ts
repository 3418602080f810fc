import type { BotInvocation, PagePack } from '@rapporteur/contracts';
import { createPlatform, createZoomSdkPlatform } from '@rapporteur/meeting-platforms';
import type { MeetingPlatform } from '@rapporteur/meeting-platforms';
import type { Clock, Logger } from '@rapporteur/service-runtime/process';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import { applyOverlay, builtInPagePack } from '@rapporteur/meeting-platforms/page-packs';
import { requestCredential } from '../bus/request-stored.ts';
import type { RequestBus } from '../bus/request-stored.ts';
import { ZoomTokens } from './zoom-tokens.ts';

export interface ChosenPlatform {
  readonly platform: MeetingPlatform;
  /** A Zoom bot's tokens, as a listener of its attendance; null for guests. */
  readonly tokens: ZoomTokens | null;
}

/**
 * How this bot joins: through the platform's web client, or through the Meeting SDK where its credentials permit that.
 */
export function choosePlatform(
  invocation: BotInvocation,
  ports: { readonly clock: Clock; readonly logger: Logger; readonly bus: RequestBus },
): ChosenPlatform {
  const { zoom, meeting, outbound, botId, attempt, fencing, simulator, configuration } = invocation;
  const pack = choosePagePack(invocation, ports.logger);
  if (zoom === null) return { platform: createPlatform(meeting.platform, pack), tokens: null };
  const http = createOutboundHttp(outbound);
  const { clock, logger, bus } = ports;
  const tokens = new ZoomTokens({
    zoom,
    botId,
    requestCredential: () => requestCredential(bus, { botId, attempt, fencing }),
    http,
    now: () => clock.now(),
    logger,
  });
  const platform = createZoomSdkPlatform({
    signature: () => tokens.signature,
    tokens: () => tokens.give(),
    pack,
    source: simulator === null ? 'package' : 'simulator',
    recordingResponseMs: configuration.timeout_config.waiting_room_timeout * 1_000,
  });
  return { platform, tokens };
}

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
