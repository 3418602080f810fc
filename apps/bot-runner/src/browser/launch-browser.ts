import { stripVTControlCharacters } from 'node:util';
import type { BotInvocation } from '@rapporteur/contracts';
import { environmentWith, withDeadline } from '@rapporteur/service-runtime/process';
import type { BrowserContext, Page } from 'playwright-core';
import { chromiumArguments } from './chromium-arguments.ts';
import { trustAuthorities } from './trust-authorities.ts';

export interface BrowserOptions {
  readonly executablePath: string;
  readonly profileFolder: string;
  /** Chromium's own sandbox; default true. Unavailable to root. */
  readonly sandbox?: boolean;
  readonly simulator: BotInvocation['simulator'];
  /** PEM file of certificate authorities to trust on this machine beside the public ones. */
  readonly caFile?: string | null;
  /** The way out of this network; absent or null: directly. */
  readonly proxy?: BotInvocation['outbound']['proxy'];
}

export interface RunningBrowser {
  /** The initial page. */
  readonly page: Page;
  /** Opens another page. @throws Error when the browser is gone, or does not respond within 10 s */
  newPage(): Promise<Page>;
  /**
   * Takes at most 5 s. Playwright kills a browser that does not close, at the latest when this process exits.
   * Idempotent.
   */
  close(): Promise<void>;
}

const launchTimeoutMs = 30_000;
const closeTimeoutMs = 5_000;
const newPageTimeoutMs = 10_000;
const windowSize = { width: 1280, height: 720 } as const;

/** Starts Chromium with one blank page of 1280x720. Rejects with a message for the operator when it does not start. */
export async function launchBrowser(options: BrowserOptions): Promise<RunningBrowser> {
  const context = await launch(options);
  const page = context.pages()[0] ?? (await context.newPage());
  let closing: Promise<void> | null = null;
  return {
    page,
    newPage: () => withDeadline(context.newPage(), newPageTimeoutMs, 'Opening another page'),
    close: () =>
      (closing ??= withDeadline(context.close(), closeTimeoutMs, 'Closing the browser').catch(() => undefined)),
  };
}

async function launch({
  executablePath,
  profileFolder,
  simulator,
  sandbox = true,
  caFile = null,
  proxy = null,
}: BrowserOptions): Promise<BrowserContext> {
  // Imported here only: it takes a third of a second to load, and a run that finishes a recording needs no browser.
  const { chromium } = await import('playwright-core');
  const homeFolder = `${profileFolder}-home`;
  if (caFile !== null) await trustAuthorities(caFile, homeFolder);
  try {
    return await chromium.launchPersistentContext(profileFolder, {
      executablePath,
      ...(caFile === null ? {} : { env: environmentWith({ HOME: homeFolder }) }),
      timeout: launchTimeoutMs,
      // Chromium refuses its sandbox to root.
      chromiumSandbox: sandbox && process.getuid?.() !== 0,
      args: chromiumArguments({ simulator, proxy }),
      // A muted tab has no audio to record.
      ignoreDefaultArgs: ['--mute-audio'],
      viewport: windowSize,
      acceptDownloads: false,
      // The bot leaves the meeting before its browser ends.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
  } catch (error) {
    throw new Error(
      `Chromium did not start from ${executablePath}: ${reasonIn(stripVTControlCharacters((error as Error).message))} Set RAPPORTEUR_CHROMIUM_PATH to a Chromium that runs here.`,
      { cause: error },
    );
  }
}

/** The last error line of the browser, otherwise the first line of Playwright's message. */
function reasonIn(message: string): string {
  const written = [...message.matchAll(/\[err\] (.*)/g)].at(-1)?.[1];
  const [first = ''] = message.split('\n');
  return `${written ?? first.replace(/^[\w.]+: /, '')}.`;
}
