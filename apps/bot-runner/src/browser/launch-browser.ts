import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { promisify, stripVTControlCharacters } from 'node:util';
import type { BotInvocation } from '@rapporteur/contracts';
import { environmentWith, withDeadline } from '@rapporteur/service-runtime/process';
import type { BrowserContext, Page } from 'playwright-core';

/**
 * Chromium uses only the last of several lists, so this one repeats Playwright's list and adds the features that a bot disables.
 */
const featuresOff = [
  // No device plays audio: its process costs memory, and a switch between processes for each 10 ms of audio.
  'AudioServiceOutOfProcess',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  // A spare process for a page of another site: a bot opens one page.
  'SpareRendererForSitePerProcess',
  'ThirdPartyStoragePartitioning',
  'Translate',
  // Omnibox popups, which are not visible: pages with a process of their own.
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
];

interface ChromiumRoutes {
  readonly simulator: BotInvocation['simulator'];
  readonly proxy: BotInvocation['outbound']['proxy'];
}

/** The arguments of a bot's Chromium beside Playwright's own. The browser does not disguise itself. */
export function chromiumArguments({ simulator, proxy }: ChromiumRoutes): string[] {
  const features = simulator === null ? featuresOff : [...featuresOff, 'WebRtcHideLocalIpsWithMdns'];
  return [
    '--disable-gpu',
    '--disable-quic',
    '--autoplay-policy=no-user-gesture-required',
    // No device plays audio, but the tab must have it: in a muted browser a tab is captured without audio.
    '--disable-audio-output',
    // A page may capture its own tab and no other: the `tab` strategy records the painted page.
    '--auto-accept-this-tab-capture',
    '--lang=en-US',
    '--accept-lang=en-US,en',
    `--disable-features=${features.join(',')}`,
    ...(simulator === null ? [] : simulatorArguments(simulator)),
    ...(proxy === null ? [] : proxyArguments(proxy)),
  ];
}

/** Loopback is never proxied. Media over UDP goes directly. */
function proxyArguments({ http, https, exceptions }: NonNullable<ChromiumRoutes['proxy']>): string[] {
  const servers = [...(http === null ? [] : [`http=${http}`]), ...(https === null ? [] : [`https=${https}`])];
  // A leading dot means all names below, and here without the name itself.
  const bypass = exceptions.flatMap((text) => (text.startsWith('.') ? [text.slice(1), text] : [text]));
  return [
    `--proxy-server=${servers.join(';')}`,
    ...(bypass.length === 0 ? [] : [`--proxy-bypass-list=${bypass.map(bracketed).join(';')}`]),
  ];
}

const bracketed = (text: string): string => (isIP(text) === 6 ? `[${text}]` : text);

/** Routes this browser, and no other, to a simulator on this machine under the real host names. */
function simulatorArguments(simulator: NonNullable<BotInvocation['simulator']>): string[] {
  return [
    `--host-resolver-rules=${simulator.hostResolverRules}`,
    `--ignore-certificate-errors-spki-list=${simulator.certificateSpki}`,
    '--allow-loopback-in-peer-connection',
  ];
}

export interface BrowserOptions {
  readonly executablePath: string;
  readonly profileFolder: string;
  /** Chromium's own sandbox; default true. Not available to root. */
  readonly sandbox?: boolean;
  readonly simulator: BotInvocation['simulator'];
  /** PEM file of certificate authorities to trust on this machine beside the public ones. */
  readonly caFile?: string | null;
  /** Absent or null: direct connections. */
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

const run = promisify(execFile);
const commandTimeoutMs = 10_000;
/** A bundle of all public authorities has fewer. */
const mostAuthorities = 500;
const [beginning, ending] = ['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----'] as const;

/**
 * Makes a Chromium whose HOME is `homeFolder` trust the authorities of a PEM file, beside its built-in ones. Chromium
 * on Linux reads them from an NSS database, which only NSS's certutil writes. Rejects with a message for the operator.
 */
async function trustAuthorities(caFile: string, homeFolder: string): Promise<void> {
  const text = await readFile(caFile, 'utf8');
  const given = certificatesIn(text);
  if (given.length === 0) throw new Error(`${caFile} has no certificate in PEM.`);
  const known = new Set(rootCertificates.map(withoutSpaces));
  const own = given.filter((certificate) => !known.has(withoutSpaces(certificate)));
  if (own.length > mostAuthorities)
    throw new Error(`${caFile} has ${own.length} authorities that are not well known; at most ${mostAuthorities}.`);
  // Chromium 146 and newer have another folder, and still prefer this one where it exists.
  const folder = join(homeFolder, '.pki/nssdb');
  await mkdir(folder, { recursive: true });
  await certutil('-N', '-d', `sql:${folder}`, '--empty-password');
  // CP: an authority, or a server's own certificate, as Node accepts it.
  for (const [index, certificate] of own.entries()) {
    const file = join(folder, `authority-${index}.pem`);
    await writeFile(file, `${certificate}\n`);
    await certutil('-A', '-d', `sql:${folder}`, '-n', `authority ${index}`, '-t', 'CP,,', '-a', '-i', file);
  }
}

const withoutSpaces = (certificate: string): string => certificate.replaceAll(/\s/g, '');

async function certutil(...args: readonly string[]): Promise<void> {
  try {
    await run('certutil', args, { timeout: commandTimeoutMs });
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    const reason = code === 'ENOENT' ? 'it is not installed (Debian: libnss3-tools)' : stderr.trim().slice(0, 300);
    throw new Error(`certutil cannot add an authority to Chromium's store: ${reason}`, { cause: error });
  }
}

function certificatesIn(pem: string): string[] {
  const parts = pem.split(beginning).slice(1);
  return parts.flatMap((part) => {
    const end = part.indexOf(ending);
    return end < 0 ? [] : [`${beginning}${part.slice(0, end)}${ending}`];
  });
}
