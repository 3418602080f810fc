import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { shellBlocks, waitFor } from '@rapporteur/testbed';
import type { BotDetails } from './api-client.ts';
import { openDocumentedShell } from './documented-shell.ts';
import { createOwnTeam } from './shared-stack.ts';
import type { OwnTeam } from './shared-stack.ts';

const root = join(import.meta.dirname, '../../..');
const blocksOf = (page: string) => shellBlocks(readFileSync(join(root, page), 'utf8'));

/** What a reader puts in the place of these words. */
type Values = Readonly<Record<string, string>>;

interface Page {
  /** Shell blocks that run here. */
  readonly runs: number;
  /** Those that state why no test runs them. */
  readonly others: number;
  /** Before a block: waits for what it needs. `outputs`: of the blocks before it. */
  readonly before?: (block: string, outputs: readonly string[]) => Promise<Values>;
}

const readme = 'README.md';
const transcription = 'docs/guides/transcription.md';
const pages: Readonly<Record<string, Page>> = {
  [readme]: {
    runs: 6,
    others: 1,
    before: async (block, outputs) => {
      const values = {
        'THE URL FROM STEP 1': urlIn(outputs),
        THE_BOT_ID: botIn(outputs),
        // The local engine may still be being installed.
        '"transcription_enabled": true': `"transcription_enabled": true, "transcription_config": {"provider": "simulated-gladia"}`,
      };
      if (block.includes('/leave')) await team.api.waitForStatus(values.THE_BOT_ID, ['in_call_recording'], 60_000);
      return values;
    },
  },
  'docs/guides/calendars.md': { runs: 5, others: 0 },
  'docs/guides/privacy.md': {
    runs: 4,
    others: 0,
    before: async (block) => ({
      'THE MEETING URL': meetingUrl,
      ...(block.includes('delete-data') ? { THE_BOT_ID: await transcribedBot() } : {}),
    }),
  },
  'docs/guides/signed-in-bots.md': { runs: 5, others: 2 },
  [transcription]: {
    runs: 2,
    others: 1,
    before: async (block) => ({
      'THE URL': meetingUrl,
      // No test calls the vendor.
      soniox: 'simulated-soniox',
      ...(block.includes('retranscribe') ? { $BOT: (await recordedBot()).bot_id } : {}),
    }),
  },
  'docs/guides/webhooks.md': { runs: 1, others: 1 },
};
/** Pages of which nothing runs here, with the blocks that no test runs. That of the simulator runs against its own. */
const otherPages: Readonly<Record<string, number>> = {
  'clients/python/README.md': 1,
  'docs/guides/kubernetes.md': 5,
  'docs/guides/own-storage.md': 2,
  'docs/guides/platform-changes.md': 12,
  'docs/guides/simulator.md': 0,
  'docs/guides/zoom-credentials.md': 1,
  'docs/upgrading.md': 1,
  'libs/sdk/README.md': 1,
};

let team: OwnTeam;
let meetingUrl: string;
let recorded: Promise<BotDetails> | undefined;
/** The output of every block of a page, once all of them ran. */
const runs = new Map<string, Promise<readonly string[]>>();

beforeAll(async () => {
  team = await createOwnTeam();
  meetingUrl = (await team.simulator.startRoom({ speakers: 1 })).url;
  for (const [page, facts] of Object.entries(pages)) {
    if (!canRun(page)) continue;
    const run = runPage(page, facts);
    // It is the test of the page that fails.
    run.catch(() => undefined);
    runs.set(page, run);
  }
}, 60_000);

afterAll(async () => {
  for await (const { bot_id, status } of team?.api.sdk.all.listScheduledBots() ?? [])
    if (status === 'scheduled') await team.api.sdk.deleteScheduledBot({ bot_id });
  for await (const { bot_id, ended_at } of team?.api.sdk.all.listBots() ?? [])
    if (ended_at === null) await team.api.sdk.leaveBot({ bot_id }).catch(() => undefined);
}, 60_000);

