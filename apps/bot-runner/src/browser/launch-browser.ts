import type { BotInvocation } from '@rapporteur/contracts';
import { withDeadline } from '@rapporteur/service-runtime/process';
import type { BrowserContext, Page } from 'playwright-core';
import { startChromium } from './chromium-process.ts';
import type { ChromiumProcess } from './chromium-process.ts';
import { chromiumArguments, windowSize } from './chromium-switches.ts';

export interface BrowserOptions {
  readonly executablePath: string;
  readonly profileFolder: string;
  /** Chromium's own; default true. Root has none. */
  readonly sandbox?: boolean;
  readonly simulator: BotInvocation['simulator'];
}

export interface RunningBrowser {
  /** The one it began with. */
  readonly page: Page;
  /** Over when that page has its size. It may be prepared meanwhile, and must not be opened before. */
  readonly sized: Promise<unknown>;
  /** Another one. @throws Error when the browser is gone, or does not respond within 10 s */
  newPage(): Promise<Page>;
  /** Takes at most 5 s, then the processes are killed. Safe twice. */
  close(): Promise<void>;
}

const launchTimeoutMs = 30_000;
const closeTimeoutMs = 5_000;
const newPageTimeoutMs = 10_000;

/**
 * Starts Chromium with one blank page of 1280x720, and loads Playwright while it starts: each takes a third of a second.
 * Rejects with words for the operator when it does not start.
 */
export async function launchBrowser(options: BrowserOptions): Promise<RunningBrowser> {
  const { executablePath, profileFolder, simulator, sandbox = true } = options;
  const chromium = startChromium(executablePath, chromiumArguments(simulator, profileFolder, sandbox));
  try {
    const context = await connect(chromium, profileFolder);
    const page = context.pages()[0] ?? (await context.newPage());
    const sizing = sized(page);
    sizing.catch(() => undefined);
    return {
      page,
      sized: sizing,
      newPage: () => withDeadline(context.newPage().then(sized), newPageTimeoutMs, 'Opening another page'),
      close: () => chromium.close(closeTimeoutMs),
    };
  } catch (error) {
    const why = (error as Error).message.split('\n')[0] ?? '';
    // One that hangs has nothing to save yet.
    await chromium.close(0);
    throw new Error(
      `Chromium did not start from ${executablePath}: ${why} Set RAPPORTEUR_CHROMIUM_PATH to a Chromium that runs here.`,
      { cause: error },
    );
  }
}

async function connect(chromium: ChromiumProcess, profileFolder: string): Promise<BrowserContext> {
  const playwright = await import('playwright-core');
  const browser = await Promise.race([
    playwright.chromium.connectOverCDP(chromium.transport, { timeout: launchTimeoutMs, artifactsDir: profileFolder }),
    chromium.ended.then((how) => {
      throw new Error(how);
    }),
  ]);
  const [context] = browser.contexts();
  if (context === undefined) throw new Error('it has no window.');
  return context;
}

async function sized(page: Page): Promise<Page> {
  await page.setViewportSize(windowSize);
  return page;
}
