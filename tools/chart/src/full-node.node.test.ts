import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { botsNamespace, namespace, openTrialInstallation } from './trial-installation.ts';
import type { Room, TrialInstallation } from './trial-installation.ts';

let trial: TrialInstallation;

beforeAll(async () => {
  trial = await openTrialInstallation(['--set-string', 'bots.disruption=end']);
});

afterAll(async () => {
  await (trial as TrialInstallation | undefined)?.stop();
});

interface Transcription {
  readonly provider: string;
  readonly result: { readonly utterances: readonly object[] };
}

const inBots = ['--namespace', botsNamespace];
const drainOptions = ['--delete-emptydir-data', '--force', '--timeout=120s'];

/** A recording bot, in a meeting that continues. */
async function recordingBot(): Promise<{ room: Room; botId: string }> {
  const room = await trial.startRoom({ platform: 'meet', speakers: 2 });
  const botId = await trial.sendBot(room);
  await trial.waitForRecording(botId);
  return { room, botId };
}

async function fill(podName: string, file: string): Promise<void> {
  const command = ['--', 'dd', 'if=/dev/zero', `of=${file}`, 'bs=1M', 'count=1400'];
  // Its container may end earlier.
  await trial.node.kubectl('exec', ...inBots, podName, ...command).catch(() => undefined);
}

async function expectVideo(botId: string, atLeastSeconds: number): Promise<void> {
  const { video } = await trial.waitForStatus(botId, ['completed', 'failed']);
  const { seconds, streams } = await trial.probe(video ?? '');
  expect(streams).toEqual(['audio', 'video']);
  expect(seconds).toBeGreaterThan(atLeastSeconds);
}

/** The end code of docs/runbooks/bots-in-kubernetes.md, and the recording up to the end. */
async function expectFailure(botId: string, ...codes: readonly string[]): Promise<void> {
  const { error_code: code } = await trial.waitForStatus(botId, ['failed']);
  expect(codes).toContain(code);
  await expectVideo(botId, 5);
}

describe('the trial installation on nodes that run containers, where bots do not move', () => {
  test('installs, and helm test passes', async () => {
    expect(await trial.install()).toContain('helm test rapporteur');
    expect(await trial.helm('test', 'rapporteur', '--timeout', '120s')).toContain('Succeeded');
    await trial.createTeam();
  });

  test('records and transcribes a meeting requested through the Ingress to its end', async () => {
    const room = await trial.startRoom({
      platform: 'meet',
      speakers: 2,
      faults: [{ kind: 'host-ends', on: 'admitted', afterSeconds: 40 }],
    });
    const botId = await trial.sendBot(room, { transcription_enabled: true });
    const { transcription } = await trial.waitForStatus(botId, ['completed']);
    await expectVideo(botId, 20);
    const { provider, result } = await trial.readJson<Transcription>(transcription);
    expect(provider).toBe('local');
    expect(result.utterances.length).toBeGreaterThan(0);
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

  test('a drained node ends the bot, with its video', async () => {
    const { botId } = await recordingBot();
    const { name, nodeName } = await trial.podOf(botId);
    await trial.node.kubectl('drain', nodeName, ...drainOptions, '--pod-selector=rapporteur.dev/bot');
    await trial.node.kubectl('uncordon', nodeName);
    await expectFailure(botId, 'SIGTERM');
    await trial.node.kubectl('wait', '--for=delete', `pod/${name}`, ...inBots, '--timeout=60s');
  });

  test('an eviction by the kubelet ends the bot, with its video', async () => {
    const { botId } = await recordingBot();
    const { name } = await trial.podOf(botId);
    await fill(name, '/tmp/filled');
    // The kubelet allows it one second, in which the runner may report its end itself.
    await expectFailure(botId, 'SIGTERM', 'FORCE_KILLED');
    expect(await trial.node.kubectl('get', 'pod', name, ...inBots, '-o', 'jsonpath={.status.reason}')).toBe('Evicted');
  });

  test('a container out of memory ends the bot, with its video', async () => {
    const { botId } = await recordingBot();
    await fill((await trial.podOf(botId)).name, '/dev/shm/filled');
    await expectFailure(botId, 'OOM_KILLED');
  });

  test('a lost node ends the bot, with its video made on the other node', async () => {
    const [first, second] = trial.node.nodeNames;
    await trial.node.kubectl('cordon', first);
    const { botId } = await recordingBot();
    await trial.node.kubectl('uncordon', first);
    const { uid, nodeName } = await trial.podOf(botId);
    expect(nodeName).toBe(second);
    await trial.node.loseNode(second, [uid]);
    await trial.node.kubectl('wait', '--for=condition=Ready=unknown', `node/${second}`, '--timeout=60s');
    await expectFailure(botId, 'FORCE_KILLED');
    await trial.node.recoverNode(second);
  });

  test('uninstalls without remains but the namespace of bots, which is deleted by hand', async () => {
    await trial.helm('uninstall', 'rapporteur', '--wait', '--timeout', '180s');
    await trial.node.kubectl('delete', 'namespace', botsNamespace, '--timeout=120s');
    await trial.node.kubectl('wait', '--for=delete', 'pods', '--all', '--namespace', namespace, '--timeout=120s');
    const kinds =
      'all,configmaps,persistentvolumeclaims,serviceaccounts,roles,networkpolicies,ingresses,poddisruptionbudgets';
    const left = await trial.node.kubectl('get', kinds, '--namespace', namespace, '--output=name');
    expect(left.trim().split('\n')).toEqual(['configmap/kube-root-ca.crt', 'serviceaccount/default']);
    expect(
      await trial.node.kubectl(
        'get',
        'clusterroles,clusterrolebindings',
        '-l',
        'app.kubernetes.io/part-of=rapporteur',
        '-o',
        'name',
      ),
    ).toBe('');
  });
});
