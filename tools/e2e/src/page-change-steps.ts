import { expect } from '@jest/globals';
import type { MeetingPlatformName } from '@rapporteur/contracts';
import { badOverlayOf, failureMs, fromJoining } from './page-change-stack.ts';
import type { PageChangeStack } from './page-change-stack.ts';

/** A bot fails truthfully at a changed page, with the page in its evidence; resolves with that page. */
export async function failsAtChangedPage(stack: PageChangeStack, platform: MeetingPlatformName, meetingUrl: string) {
  const botId = await stack.send(meetingUrl);
  const bot = await stack.api.waitForStatus(botId, ['failed'], failureMs);
  expect(bot.error_code).toBe('CANNOT_JOIN_MEETING');
  const page = await stack.storedPageOf(botId);
  expect(page).toMatchObject({ platform, page_pack_version: await stack.builtIn(platform) });
  return page;
}

/** What a canary says of a changed page: the step and the element. */
export const namesTheChange: unknown = expect.objectContaining({
  outcome: 'failed',
  failed_step: 'page',
  result: expect.objectContaining({
    steps: expect.arrayContaining([
      expect.objectContaining({
        step: 'page',
        result: 'failed',
        element: expect.stringMatching(/^(nameField|joinButton)$/),
      }),
    ]),
  }),
});

/** The next bot joins with the overlay `version` and gets in; resolves with the time from `laidAtMs` until it joined, in ms. */
export async function getsInWith(
  stack: PageChangeStack,
  {
    version,
    meetingUrl,
    laidAtMs,
  }: { readonly version: string; readonly meetingUrl: string; readonly laidAtMs: number },
): Promise<number> {
  const botId = await stack.send(meetingUrl);
  await stack.api.waitForStatus(botId, fromJoining);
  const tookMs = performance.now() - laidAtMs;
  const bot = await stack.api.waitForStatus(botId, ['in_call_recording']);
  expect(bot.page_pack_version).toMatch(new RegExp(`\\+${version}$`));
  return tookMs;
}

/** Bots of a bad page pack stay out, it is taken back by itself, and the next bot gets in without it. */
export async function takesBadPackBack(
  stack: PageChangeStack,
  platform: 'teams' | 'zoom',
  { meetingUrl, lay }: { readonly meetingUrl: string; readonly lay: (overlay: object) => void },
): Promise<void> {
  const before = await stack.builtIn(platform);
  lay(badOverlayOf(platform));
  await stack.isInUse(platform, { state: 'overlay' });
  const bots = await Promise.all([stack.send(meetingUrl), stack.send(meetingUrl)]);
  const ends = await Promise.all(bots.map((botId) => stack.api.waitForStatus(botId, ['failed'], failureMs)));
  const code = platform === 'teams' ? 'CANNOT_JOIN_MEETING' : 'BOT_NOT_ACCEPTED';
  expect(ends.map(({ error_code }) => error_code)).toEqual([code, code]);
  await stack.isInUse(platform, { state: 'suspended' });
  const next = await stack.send(meetingUrl);
  const { page_pack_version } = await stack.api.waitForStatus(next, ['in_call_recording']);
  expect(page_pack_version).toBe(before);
}
