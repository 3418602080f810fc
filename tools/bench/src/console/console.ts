import { Operator, startServiceStack } from '@rapporteur/api-fuzz';
import { findChromium } from '@rapporteur/local-stack/chromium';
import { chromium } from 'playwright-core';
import type { Page } from 'playwright-core';
import { generateBots } from '../lists/generate-bots.ts';
import { machine, reported } from '../measure/figures.ts';

export interface ConsoleOptions {
  readonly bots: number;
  readonly repeats: number;
  readonly say: (text: string) => void;
}

const waitMs = 30_000;
const rowsPerPage = 50;
const firstRow = `document.querySelector('tbody th a')?.getAttribute('href')`;
const observeTasks = `globalThis.longTasks = [];
  new PerformanceObserver((list) => globalThis.longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true });`;

/**
 * The list of bots in a browser with so many bots: time until a page, a filter and a scroll are shown, and size of the
 * document.
 */
export async function measureConsole({ bots, repeats, say }: ConsoleOptions): Promise<void> {
  say(machine());
  const stack = await startServiceStack({ gateways: 1, say });
  const operator = await Operator.open(stack);
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const url = stack.gatewayUrls[0] ?? '';
    await operator.addPlan({ name: 'bench-wide', requestsPerSecond: 1_000, dailyBotCap: 10_000_000 });
    const team = await operator.addTeam('bench', { plan: 'bench-wide', tokens: 3_600_000_000 });
    const pattern = await operator.createBot(team.keys.full, {
      bot_name: 'Pattern',
      meeting_url: 'https://meet.google.com/abc-defg-hij',
    });
    const left = await fetch(`${url}/v2/bots/${pattern}/leave`, {
      method: 'POST',
      headers: { 'x-service-api-key': team.keys.full },
      signal: AbortSignal.timeout(waitMs),
    });
    if (!left.ok) throw new Error(`The bot to copy could not be ended: ${await left.text()}`);
    await generateBots(operator, { pattern, count: bots, say });
    const page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
    page.setDefaultTimeout(waitMs);
    await page.addInitScript(observeTasks);
    await signIn(page, url, team.keys.full);
    await measureList(new List(page, url), { bots, repeats, say });
    say(machine());
  } finally {
    await browser.close();
    await operator.close();
    await stack.stop();
  }
}

async function signIn(page: Page, url: string, key: string): Promise<void> {
  await page.goto(`${url}/console`);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('tbody tr').first().waitFor();
}

async function measureList(list: List, { bots, repeats, say }: ConsoleOptions): Promise<void> {
  const opened: number[] = [];
  const turned: number[] = [];
  const named: number[] = [];
  const chosen: number[] = [];
  for (let turn = 0; turn < repeats; turn += 1) opened.push(await list.open());
  for (let turn = 0; turn < repeats; turn += 1)
    turned.push(await list.after((page) => page.getByRole('button', { name: 'Older' }).click()));
  const elements = await list.elements();
  for (let turn = 0; turn < repeats; turn += 1) {
    await list.open();
    const name = `weekly ${Math.floor((bots / (repeats + 1)) * (turn + 1))}`;
    named.push(await list.after((page) => page.getByLabel('Bot name').fill(name)));
    await list.open();
    chosen.push(await list.after((page) => page.getByLabel('Status').selectOption('completed')));
  }
  await list.open();
  const scroll = await list.scroll();
  say(`${bots} bots of one team, ${rowsPerPage} a page, ${repeats} rounds; milliseconds until the rows are shown`);
  say(
    `open ${reported(opened, 0)}; older page ${reported(turned, 0)}; name ${reported(named, 0)}; status ${reported(chosen, 0)}`,
  );
  say(
    `elements of the document ${elements}; frames of a scroll ${reported(scroll, 1)} ms; longest task ${await list.longestTask()} ms`,
  );
}

/** The list of bots as a browser shows it. */
class List {
  readonly #page: Page;
  readonly #url: string;

  constructor(page: Page, url: string) {
    this.#page = page;
    this.#url = url;
  }

  async open(): Promise<number> {
    const startedAt = performance.now();
    await this.#page.goto(`${this.#url}/console/`);
    await this.#shown(`document.querySelectorAll('tbody tr').length === ${rowsPerPage}`);
    return performance.now() - startedAt;
  }

  /** Milliseconds until another first row is shown. */
  async after(act: (page: Page) => Promise<unknown>): Promise<number> {
    const before = await this.#page.evaluate(firstRow);
    const startedAt = performance.now();
    await act(this.#page);
    await this.#shown(`${firstRow} !== undefined && ${firstRow} !== ${JSON.stringify(before)}`);
    return performance.now() - startedAt;
  }

  /**
   * Resolves in the frame in which the condition holds. The page's policy forbids eval, which Playwright's own waiting
   * uses.
   */
  async #shown(condition: string): Promise<void> {
    await this.#page.evaluate(`new Promise((resolve, reject) => {
      const until = performance.now() + ${waitMs};
      const check = () => {
        if (${condition}) resolve();
        else if (performance.now() > until) reject(new Error('The rows are not shown in time.'));
        else requestAnimationFrame(check);
      };
      check();
    })`);
  }

  async elements(): Promise<number> {
    return (await this.#page.evaluate(`document.getElementsByTagName('*').length`)) as number;
  }

  /** Milliseconds of each frame while the page scrolls to its end. */
  async scroll(): Promise<number[]> {
    return (await this.#page.evaluate(`new Promise((resolve) => {
      const frames = [];
      let last = performance.now();
      const step = (at) => {
        frames.push(at - last);
        last = at;
        scrollBy(0, 40);
        if (frames.length >= 60) resolve(frames.slice(1));
        else requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
    })`)) as number[];
  }

  /** Of the newest document; a task of less than 50 ms counts as 0. */
  async longestTask(): Promise<number> {
    return (await this.#page.evaluate('Math.round(Math.max(0, ...globalThis.longTasks))')) as number;
  }
}
