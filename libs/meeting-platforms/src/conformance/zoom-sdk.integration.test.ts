import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import type { SessionSignal } from '../platform.ts';
import type { RunningHarness } from '../testing/simulator-harness.ts';
import { startZoomSdkHarness } from '../testing/zoom-sdk-harness.ts';
import { runScenario } from './run-scenario.ts';
import { ScenarioPool } from './scenario-pool.ts';
import type { OutcomeScenario } from './outcome-scenario.ts';
import { zoomSdkScenarios } from './zoom-sdk-scenarios.ts';

const botName = 'Rapporteur';
const scenariosAtOnce = 5;

let harness: RunningHarness;
beforeAll(async () => {
  harness = await startZoomSdkHarness();
  // Renders the participants' media once.
  await harness.openRoom({});
}, 120_000);
afterEach(async () => {
  // Scenarios that were begun ahead close their own pages.
  if (!pool.busy) await harness.clear();
});
afterAll(async () => {
  await pool.drain();
  await harness.close();
});

const scenarios = zoomSdkScenarios.filter(({ longFormOnly }) => longFormOnly !== true);
const pool = new ScenarioPool(scenarios, scenariosAtOnce, (scenario: OutcomeScenario) =>
  runScenario(harness, scenario, botName),
);

describe('Zoom through the Meeting SDK, in a real browser', () => {
  test.each(scenarios)(
    '$name: $ends',
    async (scenario) => {
      const { got, selves, rule, steps } = await pool.take(scenario);
      expect({ got, rule, steps }).toMatchObject({ got: scenario.ends });
      if (got === 'in-call') expect(selves).toBe(1);
    },
    90_000,
  );

  test('has audio, video and chat as in the web client, reports each message once, and leaves', async () => {
    const client = await harness.session();
    const { session, signals } = client;
    const seen = <K extends SessionSignal['kind']>(kind: K) =>
      signals.filter((signal): signal is Extract<SessionSignal, { kind: K }> => signal.kind === kind);
    const room = await harness.openRoom({ variant: { zoom: { sdkRecording: 'granted' } } });
    const { signal } = new AbortController();
    expect(await session.join({ joinUrl: room.joinUrl, botName }, signal)).toMatchObject({ joined: true });
    await session.mayRecord!(signal);
    await waitFor(() => session.participants().length === 4, { what: 'four people' });
    expect(session.participants().filter(({ isSelf }) => isSelf)).toMatchObject([{ name: botName }]);
    await waitFor(() => seen('speaker').some(({ turn }) => turn.name !== null), { what: 'a voice' });
    await waitFor(async () => (await client.media(3_000)).peak > 0.05, { what: 'sound' });
    expect(await client.media(0)).toMatchObject({ audioTracks: 1, shown: 'camera' });
    expect((await client.tiles()).map(({ name }) => name)).toEqual([...room.participantNames]);
    expect(await session.sendChat('I am a bot.')).toEqual({ sent: true });
    for (const text of ['Welcome, bot.', 'Welcome, bot.']) await room.say(room.participantNames[1]!, text);
    const others = () => seen('chat').filter(({ message }) => !message.own);
    await waitFor(() => others().length >= 2, { what: 'the messages to be read' });
    await session.leave();
    await waitFor(async () => (await room.log()).some(({ kind, who }) => kind === 'left' && who === botName), {
      what: 'the leaving in the log',
    });
    expect(others().map(({ message }) => message.text)).toEqual(['Welcome, bot.', 'Welcome, bot.']);
    expect(seen('chat').filter(({ message }) => message.own)).toHaveLength(1);
  }, 90_000);

  test('keeps tokens and signatures out of the evidence, whatever the page writes to its console', async () => {
    const { session, signals } = await harness.session();
    const room = await harness.openRoom({ variant: { zoom: { obfToken: 'another' } } });
    await session.join({ joinUrl: room.joinUrl, botName }, new AbortController().signal);
    const evidence = await session.evidence();
    const kept = JSON.stringify({ ...evidence, screenshotPng: null, signals });
    expect(evidence.host).toBe('zoom-sdk.rapporteur.invalid');
    expect(evidence.consoleTail.join('\n')).toContain('•••');
    expect(kept).not.toMatch(/simulated-obf-token|eyJ/);
  }, 60_000);
});
