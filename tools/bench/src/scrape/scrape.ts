import { setTimeout as sleep } from 'node:timers/promises';
import { Operator, startServiceStack } from '@rapporteur/api-fuzz';
import { writeLeases } from '../leases/leases.ts';
import { exactCpuMsOf } from '../measure/cpu.ts';
import { environmentOf } from '../measure/environment.ts';
import { machine } from '../measure/figures.ts';

const goal = 0.02;
/** Prometheus' usual interval. */
const usualIntervalSeconds = 15;
/** Gauges are read from the database at most once in this time: a shorter interval would not measure them. */
const scrapeEverySeconds = 5;
/** Services have a base load: the cost of such a window without a scrape is subtracted. */
const windowMs = 1_000;
const notServices: ReadonlySet<string> = new Set(['nats', 'simulator']);

/** The cost of scraping every service while so many bots run: CPU of services and PostgreSQL, per scrape. */
export async function measureScrape(options: {
  readonly bots: number;
  readonly seconds: number;
  readonly say: (text: string) => void;
}): Promise<void> {
  const { bots, seconds, say } = options;
  say(machine());
  const stack = await startServiceStack({ gateways: 1, say });
  const operator = await Operator.open(stack);
  try {
    // Their leases would expire after 90 seconds: what is measured takes less.
    await writeLeases(operator, stack.gatewayUrls[0] ?? '', bots);
    await operator.query('vacuum analyze bots.bots');
    const addresses = [...stack.pids()].flatMap(([name, pid]) => metricsAddressOf(name, pid));
    for (const { url } of addresses) await scrape(url);
    const pids = [...stack.pids()].filter(([name]) => !notServices.has(name)).map(([, pid]) => pid);
    const cost = async (work: () => Promise<void>): Promise<number> => {
      let usedMs = 0;
      for (let second = 0; second < seconds; second += scrapeEverySeconds) {
        await sleep(scrapeEverySeconds * 1_000);
        const before = exactCpuMsOf(pids);
        await Promise.all([work(), sleep(windowMs)]);
        usedMs += exactCpuMsOf(pids) - before;
      }
      return usedMs / (seconds / scrapeEverySeconds);
    };
    const idleMs = await cost(async () => undefined);
    let bytes = 0;
    const busyMs = await cost(async () => {
      const sizes = await Promise.all(addresses.map(({ url }) => scrape(url)));
      bytes = sizes.reduce((sum, size) => sum + size, 0);
    });
    const perScrapeMs = Math.max(0, busyMs - idleMs);
    const share = perScrapeMs / (usualIntervalSeconds * 1_000);
    say(`${addresses.length} services (${addresses.map(({ name }) => name).join(', ')}), ${bots} bots that record`);
    say(
      `CPU in ${windowMs} ms without a scrape: ${idleMs.toFixed(1)} ms; with a scrape of all: ${busyMs.toFixed(1)} ms`,
    );
    say(`one scrape of all: ${perScrapeMs.toFixed(1)} ms of CPU, ${bytes} bytes`);
    say(
      `every ${usualIntervalSeconds} s: ${(share * 100).toFixed(2)} % of one core; goal <= ${goal * 100} %: ${share <= goal ? 'met' : 'missed'}`,
    );
    say(machine());
  } finally {
    await operator.close();
    await stack.stop();
  }
}

/** From the settings of a running service: its public ports and the admin port. */
function metricsAddressOf(name: string, pid: number): { readonly name: string; readonly url: string }[] {
  const environment = environmentOf(pid);
  const port = environment.get('RAPPORTEUR_ADMIN_PORT') ?? environment.get('RAPPORTEUR_PORT');
  return port === undefined ? [] : [{ name, url: `http://127.0.0.1:${port}/metrics` }];
}

async function scrape(url: string): Promise<number> {
  const response = await fetch(url, { headers: { accept: 'application/openmetrics-text' } });
  const text = await response.text();
  if (!response.ok || !text.includes('rapporteur_')) throw new Error(`${url} gave no metrics.`);
  return text.length;
}