test('every shell block of README and guides runs in a test, or states why none runs it', () => {
  const guides = readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`);
  const found = [readme, 'clients/python/README.md', 'docs/upgrading.md', 'libs/sdk/README.md', ...guides]
    .map((page) => [page, blocksOf(page)] as const)
    .filter(([, blocks]) => blocks.length > 0)
    .map(([page, blocks]) => [page, blocks.filter(({ notRunBecause }) => notRunBecause !== null).length]);
  const known = Object.entries(pages).map(([page, { others }]) => [page, others]);
  expect(Object.fromEntries(found)).toEqual({ ...otherPages, ...Object.fromEntries(known) });
});

test.each(Object.keys(pages).filter(canRun))(
  'every command of %s does what the page states',
  async (page) => {
    const outputs = (await runs.get(page)) ?? [];
    expect(outputs).toHaveLength(pages[page]?.runs ?? 0);
    for (const output of outputs) expect(output).not.toMatch(/"success": ?false|^null$/m);
  },
  120_000,
);

test('the bot of the README records its meeting until a request to leave', async () => {
  expect(await recordedBot()).toMatchObject({ end_reason: 'API_REQUEST', video: expect.any(String) });
}, 120_000);

/** Programs that are not part of the service: the page names them. */
function canRun(page: string): boolean {
  const text = blocksOf(page)
    .map((block) => block.text)
    .join('\n');
  return ['jq', 'openssl']
    .filter((program) => text.includes(`${program} `))
    .every((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0);
}

/** Types the blocks of a page into one shell, as its reader does. */
async function runPage(page: string, { before }: Page): Promise<readonly string[]> {
  const shell = await openDocumentedShell(prelude());
  const outputs: string[] = [];
  try {
    for (const { text, notRunBecause } of blocksOf(page)) {
      if (notRunBecause !== null) continue;
      const values = { ...commonValues(), ...(await before?.(text, outputs)) };
      outputs.push(await shell.run(filledIn(text, values)));
    }
    return outputs;
  } finally {
    await shell.close();
  }
}

/** A refused request fails its block, and `npm run rapporteur` is the command line against this stack. */
function prelude(): string {
  const program = join(root, 'tools/operator-cli/src/main.ts');
  return `
export KEY='${team.apiKey}' RAPPORTEUR_API_URL='${team.apiUrl}' RAPPORTEUR_API_KEY='${team.apiKey}'
curl() { command curl --fail-with-body --show-error "$@"; }
npm() { while [ "$1" != -- ]; do shift; done; shift; '${process.execPath}' --disable-warning=ExperimentalWarning '${program}' --data-folder '${team.dataFolder}' "$@"; }`;
}

function commonValues(): Values {
  return {
    'http://127.0.0.1:8080': team.apiUrl,
    'http://127.0.0.1:8090': team.simulatorUrl,
    'rap_...': team.apiKey,
    // Another file has this one at the simulated Google.
    'bots.example.com': 'guide.example.com',
  };
}

function filledIn(text: string, values: Values): string {
  // Longer words first: one may contain another.
  const words = Object.entries(values).toSorted(([a], [b]) => b.length - a.length);
  return words.reduce((filled, [word, value]) => filled.replaceAll(word, value), text);
}

const urlIn = (outputs: readonly string[]): string => /"url": ?"([^"]+)"/.exec(outputs.join('\n'))?.[1] ?? '';
const botIn = (outputs: readonly string[]): string => /"bot_id": ?"([^"]+)"/.exec(outputs.join('\n'))?.[1] ?? '';

/** The bot of the README as it was once its recording was stored. */
function recordedBot(): Promise<BotDetails> {
  const read = async () => team.api.waitForStatus(botIn((await runs.get(readme)) ?? []), ['completed'], 60_000);
  recorded ??= read();
  return recorded;
}

/** The same, when the guide on transcription had it transcribed. */
async function transcribedBot(): Promise<string> {
  await runs.get(transcription);
  const { bot_id } = await recordedBot();
  await waitFor(async () => (await team.api.sdk.getBotStatus({ bot_id })).transcription_status === 'done', {
    what: 'the transcript',
  });
  return bot_id;
}
