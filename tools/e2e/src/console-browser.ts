import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { findChromium } from '@rapporteur/local-stack/chromium';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, ConsoleMessage, Page } from 'playwright-core';

const require = createRequire(import.meta.url);
const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** A customer's browser that records policy violations of the console. */
export interface ConsoleBrowser {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Requests to other origins, blocked by the policy or not; errors and warnings of the page; dialogs. */
  readonly offences: string[];
  stop(): Promise<void>;
}

export async function openConsoleBrowser(origin: string): Promise<ConsoleBrowser> {
  const browser: Browser = await chromium.launch({
    executablePath: findChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--autoplay-policy=no-user-gesture-required',
    ],
  });
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  // For hangs only, as in waiting.ts.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const offences: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) offences.push(`request to ${request.url()}`);
  });
  page.on('console', (message) => {
    if (isLateLiveView(message)) return;
    if (message.type() === 'error' || message.type() === 'warning')
      offences.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => offences.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    offences.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, context, offences, stop: () => browser.close() };
}

/** A request of the live view may arrive when the bot has left (409), or get no response of a busy bot in time (503). */
function isLateLiveView(message: ConsoleMessage): boolean {
  return message.location().url.endsWith('/live') && /status of (?:409|503)/.test(message.text());
}

/** Signs in where that has not happened yet: a test may be repeated without the one that signs in. */
export async function signIn(page: Page, team: { readonly apiUrl: string; readonly apiKey: string }): Promise<void> {
  const key = page.getByLabel('API key');
  const menu = page.getByRole('navigation').getByRole('link', { name: 'Send a bot' });
  if (!page.url().startsWith(`${team.apiUrl}/console`)) await page.goto(`${team.apiUrl}/console/`);
  await key.or(menu).first().waitFor();
  if (!(await key.isVisible())) return;
  await key.fill(team.apiKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await menu.waitFor();
}

const widths = [1280, 390];
/** No other rule reads a colour. */
const rulesOf = [
  ['light', {}],
  ['dark', { runOnly: ['color-contrast', 'link-in-text-block'] }],
] as const;

/**
 * Writes screenshots of a page at both widths into `folder`, and returns its problems: serious findings of axe in both
 * colour schemes, and content wider than the window.
 */
export async function inspectPage(page: Page, name: string, folder: string): Promise<string[]> {
  const problems: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    for (const [colorScheme, rules] of rulesOf) {
      await page.emulateMedia({ colorScheme });
      const findings = await axeFindings(page, rules);
      problems.push(...findings.map((finding) => `${name}, ${width} px, ${colorScheme}: ${finding}`));
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.screenshot({ path: join(folder, `${name}-${width}.png`), fullPage: true });
    const beyond = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
    if (beyond > 0) problems.push(`${name}, ${width} px: ${beyond} px wider than the window`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  return problems;
}

async function axeFindings(page: Page, rules: object): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(axeSource);
  return (await page.evaluate(`axe.run({ resultTypes: ['violations'], ...${JSON.stringify(rules)} }).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ' ' + nodes[0].html.slice(0, 200)))`)) as string[];
}
