import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { runnerReport } from '@rapporteur/contracts';
import type { PagePackOverlay } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { FakeClock } from '@rapporteur/async/testing';
import { createLogger } from '@rapporteur/service-runtime';
import { admitDirectly } from '../testing/admit-directly.ts';
import { useBotsDatabase } from '../testing/suite-database.ts';
import { addTeam } from '../testing/test-scheduler.ts';
import { choosePagePack, isInShare } from '../launch/redeem-ticket.ts';
import { createPagePackRound } from './start-page-packs.ts';
import { forgetOutcomes, recordPagePackOutcome } from './page-pack-outcomes.ts';
import { pagePackReader as reader } from './page-pack-reader.ts';
import { describePagePacks, findUnrecognisedPages } from './page-packs.routes.ts';
import { PagePackRefusal } from './refusal.ts';

let database: Database;
const clock = new FakeClock();
const base = reader.versionOf('meet', null);

useBotsDatabase((opened) => void (database = opened));
beforeEach(async () => {
  for (const table of ['page_packs', 'page_pack_refusals', 'page_pack_outcomes'])
    await database.query(`delete from ${table}`);
});

const events = { add: async () => undefined, notify: () => undefined };
const overlay = (version: string, over: Partial<PagePackOverlay> = {}): string =>
  JSON.stringify({ format: 1, platform: 'meet', version, base, ...over });

/** A replica that reads `texts`, or fails with them. */
function replica(initial: readonly string[] = []) {
  const state = { texts: initial as readonly string[] | PagePackRefusal };
  const round = createPagePackRound({
    database,
    reader,
    source: async () => {
      if (state.texts instanceof PagePackRefusal) throw state.texts;
      return [...state.texts];
    },
    trialBots: 20,
    clock,
    logger: createLogger('page-packs', 'silent'),
    onSuspended: async () => undefined,
  });
  return {
    read: (texts: readonly string[] | PagePackRefusal) => {
      state.texts = texts;
      return round();
    },
  };
}
const meet = async () => {
  const { platforms, refused } = await describePagePacks(database, reader);
  return { ...platforms.find(({ platform }) => platform === 'meet'), refused };
};
const bot = (id: string = randomUUID()) => ({ id, meeting_platform: 'meet' as const });
/** Adds outcomes of bots of a version; `rule`: the one by which a page kept out those that did not enter. */
const addOutcomes = async (version: string, entered: number, of: number, rule: string | null = null): Promise<void> => {
  for (let place = 0; place < of; place += 1) {
    await clock.advance(1_000);
    await database.query('insert into page_pack_outcomes values ($1, $2, $3, $4, $5, $6)', [
      randomUUID(),
      'meet',
      `${base}+${version}`,
      place < entered,
      place < entered ? null : rule,
      new Date(clock.now()),
    ]);
  }
};

describe('the newest reading', () => {
  test('decides for the next bot; a platform that it no longer names goes back to the built-in pack', async () => {
    const one = replica();
    expect(await choosePagePack(database, bot())).toBeNull();
    await one.read([overlay('1')]);
    expect(await choosePagePack(database, bot())).toMatchObject({ version: '1' });
    expect(await meet()).toMatchObject({ state: 'overlay', version: `${base}+1`, share: 100, refused: null });
    await one.read([]);
    expect(await choosePagePack(database, bot())).toBeNull();
    expect(await meet()).toMatchObject({ state: 'built-in', version: base, share: null });
  });

  test('that is refused leaves the last good one in use, also in a replica that starts now', async () => {
    const cases: [readonly string[] | PagePackRefusal, string][] = [
      [new PagePackRefusal('unsigned', 'No key signed it.'), 'No key signed it.'],
      [['{'], 'The page pack is refused'],
      [[overlay('2', { base: '2020-01-01.1' })], 'base is 2020-01-01.1'],
      [[overlay('2', { elements: { joinButtonn: { first: ['button'] } } })], 'elements/joinButtonn is not known'],
      [[overlay('2'), overlay('3')], 'two page packs for meet'],
      [[overlay('1', { elements: {} })], 'already used with another content'],
    ];
    const one = replica();
    for (const [reading, sentence] of cases) {
      await one.read([overlay('1')]);
      expect((await meet()).refused).toBeNull();
      for (const reader of [one, replica()]) {
        await reader.read(reading);
        expect((await meet()).refused?.message).toContain(sentence);
        expect(await choosePagePack(database, bot())).toMatchObject({ version: '1' });
      }
    }
  });

  test('of a replica whose copy is still the old one does not undo the change of another', async () => {
    const [ahead, behind] = [replica(), replica()];
    await ahead.read([overlay('1')]);
    await behind.read([overlay('1')]);
    await ahead.read([overlay('2')]);
    await behind.read([overlay('1')]);
    expect(await choosePagePack(database, bot())).toMatchObject({ version: '2' });
    await behind.read([overlay('2')]);
    expect(await meet()).toMatchObject({ version: `${base}+2`, previous_version: `${base}+1` });
  });
});

