import { createPrivateKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { GuideCommands } from './guide-commands.ts';
import { startPagePackServer, startPageChangeStack } from './page-change-stack.ts';
import type { PagePackServer, PageChangeStack } from './page-change-stack.ts';
import { failsAtChangedPage, getsInWith, namesTheChange, takesBadPackBack } from './page-change-steps.ts';
import { newDataFolder, removeDataFolder } from './stack-process.ts';

// A separate stack: a bad page pack would reach the bots of other files.
const guidePath = 'docs/guides/platform-changes.md';
const standingCode = 'gmt-stan-din';

const folder = newDataFolder();
const guide = new GuideCommands(guidePath, folder);
let packs: PagePackServer;
let stack: PageChangeStack;
/** The guide's own overlay, once it is laid. */
const repaired = Promise.withResolvers<object>();
repaired.promise.catch(() => undefined);

beforeAll(async () => {
  await guide.execute(guide.next('npm start'));
  const { RAPPORTEUR_PAGE_PACKS: places } = guide.settings();
  await guide.execute(guide.next('RAPPORTEUR_CANARIES'));
  const { RAPPORTEUR_CANARIES: canaries = '[]' } = guide.settings();
  const publicKey = await guide.execute(guide.next('genpkey'));
  packs = await startPagePackServer(createPrivateKey(readFileSync(join(folder, 'page-packs.pem'))));
  expect({ places, publicKey }).toEqual({ places: 'page-packs', publicKey: packs.publicKey });
  const [canary] = JSON.parse(canaries) as { name: string; interval_seconds: number }[];
  expect(canary).toMatchObject({ name: 'meet-standing', interval_seconds: 900 });
  stack = await startPageChangeStack({
    dataFolder: guide.dataFolder,
    packs: { url: packs.url, publicKey },
    canaries: [{ ...canary, platform: 'meet', link: standingCode }],
  });
  guide.replace('http://127.0.0.1:8090', stack.simulatorUrl);
}, 180_000);

afterAll(async () => {
  await stack?.stop();
  await removeDataFolder(folder);
  await packs?.stop();
}, 60_000);

/** The guide's ten minutes, from the alert to the upload of its overlay. Returns when that was, in ms. */
async function followGuide(): Promise<number> {
  expect(await guide.execute(guide.next('canaries list'))).toMatch(/meet-standing .*failed +page/);
  await guide.execute(guide.next('find .rapporteur'));
  const before = await guide.execute(guide.next('pages try'), { exitCode: 1 });
  expect(before).toContain('Not found: joinButton.');
  expect(await guide.execute(guide.next('page.html'))).toContain('<button jsname="bXc92d"');
  writeFileSync(join(folder, 'meet.json'), guide.next('"format": 1'));
  const after = await guide.execute(guide.next('pages validate'));
  expect(after).toMatch(/joinButton +1 of /);
  expect(after).not.toContain('Not found');
  await guide.execute(guide.next('pkeyutl'));
  const [document, signature] = ['meet.json', 'meet.json.sig'].map((name) => readFileSync(join(folder, name)));
  const laidAtMs = performance.now();
  packs.upload(document ?? Buffer.alloc(0), signature ?? Buffer.alloc(0));
  repaired.resolve(JSON.parse(String(document)) as object);
  return laidAtMs;
}

async function changeAndRepair(): Promise<void> {
  const [change = '', create = '', lay = '', undo = ''] = guide.last().trimEnd().split('\n');
  await guide.execute(change);
  const room = await stack.simulator.startRoom({ code: standingCode, speakers: 2 });
  const canary = await stack.sendCanary('meet-standing');
  const [page, run] = await Promise.all([failsAtChangedPage(stack, 'meet', room.url), canary()]);
  expect(page).toMatchObject({ rule: 'name-field' });
  expect(run).toEqual(namesTheChange);

  const laidAtMs = await followGuide();
  await stack.isInUse('meet', { state: 'overlay', refused: null });
  const version = '2026-11-26-request-entry';
  const [tookMs, checked] = await Promise.all([
    getsInWith(stack, { version, meetingUrl: room.url, laidAtMs }),
    guide.execute(guide.next('pages status')),
  ]);
  expect(tookMs).toBeGreaterThan(0);
  expect(checked).toMatch(new RegExp(`\\+${version}`));
  expect(checked).toContain('Every step passed.');
  await guide.execute([create, lay, undo].join('\n'));
  expect(guide.left).toBe(0);
  await stack.simulator.post(`/rooms/${room.code}/end`);
}

describe('a platform that changes its page', () => {
  test.concurrent('is named by a canary and by failed bots, and repaired by the guide without a restart', async () => {
    await changeAndRepair().catch((error: unknown) => {
      repaired.reject(error);
      throw error;
    });
  }, 600_000);

  test.concurrent('keeps its bots when a page pack is forged or bad: it is refused, or taken back by itself', async () => {
    const room = await stack.simulator.startRoom({ platform: 'teams', speakers: 2 });
    const first = await stack.send(room.url);
    packs.forge([]);
    await stack.isInUse('meet', { state: 'built-in', refused: 'unsigned' });
    packs.lay([]);
    await stack.isInUse('meet', { state: 'built-in', refused: null });
    await stack.api.waitForStatus(first, ['in_call_recording']);
    await stack.api.sdk.leaveBot({ bot_id: first });
    const meet = await repaired.promise;
    await takesBadPackBack(stack, 'teams', { meetingUrl: room.url, lay: (bad) => packs.lay([meet, bad]) });
    await stack.simulator.post(`/rooms/${room.code}/end`);
  }, 600_000);
});
