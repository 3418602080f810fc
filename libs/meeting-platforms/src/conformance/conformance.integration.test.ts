import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { createMeetPlatform } from '../meet/meet-platform.ts';
import type { JoinOutcome, MeetingPlatform, MeetingVisit, SpeakerTurn, VisitSignal } from '../platform.ts';
import { startMeetHarness } from '../testing/meet-harness.ts';
import type { RunningHarness } from '../testing/simulator-harness.ts';
import { startTeamsHarness } from '../testing/teams-harness.ts';
import { startZoomHarness } from '../testing/zoom-harness.ts';
import { guestScenarios } from './guest-scenarios.ts';
import type { HarnessRoom, HarnessVisit } from './harness.ts';
import { layerScenarios } from './layer-scenarios.ts';
import type { LayerScenario } from './layer-scenarios.ts';
import { attend, mediaScenarios } from './media-scenarios.ts';
import type { MediaScenario } from './media-scenarios.ts';
import { runScenario } from './run-scenario.ts';
import { ScenarioPool } from './scenario-pool.ts';
import { outcomeScenarios } from './scenarios.ts';
import type { OutcomeScenario } from './scenarios.ts';
import { lastWords, speechAccuracy } from './speech-accuracy.ts';
import { zoomScreenRoom } from './zoom-scenarios.ts';

const botName = 'Rapporteur';
/** Most of a scenario is waiting; what judges sound and time runs alone, afterwards. */
const scenariosAtOnce = 4;
const startHarness: Readonly<Record<string, () => Promise<RunningHarness>>> = {
  meet: startMeetHarness,
  teams: startTeamsHarness,
  zoom: startZoomHarness,
};

