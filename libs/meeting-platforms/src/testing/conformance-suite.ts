import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sampleBegan, waitFor } from '@rapporteur/testbed';
import type { SessionSignal } from '../platform.ts';
import type { LayerScenario } from '../conformance/layer-scenarios.ts';
import { attend } from '../conformance/media-scenarios.ts';
import { runScenario } from '../conformance/run-scenario.ts';
import type { ScenarioResult } from '../conformance/run-scenario.ts';
import { ScenarioPool } from '../conformance/scenario-pool.ts';
import type { OutcomeScenario } from '../conformance/outcome-scenario.ts';
import type { ConformanceSelection } from '../conformance/selection.ts';
import { lastWords, speechAccuracy } from '../conformance/speech-accuracy.ts';
import { startMeetHarness } from './meet-harness.ts';
import { showsAndSays } from './outgoing-media.ts';
import type { RunningHarness } from './simulator-harness.ts';
import { startTeamsHarness } from './teams-harness.ts';
import { startZoomHarness } from './zoom-harness.ts';

const botName = 'Rapporteur';
/** Most of a scenario is waiting, and no other file runs beside this one. */
const scenariosAtOnce = 7;
/** Concurrency of timed listeners: more of them run late on two slow cores. */
const listenersAtOnce = 2;
const listenMs = 15_000;
const startHarness = { meet: startMeetHarness, teams: startTeamsHarness, zoom: startZoomHarness } as const;

/** A test that runs beside others. */
interface Check {
  readonly name: string;
  run(): Promise<void>;
}

/**
 * Registers the suite of one platform in a real browser. Speaker turns and the bot's own media are timed, so those
 * tests run first and alone; the others run a few at a time.
 */
export function conformanceSuite(platformName: keyof typeof startHarness, selection: ConformanceSelection): void {
  describe(`${platformName} in a real browser`, () => {
    let harness: RunningHarness;
    const { layers } = selection;
    const checks = checksOf(platformName, selection, () => harness);
    const beganAtMs = new Map<Check, number>();
    const pool = new ScenarioPool(checks, scenariosAtOnce, (check) => {
      beganAtMs.set(check, Date.now());
      return check.run();
    });
    beforeAll(async () => {
      harness = await startHarness[platformName]();
      // Renders the participants' media once.
      await harness.openRoom({});
    }, 120_000);
    afterAll(async () => {
      await pool.drain();
      await harness.close();
    });

    if (layers !== null) {
      test('names who speaks by its best layer, and by those that are left when others are taken away', async () => {
        await attributesSpeech(harness, layers);
      }, 300_000);
    }
    test('shows and says what it is given', async () => {
      await showsAndSays(harness, platformName);
    }, 180_000);
    test.each(checks)('$name', async (check) => {
      const taken = pool.take(check);
      sampleBegan(beganAtMs.get(check) ?? Date.now());
      await taken;
    });
  });
}

/** The longest waits come first. */
function checksOf(
  platformName: string,
  { outcomes, attended, timedJoin }: ConformanceSelection,
  harness: () => RunningHarness,
): Check[] {
  const waiting: Check = {
    name: 'a wrong link may be a meeting that has not begun: the bot waits and says so',
    run: () => waitsForTheHost(harness()),
  };
  const timed: Check = {
    name: 'gets ready before its time, joins at it, and gives up joining as soon as its signal is aborted',
    run: () => joinsAtItsTime(harness()),
  };
  return [
    ...(platformName === 'zoom' ? [waiting] : []),
    ...(timedJoin ? [timed] : []),
    ...outcomes.map((scenario) => ({
      name: `${scenario.name}: ${scenario.ends}`,
      run: async () => expectOutcome(scenario, await runScenario(harness(), scenario, botName)),
    })),
    ...attended.map((scenario) => ({ name: scenario.name, run: () => attend(harness(), scenario, botName) })),
  ];
}

function expectOutcome(scenario: OutcomeScenario, { got, selves, rule, steps }: ScenarioResult): void {
  expect({ got, rule, steps }).toMatchObject({ got: scenario.ends });
  if (got === 'in-call') expect(selves).toBe(1);
}

