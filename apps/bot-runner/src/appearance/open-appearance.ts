import type { BotInvocation } from '@rapporteur/contracts';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import type { Clock, Logger } from '@rapporteur/service-runtime/process';
import type { RunningBrowser } from '../browser/launch-browser.ts';
import { Appearance } from './appearance.ts';
import { fetchImage } from './fetch-image.ts';
import { inspectImage } from './inspect-image.ts';
import { scaleImage } from './scale-image.ts';

export interface OpenAppearancePorts {
  readonly browser: () => Promise<Pick<RunningBrowser, 'newPage'>>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The images that an invocation requests, under its address rules; null when it requests none. Never throws. */
export function openAppearance(
  { configuration, outbound }: BotInvocation,
  ports: OpenAppearancePorts,
): Appearance | null {
  const { bot_image: images, bot_image_config: config } = configuration;
  if (images.length === 0) return null;
  const driver = openPage(outbound, ports.logger);
  if (driver === null) return null;
  // One at a time: a large image takes a lot of memory while it is decoded.
  let scaling: Promise<unknown> = Promise.resolve();
  return new Appearance(
    { images, config },
    {
      load: async (address, signal) => {
        const bytes = await fetchImage(driver, address, signal);
        const image = { bytes, contentType: inspectImage(bytes).contentType };
        const scaled = scaling.then(() => scaleImage(async () => await (await ports.browser()).newPage(), image));
        scaling = scaled.catch(() => undefined);
        return await scaled;
      },
      close: () => driver.close(),
      clock: ports.clock,
      logger: ports.logger,
    },
  );
}

function openPage(outbound: BotInvocation['outbound'], logger: Logger): OutboundHttp | null {
  try {
    return createOutboundHttp(outbound);
  } catch (error) {
    logger.error({ err: error }, "The runner's rules for addresses can't be used; the bot comes without an image.");
    return null;
  }
}
