import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { createMeetPlatform } from '../meet/meet-platform.ts';
import type { JoinOutcome, MeetingPlatform, MeetingVisit, SpeakerTurn, VisitSignal } from '../platform.ts';
import { startMeetHarness } from '../testing/meet-harness.ts';
import type { RunningHarness } from '../testing/meet-harness.ts';
import type { HarnessRoom } from './harness.ts';
import { outcomeScenarios } from './scenarios.ts';
import { lastWords, speechAccuracy } from './speech-accuracy.ts';

const botName = 'Rapporteur';
const startHarness: Readonly<Record<string, () => Promise<RunningHarness>>> = { meet: startMeetHarness };

describe.each(Object.keys(startHarness))('%s in a real browser', (platformName) => {
  let harness: RunningHarness;
  let visit: MeetingVisit;
  let signals: readonly VisitSignal[];

  beforeAll(async () => {
    harness = await startHarness[platformName]!();
    // Renders the people's media once.
    await harness.openRoom({});
  }, 120_000);
  afterEach(async () => {
    visit.stop();
    await harness.clear();
  });
  afterAll(() => harness.close());

  const join = (joinUrl: string): Promise<JoinOutcome> =>
    visit.join({ joinUrl, botName }, new AbortController().signal);
  const seen = <K extends VisitSignal['kind']>(kind: K) =>
    signals.filter((signal): signal is Extract<VisitSignal, { kind: K }> => signal.kind === kind);
  const reached = (state: string) =>
    waitFor(() => seen('state').some((signal) => signal.state === state), {
      what: `the bot to be ${state}`,
      timeoutMs: 20_000,
    });
  const enter = async (
    wishes: Parameters<RunningHarness['openRoom']>[0] = {},
    platform?: MeetingPlatform,
  ): Promise<HarnessRoom> => {
    ({ visit, signals } = await harness.visit(platform));
    const room = await harness.openRoom(wishes);
    expect(await join(room.joinUrl)).toMatchObject({ joined: true });
    return room;
  };

  const scenarios = outcomeScenarios.filter(
    ({ platforms }) => platforms === undefined || platforms.includes(platformName),
  );
  test.each(scenarios)(
    '$name: $ends',
    async ({ room: wishes, reaches, then, ends }) => {
      ({ visit, signals } = await harness.visit());
      const room = wishes === 'unknown-meeting' ? null : await harness.openRoom(wishes);
      const joining = join(room?.joinUrl ?? harness.unknownMeetingUrl);
      if (reaches !== 'nothing') await reached(reaches);
      if (room !== null && then !== undefined) await then(room, botName);
      const outcome = await joining;
      if (ends === 'in-call') {
        expect(outcome).toMatchObject({ joined: true });
        expect(visit.people().filter((person) => person.isSelf)).toHaveLength(1);
      } else if (reaches === 'in-call') {
        const [ended] = await waitFor(() => seen('ended').length > 0 && seen('ended'), {
          what: 'the end',
          timeoutMs: 15_000,
        });
        expect(ended!.end.reason).toBe(ends);
      } else expect(outcome).toMatchObject({ joined: false, end: { reason: ends } });
    },
    60_000,
  );

  test('knows everybody by name, and who of them is the bot', async () => {
    const room = await enter();
    await waitFor(() => visit.people().length === 4, { what: 'four people' });
    expect(
      visit
        .people()
        .filter((person) => !person.isSelf)
        .map((person) => person.name),
    ).toEqual([...room.peopleNames]);
    expect(visit.people().find((person) => person.isSelf)?.name).toBe(botName);
    await room.personLeaves(1);
    await waitFor(
      () => seen('person').some(({ change, person }) => change === 'left' && person.name === room.peopleNames[1]),
      { what: 'the leaving to be noticed' },
    );
  }, 60_000);

  const listen = async (
    room: HarnessRoom,
    forMs: number,
  ): Promise<{ turns: SpeakerTurn[]; fromMs: number; untilMs: number }> => {
    const fromMs = Date.now() + 1_000;
    const untilMs = fromMs + forMs;
    await waitFor(() => Date.now() >= untilMs, { what: 'the people to speak', timeoutMs: forMs + 5_000 });
    visit.stop();
    return { turns: lastWords(seen('speaker').map(({ turn }) => turn)), fromMs, untilMs };
  };

  test('hears who speaks: at least 95 % of the speech time has the right name', async () => {
    const room = await enter();
    const { turns, ...span } = await listen(room, 15_000);
    expect(speechAccuracy(room, turns, span).heard).toBeGreaterThanOrEqual(0.95);
    expect(turns.every((turn) => turn.source === 'contributing-sources' && turn.confidence === 1)).toBe(true);
  }, 60_000);

  if (platformName === 'meet') {
    test('without contributing sources the tiles still say who speaks, with less confidence', async () => {
      const room = await enter({}, createMeetPlatform({ contributingSources: false }));
      const { turns, ...span } = await listen(room, 15_000);
      expect(turns.every((turn) => turn.source === 'tiles' && turn.confidence < 1)).toBe(true);
      expect(new Set(turns.map((turn) => turn.name)).size).toBeGreaterThan(1);
      expect(speechAccuracy(room, turns, span).trusted).toBeGreaterThan(0.75);
    }, 60_000);

    test('without the records the tiles still give the names, and a voice that nobody can place is unknown', async () => {
      const room = await enter({}, createMeetPlatform({ collections: false }));
      await waitFor(() => seen('speaker').some(({ turn }) => turn.personId === null && turn.name === null), {
        what: 'an unknown voice',
        timeoutMs: 20_000,
      });
      const others = () => visit.people().filter((person) => !person.isSelf);
      await waitFor(() => others().length === 3, { what: 'the tiles to be read' });
      expect(others().map((person) => person.name)).toEqual([...room.peopleNames]);
    }, 60_000);
  }

  test('writes into the chat, and reads what others write, with the sender', async () => {
    const room = await enter();
    const text = `I am a bot and record this meeting. ${'All of it. '.repeat(60)}End.`;
    expect(await visit.sendChat(text)).toEqual({ sent: true });
    const written = (await room.log())
      .filter(({ kind, who }) => kind === 'chat' && who === botName)
      .map((entry) => entry.text);
    expect(written.length).toBeGreaterThan(1);
    expect(written.join(' ')).toBe(text);
    await room.say(room.peopleNames[1]!, 'Welcome, bot.');
    const sender = visit.people().find((person) => person.name === room.peopleNames[1]);
    await waitFor(
      () =>
        seen('chat').some(
          ({ message }) => message.text === 'Welcome, bot.' && message.senderId === sender?.id && !message.own,
        ),
      { what: 'the message to be read' },
    );
    expect(seen('chat').filter(({ message }) => message.own)).toHaveLength(written.length);
  }, 60_000);

  test('leaves as a person does, at once and only once', async () => {
    const room = await enter();
    await visit.leave();
    await visit.leave();
    const left = await waitFor(
      async () => {
        const entries = (await room.log()).filter(({ kind, who }) => kind === 'left' && who === botName);
        return entries.length > 0 && entries;
      },
      { what: 'the leaving in the log' },
    );
    expect(left).toMatchObject([{ text: 'leaveButton' }]);
  }, 60_000);

  test('gives up joining as soon as it is told to', async () => {
    ({ visit, signals } = await harness.visit());
    const room = await harness.openRoom({ lobby: 'wait' });
    const stop = new AbortController();
    const joining = visit.join({ joinUrl: room.joinUrl, botName }, stop.signal);
    await reached('waiting-room');
    stop.abort(new Error('enough'));
    await expect(joining).rejects.toThrow('enough');
  }, 60_000);

  test('keeps evidence: picture, title, host, rule and the time of each step', async () => {
    await enter();
    const evidence = await visit.evidence();
    expect(evidence).toMatchObject({ state: 'in-call', rule: expect.any(String), host: expect.stringContaining('.') });
    expect(evidence.screenshotPng?.subarray(1, 4).toString()).toBe('PNG');
    expect(evidence.steps.map(({ step }) => step)).toEqual(
      expect.arrayContaining(['page-opened', 'join-clicked', 'in-call']),
    );
  }, 60_000);
});