describe('a share of bots', () => {
  test('is the same bots at every replica, and grows by raising it under the same version', async () => {
    const one = replica();
    await one.read([overlay('1')]);
    const bots = Array.from({ length: 200 }, () => bot());
    const usersOf2 = async (): Promise<string[]> => {
      const chosen = await Promise.all(bots.map((each) => choosePagePack(database, each)));
      return bots.filter((_, index) => chosen[index]?.version === '2').map(({ id }) => id);
    };
    await one.read([overlay('2', { share: 10 })]);
    const tenth = await usersOf2();
    expect(tenth.length).toBeGreaterThan(4);
    expect(tenth.length).toBeLessThan(50);
    await one.read([overlay('2', { share: 50 })]);
    const half = await usersOf2();
    expect(half).toEqual(expect.arrayContaining(tenth));
    await one.read([overlay('2', { share: 100 })]);
    expect(await usersOf2()).toHaveLength(200);
    expect(isInShare(bots[0]?.id ?? '', 100)).toBe(true);
  });
});

describe('a page pack on trial', () => {
  test('that does worse than the one before is taken back, and stays so until a new version comes', async () => {
    const one = replica();
    await one.read([overlay('1')]);
    await addOutcomes('1', 18, 20);
    await one.read([overlay('2')]);
    await addOutcomes('2', 1, 4);
    await one.read([overlay('2')]);
    expect(await meet()).toMatchObject({ state: 'overlay', version: `${base}+2` });
    await addOutcomes('2', 0, 1);
    await one.read([overlay('2')]);
    expect(await meet()).toMatchObject({
      state: 'suspended',
      version: `${base}+1`,
      suspended: { version: `${base}+2`, message: expect.stringContaining('1 of its first 5 bots') },
    });
    expect(await choosePagePack(database, bot())).toMatchObject({ version: '1' });
    await replica().read([overlay('2', { share: 50 })]);
    expect(await meet()).toMatchObject({ state: 'suspended' });
    await one.read([overlay('3')]);
    expect(await meet()).toMatchObject({ state: 'overlay', version: `${base}+3`, previous_version: `${base}+1` });
  });

  test('that does as well stays, also when the page changes after its trial', async () => {
    const one = replica();
    await one.read([overlay('1')]);
    await addOutcomes('1', 19, 20);
    await one.read([overlay('2')]);
    await addOutcomes('2', 17, 20);
    await addOutcomes('2', 0, 50);
    await one.read([overlay('2')]);
    expect(await meet()).toMatchObject({ state: 'overlay', version: `${base}+2` });
  });

  test.each([
    ['dead links', 'not-found-text', { elements: { joinButton: { first: ['button.new'] } } }, 'overlay'],
    ['dead links', 'not-found-text', { texts: { 'denied-text': { first: ['go away'] } } }, 'overlay'],
    ['dead links', 'not-found-text', { texts: { 'not-found-text': { first: ['your name'] } } }, 'suspended'],
    ['refusals', 'denied-text', { texts: { 'denied-text': { first: ['your name'] } } }, 'suspended'],
    ['waiting rooms', 'lobby-text', { texts: { 'not-found-text': { first: ['your name'] } } }, 'overlay'],
    ['waiting rooms', 'lobby-label', { page: { waiting: { replace: 'body' } } }, 'suspended'],
    ['pages that could not be operated', null, { elements: { joinButton: { replace: ['.none'] } } }, 'suspended'],
  ])('after %s by the rule %s, with the changes %j, is %s then', async (_what, rule, parts, state) => {
    const one = replica();
    await one.read([overlay('1')]);
    await addOutcomes('1', 20, 20);
    await one.read([overlay('2', parts)]);
    await addOutcomes('2', 0, 10, rule);
    await one.read([overlay('2', parts)]);
    expect((await meet()).state).toBe(state);
  });

  test('is not compared with customers that used dead links before', async () => {
    const one = replica();
    await one.read([overlay('1')]);
    await addOutcomes('1', 5, 20, 'not-found-text');
    await one.read([overlay('2')]);
    await addOutcomes('2', 2, 5);
    await one.read([overlay('2')]);
    expect(await meet()).toMatchObject({
      state: 'suspended',
      suspended: { message: expect.stringContaining('had brought 5 of 5') },
    });
  });

  test('keeps a bounded number of outcomes', async () => {
    await database.query(
      `insert into page_pack_outcomes select gen_random_uuid(), 'meet', 'v', true, null, now() + n * interval '1 second'
       from generate_series(1, 2050) n`,
    );
    await forgetOutcomes(database);
    const [row] = await database.query<{ count: number }>('select count(*)::int as count from page_pack_outcomes');
    expect(row?.count).toBe(2_000);
  });
});

