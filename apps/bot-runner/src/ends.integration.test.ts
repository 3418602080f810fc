import { describe, expect, test } from '@jest/globals';
import { builtInPagePack } from '@rapporteur/meeting-platforms/page-packs';
import { suiteMeetings, untilStored } from './testing/suite-meetings.ts';

const meetings = suiteMeetings();

describe('a bot that may not stay in a simulated meeting', () => {
  test('without a lease it leaves the meeting, writes nothing more and ends with code 3', async () => {
    const meeting = await meetings.open();
    const { storage, scheduler } = meeting;
    const bot = await meeting.sendBot();
    await untilStored(meeting, 3_000);
    scheduler.lease.held = false;
    expect(await bot.exited).toBe(3);
    expect(scheduler.find('attendance-ended')).toBeUndefined();
    expect([...storage.objects.keys()].some((key) => key.startsWith('artifacts/'))).toBe(false);
    expect(await meeting.log()).toContainEqual(expect.objectContaining({ kind: 'left', who: 'Rapporteur' }));
  });

  test('refused at the door, it says BOT_NOT_ACCEPTED and keeps what the page showed', async () => {
    const meeting = await meetings.open({ lobby: 'refuse' });
    const { storage, scheduler } = meeting;
    const { version: base } = builtInPagePack('meet');
    const elements = { joinButton: { first: ['button#renamed'] } };
    const bot = await meeting.sendBot({
      pagePack: { format: 1, platform: 'meet', version: 'mended', base, share: 100, elements },
    });
    expect(await bot.exited).toBe(0);
    expect(meeting.statuses()).toEqual(['joining_call', 'in_waiting_room']);
    const use = {
      pagePackVersion: `${base}+mended`,
      matchedCandidates: { nameField: { index: 0 }, joinButton: { index: 1 } },
    };
    expect(scheduler.find('status')).toMatchObject({ pagePackVersion: use.pagePackVersion });
    expect(scheduler.find('attendance-ended')).toMatchObject({
      ...use,
      end: { code: 'BOT_NOT_ACCEPTED', recorded: false, evidence: { rule: 'denied-text', ...use } },
    });
    const evidence = JSON.parse(String(storage.objects.get('evidence/0001/evidence.json'))) as object;
    expect(evidence).toMatchObject(use);
    expect(storage.objects.get('evidence/0001/screenshot.png')?.length).toBeGreaterThan(1_000);
  });
});