describe.each(Object.keys(startHarness))('%s in a real browser', (platformName) => {
  let harness: RunningHarness;
  let visitor: HarnessVisit | undefined;
  let visit: MeetingVisit;
  let signals: readonly VisitSignal[];

  beforeAll(async () => {
    harness = await startHarness[platformName]!();
    // Renders the people's media once.
    await harness.openRoom({});
  }, 120_000);
  afterEach(async () => {
    visitor?.visit.stop();
    // Scenarios that were begun ahead close their own pages.
    if (!pool.busy && !attending.busy) await harness.clear();
  });
  afterAll(async () => {
    await pool.drain();
    await attending.drain();
    await harness.close();
  });

  const openPage = async (platform?: MeetingPlatform): Promise<void> => {
    visitor = await harness.visit(platform);
    ({ visit, signals } = visitor);
  };
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
    await openPage(platform);
    const room = await harness.openRoom(wishes);
    expect(await join(room.joinUrl)).toMatchObject({ joined: true });
    return room;
  };

  const scenarios = outcomeScenarios.filter(
    ({ platforms, longFormOnly }) =>
      longFormOnly !== true && (platforms === undefined || platforms.includes(platformName)),
  );
  const pool = new ScenarioPool(scenarios, scenariosAtOnce, (scenario: OutcomeScenario) =>
    runScenario(harness, scenario, botName),
  );
  test.each(scenarios)(
    '$name: $ends',
    async (scenario) => {
      const { got, selves, rule, steps } = await pool.take(scenario);
      expect({ got, rule, steps }).toMatchObject({ got: scenario.ends });
      if (got === 'in-call') expect(selves).toBe(1);
    },
    90_000,
  );

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

  const hearWith = async (scenario: LayerScenario) => {
    const visiting = await harness.visit(scenario.platform);
    visit = visiting.visit;
    const room = await harness.openRoom(scenario.room);
    const signal = new AbortController().signal;
    expect(await visiting.visit.join({ joinUrl: room.joinUrl, botName }, signal)).toMatchObject({ joined: true });
    const fromMs = Date.now() + 4_000;
    const untilMs = fromMs + 15_000;
    await waitFor(() => Date.now() >= untilMs, { what: 'the people to speak', timeoutMs: 30_000 });
    visiting.visit.stop();
    const told = visiting.signals.flatMap((one) =>
      one.kind === 'speaker' && one.atMs >= fromMs - 1_000 ? [one.turn] : [],
    );
    const turns = lastWords(told);
    const named = turns.filter((turn) => turn.name !== null);
    const people = visiting.visit.people().filter((person) => person.present).length;
    const accuracy = speechAccuracy(room, named, { fromMs, untilMs, soundDelayMs: scenario.soundDelayMs });
    return { scenario, turns, named, people, accuracy };
  };

  test('hears who speaks: at least 95 % of the speech time has the right name', async () => {
    const room = await enter();
    const { turns, ...span } = await listen(room, 15_000);
    expect(speechAccuracy(room, turns, span).heard).toBeGreaterThanOrEqual(0.95);
    expect(turns.every((turn) => turn.source === harness.bestSource && turn.confidence >= 0.8)).toBe(true);
  }, 60_000);

  const layered = layerScenarios.filter(({ platform }) => platform.name === platformName);
  if (layered.length > 0) {
    test('hears what can be heard with layers taken away', async () => {
      const listened: Awaited<ReturnType<typeof hearWith>>[] = [];
      // Two rooms at a time: four at once are late with everything on two slow cores, and speech is judged by the clock.
      for (let at = 0; at < layered.length; at += 2)
        listened.push(
          ...(await Promise.all(layered.slice(at, at + 2).map(async (scenario) => await hearWith(scenario)))),
        );
      for (const { scenario, turns, named, accuracy, people } of listened) {
        const found = {
          scenario: scenario.name,
          people,
          ...accuracy,
          sources: [...new Set(turns.map((turn) => turn.source))],
        };
        expect(found).toMatchObject({ people: (scenario.others ?? 3) + 1 });
        expect([found, turns.every((turn) => scenario.sources.includes(turn.source))]).toEqual([found, true]);
        expect([found, turns.every((turn) => turn.name !== null || turn.confidence <= 0.3)]).toEqual([found, true]);
        expect([found, named, accuracy.heard >= scenario.heard, accuracy.trusted >= scenario.trusted]).toEqual([
          found,
          named,
          true,
          true,
        ]);
      }
    }, 240_000);
  }

  if (platformName === 'meet') {
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

  const attended = [...guestScenarios, ...mediaScenarios].filter(
    ({ platforms }) => platforms === undefined || platforms.includes(platformName),
  );
  const attending = new ScenarioPool(attended, scenariosAtOnce, (scenario: MediaScenario) =>
    attend(harness, scenario, botName),
  );
  test.each(attended)('$name', async (scenario) => await attending.take(scenario), 90_000);

  if (platformName === 'zoom') {
    test('offers the sound and the picture of a client in a frame, and the screen that is shared', async () => {
      const room = await enter(zoomScreenRoom);
      await waitFor(async () => (await visitor!.media(3_000)).peak > 0.05, { what: 'sound', timeoutMs: 25_000 });
      const shows = async (what: 'screen' | 'camera') =>
        await waitFor(async () => (await visitor!.media(0)).shown === what, { what, timeoutMs: 25_000 });
      await shows('screen');
      await room.happen({ do: 'stop-sharing' });
      await shows('camera');
      expect(await visitor!.media(0)).toMatchObject({ soundTracks: 1 });
    }, 60_000);

    test('a wrong link may be a meeting that has not begun: the bot waits and says so', async () => {
      await openPage();
      const stop = new AbortController();
      const joining = visit.join({ joinUrl: harness.unknownMeetingUrl, botName }, stop.signal);
      await reached('waiting-for-host');
      await waitFor(() => seen('step').some(({ step }) => step === 'opened-again'), { what: 'another try' });
      stop.abort(new Error('enough'));
      await expect(joining).rejects.toThrow('enough');
    }, 60_000);
  }

  test('gets ready before its time, knocks at it, and gives up joining as soon as it is told to', async () => {
    await openPage();
    // Zoom has questions between the press of its button and the knock.
    const room = await harness.openRoom({ lobby: 'wait', variant: { zoom: { mediaPrompt: 'none' } } });
    const knockAtMs = Date.now() + 8_000;
    const stop = new AbortController();
    const joining = visit.join({ joinUrl: room.joinUrl, botName, knockAtMs }, stop.signal);
    joining.catch(() => undefined);
    await reached('waiting-room');
    const knocked = (await room.log()).find(({ kind }) => kind === 'joinRequested');
    expect(knocked?.at).toBeGreaterThanOrEqual(knockAtMs);
    expect(knocked?.at).toBeLessThan(knockAtMs + 1_500);
    expect(seen('step').find(({ step }) => step === 'ready-to-knock')?.atMs).toBeLessThan(knockAtMs);
    stop.abort(new Error('enough'));
    await expect(joining).rejects.toThrow('enough');
  }, 60_000);
});
