import { join } from 'node:path';
import type { BotInvocation } from '@rapporteur/contracts';
import { withDeadline } from '@rapporteur/service-runtime/process';
import type { BrowserContext, Page } from 'playwright-core';

export interface BrowserOptions {
  readonly executablePath: string;
  readonly profileFolder: string;
  readonly simulator: BotInvocation['simulator'];
}

export interface RunningBrowser {
  /** The one it began with. */
  readonly page: Page;
  /** Another one. @throws Error when the browser is gone, or does not answer within 10 s */
  newPage(): Promise<Page>;
  /** Takes at most 5 s, then the processes are killed. Safe twice. */
  close(): Promise<void>;
}

const launchTimeoutMs = 30_000;
const closeTimeoutMs = 5_000;
const newPageTimeoutMs = 10_000;

/** What Playwright switches off, less what a recording bot does not need; a second list replaces the first. */
const featuresOff = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'Translate',
];

/** Chromium's command line beyond what Playwright sets. No disguise: the browser says what it is. */
export function chromiumArguments(simulator: BotInvocation['simulator']): string[] {
  const features = simulator === null ? featuresOff : [...featuresOff, 'WebRtcHideLocalIpsWithMdns'];
  return [
    '--disable-gpu',
    '--disable-quic',
    '--autoplay-policy=no-user-gesture-required',
    '--lang=en-US',
    '--accept-lang=en-US,en',
    `--disable-features=${features.join(',')}`,
    ...(simulator === null ? [] : simulatorArguments(simulator)),
  ];
}

/** Leads this browser, and no other, to a simulator on this machine under the real host names. */
function simulatorArguments(simulator: NonNullable<BotInvocation['simulator']>): string[] {
  return [
    `--host-resolver-rules=${simulator.hostResolverRules}`,
    `--ignore-certificate-errors-spki-list=${simulator.certificateSpki}`,
    '--allow-loopback-in-peer-connection',
  ];
}

/** Starts Chromium with one blank page of 1280x720. Rejects with words for the operator when it does not start. */
export async function launchBrowser(options: BrowserOptions): Promise<RunningBrowser> {
  const { chromium } = await import('playwright-core');
  let context: BrowserContext;
  try {
    context = await chromium.launchPersistentContext(join(options.profileFolder), {
      executablePath: options.executablePath,
      headless: true,
      // Chromium refuses its sandbox to root.
      chromiumSandbox: process.getuid?.() !== 0,
      args: chromiumArguments(options.simulator),
      viewport: { width: 1280, height: 720 },
      locale: 'en-US',
      timeout: launchTimeoutMs,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
  } catch (error) {
    const why = (error as Error).message.split('\n')[0] ?? '';
    throw new Error(
      `Chromium did not start from ${options.executablePath}: ${why} Set RAPPORTEUR_CHROMIUM_PATH to a Chromium that runs here.`,
      { cause: error },
    );
  }
  const page = context.pages()[0] ?? (await context.newPage());
  return {
    page,
    newPage: () => withDeadline(context.newPage(), newPageTimeoutMs, 'Opening another page'),
    close: () => closeWithin(context, closeTimeoutMs),
  };
}

async function closeWithin(context: BrowserContext, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([context.close().catch(() => undefined), late]);
  clearTimeout(timer);
}