describe('the outcome of a bot', () => {
  const header = { botId: randomUUID(), attempt: 1, fencing: 1, sequence: 1, at: '2026-11-26T07:00:00.000Z' };
  const status = (code: string) => ({ kind: 'status', code });
  const ended = (code: string, endRule?: string, joinedAt: string | null = null) => ({
    kind: 'attendance-ended',
    end: { code, message: '', joinedAt, exitedAt: null, recorded: false },
    endRule,
  });
  const out = (rule: string | null) => ({ entered: false, rule });

  test.each([
    ['in the call', status('in_call_not_recording'), { entered: true, rule: null }],
    ['in a waiting room', status('in_waiting_room'), null],
    ['a page that could not be operated', ended('CANNOT_JOIN_MEETING'), out(null)],
    ['a page that crashed', ended('INTERNAL_ERROR'), out(null)],
    ['a process that ended', ended('GENERAL_ERROR'), out(null)],
    ['a dead link', ended('CANNOT_JOIN_MEETING', 'not-found-text'), out('not-found-text')],
    ['a site that is away', ended('CANNOT_JOIN_MEETING', 'site-does-not-respond'), out('site-does-not-respond')],
    ['a host who refused', ended('BOT_NOT_ACCEPTED', 'denied-text'), out('denied-text')],
    ['a check for humans', ended('BOT_NOT_ACCEPTED', 'visible-challenge'), out('visible-challenge')],
    [
      'a page in vain of which nothing is known',
      ended('TIMEOUT_WAITING_TO_START', 'waiting-not-recognised'),
      out(null),
    ],
    ['a waiting room without an answer', ended('TIMEOUT_WAITING_TO_START', 'lobby-text'), out('lobby-text')],
    ['a host who did not come', ended('WAITING_FOR_HOST_TIMEOUT', 'not-started-text'), out('not-started-text')],
    ['a wrong passcode', ended('INVALID_MEETING_URL', 'passcode-text'), out('passcode-text')],
    ['a meeting for signed-in people', ended('LOGIN_REQUIRED', 'sign-in-text'), out('sign-in-text')],
    ['a meeting that ended', ended('MEETING_ENDED_PREMATURELY', 'ended-text'), out('ended-text')],
    ['a request to leave', ended('EXITING_MEETING_BEFORE_RECORD'), null],
    ['a login that could not be used', ended('MEET_LOGIN_FAILED_SAML_REJECTED'), null],
    ['a machine without memory', ended('OOM_KILLED'), null],
    ['an end in the call', ended('INTERNAL_ERROR', undefined, header.at), null],
  ])('of %s', async (_what, body, expected) => {
    const report = runnerReport.parse({ ...header, ...body });
    await recordPagePackOutcome(database, { ...bot(), page_pack_version: 'v' }, report, new Date(clock.now()));
    const rows = await database.query('select entered, rule from page_pack_outcomes');
    expect(rows).toEqual(expected === null ? [] : [expected]);
  });
});

describe('pages that were not recognised', () => {
  const add = async (rule: string | null, evidence: object, platform = 'meet'): Promise<string> => {
    const botId = await admitDirectly({ database, events, now: () => clock.now() }, await addTeam(database));
    await database.query('update bots set failure_evidence = $2 where id = $1', [botId, JSON.stringify(evidence)]);
    await database.query('insert into page_pack_outcomes values ($1, $2, $3, false, $4, $5)', [
      botId,
      platform,
      base,
      rule,
      new Date(clock.now()),
    ]);
    await clock.advance(1_000);
    return botId;
  };
  const page = (shape: string, rule: string, said: string | null) => ({ shape, rule, said, folder: 'evidence/0001/' });

  test('are grouped by structure over all bots, with what to try; known ones are not among them', async () => {
    const waiting = page('a', 'waiting-not-recognised', 'The host was informed that you are here.');
    const first = new Date(clock.now()).toISOString();
    await add(null, waiting);
    await add(null, { ...waiting, said: null });
    const newest = await add(null, waiting);
    await add('refused-kind', page('b', 'refused-kind', 'Not today.'));
    await add(null, page('c', 'name-field', null));
    await add('lobby-text', page('d', 'lobby-text', 'Someone lets you in soon.'));
    await add(null, { ...page('e', 'name-field', null), shape: null });
    const found = await findUnrecognisedPages(database, new Date(clock.now()));
    expect(found.map(({ shape, kind, bots }) => [shape, kind, bots])).toEqual([
      ['a', 'waiting', 3],
      ['c', 'unusable', 1],
      ['b', 'refused', 1],
    ]);
    expect(found[0]).toMatchObject({
      platform: 'meet',
      said: waiting.said,
      since: first,
      entry: { rule: 'lobby-text', text: waiting.said },
    });
    expect(found[0]?.examples[0]).toEqual({ bot_id: newest, page: 'evidence/0001/page.json' });
    expect(found[1]?.entry).toBeNull();
    expect(await findUnrecognisedPages(database, new Date(clock.now() + 8 * 86_400_000))).toEqual([]);
  });
});
