import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTrialInstallation } from './trial-installation.ts';
import type { Room, TrialInstallation } from './trial-installation.ts';

let trial: TrialInstallation;

beforeAll(async () => {
  trial = await openTrialInstallation();
});

afterAll(async () => {
  await trial.stop();
});

const recordingOrLater = ['in_call_recording'];

/** A bot that records, in a meeting that goes on. */
async function recordingBot(): Promise<{ room: Room; botId: string }> {
  const room = await trial.startRoom({ platform: 'meet', speakers: 2 });
  const botId = await trial.sendBot(room);
  await trial.waitForStatus(botId, recordingOrLater);
  return { room, botId };
}

async function expectVideo(botId: string, atLeastSeconds: number): Promise<void> {
  const { video } = await trial.waitForStatus(botId, ['completed', 'failed']);
  const { seconds, streams } = await trial.probe(video ?? '');
  expect(streams).toEqual(['audio', 'video']);
  expect(seconds).toBeGreaterThan(atLeastSeconds);
}

describe('the trial installation on a node that runs containers', () => {
  test('installs, and helm test passes', async () => {
    expect(await trial.install()).toContain('helm test rapporteur');
    expect(await trial.helm('test', 'rapporteur', '--timeout', '120s')).toContain('Succeeded');
    await trial.createTeam();
  });

  test('records a meeting requested through the Ingress to its end', async () => {
    const room = await trial.startRoom({ platform: 'meet', speakers: 2, durationSeconds: 60 });
    const botId = await trial.sendBot(room);
    const { status } = await trial.waitForStatus(botId, ['completed']);
    expect(status).toBe('completed');
    await expectVideo(botId, 20);
  });

  test('upgrades and rolls back with a bot in a meeting, which completes', async () => {
    const { room, botId } = await recordingBot();
    const before = await trial.podOf(botId);
    await trial.upgrade();
    expect(await trial.helm('test', 'rapporteur', '--timeout', '120s')).toContain('Succeeded');
    await trial.helm('rollback', 'rapporteur', '1', '--wait', '--timeout', '280s');
    expect((await trial.podOf(botId)).uid).toBe(before.uid);
    await trial.endRoom(room.code);
    await trial.waitForStatus(botId, ['completed']);
    await expectVideo(botId, 20);
  });
});
