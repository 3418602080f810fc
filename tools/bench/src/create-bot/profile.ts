import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Sender } from '@rapporteur/api-fuzz';
import type { ServiceStack } from '@rapporteur/api-fuzz';
import { sendAll } from './load.ts';
import type { Load } from './load.ts';

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
}

const shown = 14;
const idle = new Set(['(idle)', '(program)', '(root)']);

/** CPU profile of a separate gateway and scheduler while they handle accepted requests. */
export async function topFunctions(stack: ServiceStack, load: Load, requests: number): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rapporteur-profile-'));
  try {
    const inFolder = (name: string) => ['--cpu-prof', `--cpu-prof-dir=${join(folder, name)}`];
    const scheduler = await stack.startCopy('bot-scheduler', { nodeArguments: inFolder('bot-scheduler') });
    const gateway = await stack.startCopy('api-gateway', {
      settings: { RAPPORTEUR_BOT_SCHEDULER_URL: scheduler.url },
      nodeArguments: inFolder('api-gateway'),
    });
    const sender = new Sender(gateway.url);
    await sendAll(sender, load, requests);
    sender.close();
    await gateway.stop();
    await scheduler.stop();
    return ['api-gateway', 'bot-scheduler'].flatMap((name) => [
      `${name}, self time while busy:`,
      ...linesOf(join(folder, name)),
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function linesOf(folder: string): string[] {
  const [file] = readdirSync(folder);
  if (file === undefined) return ['  no profile was written'];
  const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile;
  return sharesOf(profile)
    .slice(0, shown)
    .map(([place, share]) => `  ${(share * 100).toFixed(1).padStart(5)} %  ${place}`);
}

/** Share of the busy samples by function, the largest first. */
export function sharesOf(profile: Profile): [place: string, share: number][] {
  const places = new Map(
    profile.nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
      const file = url.replace(/^.*\/(?=(?:node_modules|apps|libs)\/)/, '');
      return [
        id,
        `${functionName === '' ? '(anonymous)' : functionName} ${file === '' ? '' : `${file}:${lineNumber + 1}`}`.trim(),
      ];
    }),
  );
  const counts = new Map<string, number>();
  for (const sample of profile.samples) {
    const place = places.get(sample) ?? '(unknown)';
    if (!idle.has(place)) counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  const busy = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...counts]
    .map(([place, count]): [string, number] => [place, count / busy])
    .toSorted(([, left], [, right]) => right - left);
}