async function attributesSpeech(harness: RunningHarness, layers: readonly LayerScenario[]): Promise<void> {
  const best: LayerScenario = {
    name: 'every layer',
    room: {},
    platform: harness.platform,
    sources: [harness.bestSource],
    covered: 0.95,
    trusted: 0.9,
  };
  const scenarios = [best, ...layers];
  for (let at = 0; at < scenarios.length; at += listenersAtOnce) {
    const together = scenarios.slice(at, at + listenersAtOnce);
    const results = await Promise.all(together.map((scenario) => listen(harness, scenario)));
    for (const [index, found] of results.entries()) expectAttributed(together[index]!, found);
  }
}

type AttributedSpeech = Awaited<ReturnType<typeof listen>>;

async function listen(harness: RunningHarness, scenario: LayerScenario) {
  const { session, signals, close } = await harness.session(scenario.platform);
  const room = await harness.openRoom(scenario.room);
  const { signal } = new AbortController();
  expect(await session.join({ joinUrl: room.joinUrl, botName }, signal)).toMatchObject({ joined: true });
  const fromMs = Date.now() + 4_000;
  const untilMs = fromMs + listenMs;
  await waitFor(() => Date.now() >= untilMs, { what: 'the people to speak', timeoutMs: listenMs + 15_000 });
  session.stop();
  const turns = lastWords(
    signals.flatMap((one) => (one.kind === 'speaker' && one.atMs >= fromMs - 1_000 ? [one.turn] : [])),
  );
  const participants = session.participants().filter((participant) => participant.present).length;
  const named = turns.filter((turn) => turn.name !== null);
  const accuracy = speechAccuracy(room, named, { fromMs, untilMs, audioDelayMs: scenario.audioDelayMs });
  await close();
  await room.close();
  return { turns, participants, accuracy };
}

function expectAttributed(scenario: LayerScenario, { turns, participants, accuracy }: AttributedSpeech): void {
  const sources = [...new Set(turns.map((turn) => turn.source))];
  const found = { scenario: scenario.name, participants, ...accuracy, sources };
  expect(found).toMatchObject({ participants: (scenario.others ?? 3) + 1 });
  expect([found, sources.filter((source) => !scenario.sources.includes(source))]).toEqual([found, []]);
  // Speech without a name must not have a high confidence.
  const unnamed = turns.filter(({ name, confidence }) => name === null && confidence > 0.3);
  expect([found, unnamed]).toEqual([found, []]);
  expect([found, accuracy.covered >= scenario.covered, accuracy.trusted >= scenario.trusted]).toEqual([
    found,
    true,
    true,
  ]);
}

async function waitsForTheHost(harness: RunningHarness): Promise<void> {
  const { session, signals, close } = await harness.session();
  const stop = new AbortController();
  const joining = session.join({ joinUrl: harness.unknownMeetingUrl, botName }, stop.signal);
  joining.catch(() => undefined);
  await reached(signals, 'waiting-for-host');
  await waitFor(() => stepsOf(signals).some(({ step }) => step === 'opened-again'), {
    what: 'another attempt',
  });
  stop.abort(new Error('enough'));
  await expect(joining).rejects.toThrow('enough');
  await close();
}

async function joinsAtItsTime(harness: RunningHarness): Promise<void> {
  const { session, signals, close } = await harness.session();
  // Zoom shows prompts between its button and the request for admission.
  const room = await harness.openRoom({ lobby: 'wait', variant: { zoom: { mediaPrompt: 'none' } } });
  const requestAtMs = Date.now() + 15_000;
  const stop = new AbortController();
  const joining = session.join({ joinUrl: room.joinUrl, botName, requestAtMs }, stop.signal);
  joining.catch(() => undefined);
  await reached(signals, 'waiting-room');
  const requested = (await room.log()).find(({ kind }) => kind === 'joinRequested');
  expect(requested?.at).toBeGreaterThanOrEqual(requestAtMs);
  expect(stepsOf(signals).some(({ step }) => step === 'ready-to-request')).toBe(true);
  stop.abort(new Error('enough'));
  await expect(joining).rejects.toThrow('enough');
  await close();
  await room.close();
}

const stepsOf = (signals: readonly SessionSignal[]) =>
  signals.filter((signal): signal is Extract<SessionSignal, { kind: 'step' }> => signal.kind === 'step');

const reached = (signals: readonly SessionSignal[], state: string) =>
  waitFor(() => signals.some((signal) => signal.kind === 'state' && signal.state === state), {
    what: `the bot to be ${state}`,
  });
