import { readFileSync } from 'node:fs';
import { createPlatform } from '../create-platform.ts';
import { applyOverlay, builtInPagePack, readPagePackOverlay } from '../page-packs/index.ts';
import { resultWithin } from '../result-within.ts';
import type { JoinOutcome, MeetingPlatform, MeetingSession, SessionSignal } from '../platform.ts';
import type { HarnessRoom, PlatformHarness } from './harness.ts';
import type { OutcomeScenario } from './outcome-scenario.ts';

/** Longer than any scenario takes to reach its state. */
const standTimeoutMs = 120_000;
const endTimeoutMs = 120_000;
/** A bot that is let in has read the list of participants by then. */
const rosterTimeoutMs = 60_000;
const pollMs = 50;
const overlays = new URL('../../../../tools/simulator/page-changes/', import.meta.url);

export interface ScenarioResult {
  /** `in-call`, or the reason of the end; `hangs` when neither came in time. */
  readonly got: string;
  readonly rule: string | null;
  readonly steps: readonly string[];
  readonly tookMs: number;
  /** Number of participants that are the bot, for a bot in the call. */
  readonly selves: number;
}

/** Runs one scenario with one bot, in a browser page of its own. Rejects only when the simulator fails. */
export async function runScenario(
  harness: PlatformHarness,
  scenario: OutcomeScenario,
  botName: string,
): Promise<ScenarioResult> {
  const startMs = performance.now();
  const client = await harness.session(platformFor(harness, scenario));
  const stop = new AbortController();
  let room: HarnessRoom | null = null;
  try {
    const options = scenario.room;
    room = options === 'unknown-meeting' ? null : await harness.openRoom(options);
    const joinUrl = room === null ? harness.unknownMeetingUrl : (scenario.link?.(room) ?? room.joinUrl);
    const joining = client.session.join({ joinUrl, botName }, stop.signal).catch(() => null);
    const got = await outcomeOf(scenario, { ...client, room, botName, joining, signal: stop.signal });
    const { rule, steps } = await client.session.evidence();
    return {
      got,
      rule,
      steps: steps.map(({ step }) => step),
      tookMs: Math.round(performance.now() - startMs),
      selves: selvesIn(client.session),
    };
  } finally {
    stop.abort(new Error('The scenario is over.'));
    client.session.stop();
    await client.close();
    await room?.close();
  }
}

function platformFor(harness: PlatformHarness, { brings, overlay }: OutcomeScenario): MeetingPlatform | undefined {
  if (brings !== undefined) return harness.bringing?.(brings);
  if (overlay === undefined) return undefined;
  const { name } = harness.platform;
  const text = readFileSync(new URL(`${overlay}.${name}.json`, overlays), 'utf8');
  return createPlatform(name, applyOverlay(builtInPagePack(name), readPagePackOverlay(text)));
}

interface Running {
  readonly session: MeetingSession;
  readonly signals: readonly SessionSignal[];
  crash(): Promise<void>;
  readonly room: HarnessRoom | null;
  readonly botName: string;
  readonly joining: Promise<JoinOutcome | null>;
  readonly signal: AbortSignal;
}

async function outcomeOf(scenario: OutcomeScenario, running: Running): Promise<string> {
  const { signals, room, botName, joining } = running;
  const { reaches, then, ends, crashes, staysMs = 0, endsWithinMs = endTimeoutMs } = scenario;
  const stands = () => signals.some((signal) => signal.kind === 'state' && signal.state === reaches);
  const settled = joining.then(() => true);
  if (reaches !== 'nothing' && !(await within(standTimeoutMs, stands, settled))) {
    const outcome = await resultWithin(joining, 0);
    return outcome === null ? `hangs before ${reaches}` : wordOf(outcome);
  }
  if (room !== null) await then?.(room, botName);
  if (crashes === true) await running.crash();
  const outcome = await resultWithin(joining, standTimeoutMs);
  if (outcome === null) return 'hangs';
  if (!outcome.joined) return outcome.end.reason;
  // Resolves at once on platforms without recording permission; on refusal the session ends.
  const mayRecord = running.session.mayRecord?.(running.signal).then(
    () => true,
    () => false,
  );
  if (scenario.chats === true) {
    const delivery = await running.session.sendChat('Good morning');
    if (!delivery.sent) return `in-call, without chat: ${delivery.what}`;
  }
  const end = () => signals.find((signal) => signal.kind === 'ended')?.end.reason;
  const waitMs = ends === 'in-call' ? staysMs : endsWithinMs;
  await within(waitMs, () => end() !== undefined);
  if (end() === undefined && ends === 'in-call' && (await mayRecord) === false) return end() ?? 'may not record';
  if (end() === undefined && ends === 'in-call') await within(rosterTimeoutMs, () => selvesIn(running.session) > 0);
  return end() ?? 'in-call';
}

function wordOf(outcome: JoinOutcome): string {
  return outcome.joined ? 'in-call' : outcome.end.reason;
}

function selvesIn(session: MeetingSession): number {
  return session.participants().filter(({ isSelf }) => isSelf).length;
}

/** True once the condition holds; false after the timeout, or a moment after `until` settles. */
async function within(timeoutMs: number, condition: () => boolean, until?: Promise<unknown>): Promise<boolean> {
  let over = false;
  void until?.then(() => {
    over = true;
  });
  for (const deadline = performance.now() + timeoutMs; performance.now() < deadline && !condition();) {
    if (over) break;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  return condition();
}
