import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { provideBinaries } from '@rapporteur/cluster';
import { documentedCommands, waitFor } from '@rapporteur/testbed';
import { clusterPod, openClusterScheduler } from './testing/cluster-scheduler.ts';
import type { ClusterScheduler } from './testing/cluster-scheduler.ts';
import { addTeam } from './testing/test-scheduler.ts';

let opened: ClusterScheduler;
let teamId: string;
beforeAll(async () => {
  opened = await openClusterScheduler({ REJOINS_AFTER_FAILURE: '1', KUBERNETES_LEAVE_NODES: 'cordoned' });
  // Tests cordon them.
  const own = await opened.cluster.ownNodes(2);
  await opened.scheduler.start({ KUBERNETES_POD: JSON.stringify({ ...clusterPod, ...own }) });
  teamId = await addTeam(opened.scheduler.database);
});
afterAll(() => opened.remove());

interface Job {
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly status?: { readonly succeeded?: number; readonly failed?: number };
}

async function jobsOf(botId: string): Promise<Job[]> {
  const { client, namespace } = opened.cluster;
  const path = `/apis/batch/v1/namespaces/${namespace}/jobs?labelSelector=rapporteur.dev%2Fbot%3D${botId}`;
  const { items } = await client.request<{ items: Job[] }>('GET', path);
  return items.toSorted((one, other) => one.metadata.name.localeCompare(other.metadata.name));
}

const leave = (botId: string) => opened.scheduler.sendRequest('POST', `/internal/v2/bots/${botId}/leave`, teamId);

async function recordingBot(): Promise<string> {
  const botId = await opened.scheduler.sendBot(teamId, 'records');
  await opened.scheduler.waitForStatus(botId, 'in_call_recording');
  return botId;
}

/** In the sequence of writing, each once. */
async function causesOf(botId: string): Promise<(string | null)[]> {
  const sql = 'select cause from bots.run_ends where bot_id = $1 order by attempt';
  const rows = await opened.scheduler.database.query<{ cause: string | null }>(sql, [botId]);
  return rows.map(({ cause }) => cause);
}

const attendancesOf = (botId: string) => opened.runners.attendances.filter((one) => one.botId === botId);

describe('the whole scheduler on a real control plane', () => {
  test('runs a bot as one Job, from the request to its end', async () => {
    const botId = await recordingBot();
    const [job, ...others] = await jobsOf(botId);
    expect(others).toEqual([]);
    expect(job?.metadata.name).toBe(`bot-${botId}-1`);
    expect(job?.metadata.labels).toMatchObject({
      'rapporteur.dev/team': teamId,
      'rapporteur.dev/platform': 'meet',
      'rapporteur.dev/mode': 'attend',
    });
    expect((await leave(botId)).status).toBe(200);
    expect(await opened.scheduler.waitForStatus(botId, 'completed')).toMatchObject({ end_code: 'API_REQUEST' });
    await waitFor(async () => (await causesOf(botId))[0] === 'completed', { what: 'the end' });
    await waitFor(async () => (await jobsOf(botId))[0]?.status?.succeeded === 1, {
      what: 'the Job',
    });
  });

  test('rejoins with another Job when a runner is killed, and never attends twice at a time', async () => {
    const botId = await recordingBot();
    expect(opened.pods.kill(`bot-${botId}-1`)).toBe(true);
    await waitFor(() => attendancesOf(botId).length === 2, { what: 'the second attendance' });
    const [first, second] = attendancesOf(botId);
    expect(second!.joinedAtMs).toBeGreaterThanOrEqual(first!.leftAtMs!);
    await leave(botId);
    await opened.scheduler.waitForStatus(botId, 'completed');
    expect((await jobsOf(botId)).map(({ metadata }) => metadata.name)).toEqual([`bot-${botId}-1`, `bot-${botId}-2`]);
    await waitFor(async () => (await causesOf(botId)).length === 2, { what: 'both ends' });
    expect(await causesOf(botId)).toEqual(['killed', 'completed']);
    expect(await opened.scheduler.events(botId, 'bots.v1.ended')).toHaveLength(1);
  });

  test('finds its bots again after it was killed, and the end of one that ended meanwhile', async () => {
    const [stays, dies] = [await recordingBot(), await recordingBot()];
    await opened.scheduler.end('SIGKILL');
    opened.pods.kill(`bot-${dies}-1`);
    await opened.scheduler.start();
    await waitFor(() => attendancesOf(dies).length === 2, { what: 'the bot to rejoin' });
    expect(attendancesOf(stays)).toHaveLength(1);
    for (const botId of [stays, dies]) {
      await leave(botId);
      expect(await opened.scheduler.waitForStatus(botId, 'completed')).toMatchObject({
        end_code: 'API_REQUEST',
      });
      expect(await opened.scheduler.events(botId, 'bots.v1.ended')).toHaveLength(1);
    }
  });

  test.each([
    ['drained', true],
    ['cordoned', false],
  ])(
    'moves a bot to another node when its own is %s; the first run leaves once the second records',
    async (_how, evicts) => {
      const botId = await recordingBot();
      const { client, namespace, podOf } = opened.cluster;
      const { metadata, spec } = (await podOf(`bot-${botId}-1`)) ?? {};
      const node = `/api/v1/nodes/${spec?.nodeName}`;
      await client.request('PATCH', node, { spec: { unschedulable: true } });
      try {
        const path = `/api/v1/namespaces/${namespace}/pods/${metadata?.name}/eviction`;
        const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: metadata?.name, namespace } };
        if (evicts) await client.request('POST', path, eviction);
        await waitFor(() => (attendancesOf(botId)[0]?.leftAtMs ?? null) !== null, { what: 'the first run to leave' });
        const [first, second, ...others] = attendancesOf(botId);
        expect(others).toEqual([]);
        expect(second?.joinedAtMs).toBeLessThan(first?.leftAtMs ?? 0);
        expect((await podOf(`bot-${botId}-2`))?.spec?.nodeName).not.toBe(spec?.nodeName);
        await waitFor(async () => (await causesOf(botId)).length === 1, { what: 'the end of the first run' });
        expect(await opened.scheduler.bot(botId)).toMatchObject({ phase: 'recording', attempt: 2, moves: 1 });
        await leave(botId);
        const ended = await opened.scheduler.waitForStatus(botId, 'completed');
        expect(ended).toMatchObject({ end_code: 'API_REQUEST', recorded: true });
        expect(await opened.scheduler.events(botId, 'bots.v1.ended')).toHaveLength(1);
      } finally {
        await client.request('PATCH', node, { spec: { unschedulable: null } });
      }
    },
  );

  test('reports a bot whose pod is deleted as stopped, with what it recorded', async () => {
    const botId = await recordingBot();
    const { client, namespace, podOf } = opened.cluster;
    const pod = await podOf(`bot-${botId}-1`);
    await client.request('DELETE', `/api/v1/namespaces/${namespace}/pods/${pod?.metadata.name}`);
    const bot = await opened.scheduler.waitForStatus(botId, 'failed');
    expect(bot).toMatchObject({ end_code: 'SIGTERM', recorded: true, attempt: 1 });
    expect(bot.artifacts).not.toEqual([]);
  });
});

describe('the runbook of bots in Kubernetes', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/runbooks/bots-in-kubernetes.md'), 'utf8');
  const isAboutLogs = (command: string): boolean => command.includes(' logs ');
  const commands = documentedCommands(page, 'sh').filter((command) => command.startsWith('kubectl '));
  let botId = '';
  beforeAll(async () => void (botId = await recordingBot()));

  const filled = (text: string): string =>
    text
      .replaceAll('TEAM_ID', teamId)
      .replaceAll('BOT_ID', botId)
      .replaceAll('-n bots', `-n ${opened.cluster.namespace}`)
      .replaceAll('namespace: bots', `namespace: ${opened.cluster.namespace}`);

  async function kubectl(command: string, input = ''): Promise<string> {
    const program = join(await provideBinaries(() => undefined), 'kubectl');
    const running = promisify(execFile)(program, filled(command).split(' ').slice(1), {
      env: { KUBECONFIG: process.env['KUBECONFIG'], HOME: '/nonexistent' },
      timeout: 60_000,
    });
    running.child.stdin?.end(input);
    return (await running).stdout;
  }

  test.each(commands.filter((command) => !isAboutLogs(command)))('%s', async (command) => {
    expect(await kubectl(command)).toContain(botId);
  });

  // A fake node has no kubelet: the command is sent to the pod's node.
  test.each(commands.filter(isAboutLogs))('%s', async (command) => {
    await expect(kubectl(command)).rejects.toThrow(/no preferred addresses found/);
  });

  test.each(documentedCommands(page, 'sql'))('%s', async (statement) => {
    await expect(opened.scheduler.database.query(filled(statement))).resolves.toBeInstanceOf(Array);
  });

  test('has a Role that a cluster accepts, with all that bot-scheduler may do', async () => {
    const [role = ''] = documentedCommands(page, 'yaml');
    await kubectl('kubectl apply -f -', filled(role));
    await kubectl('kubectl -n bots create rolebinding of-a-test --role=bot-scheduler --user=someone');
    const mayDo = async (what: string): Promise<string> =>
      (await kubectl(`kubectl -n bots auth can-i ${what} --as=someone`).catch(() => 'no')).trim();
    await kubectl('kubectl create clusterrolebinding of-a-test --clusterrole=bot-scheduler-nodes --user=someone');
    const needed = [
      'create jobs',
      'watch jobs',
      'delete jobs',
      'watch pods',
      'delete pods',
      'get pods/log',
      'list nodes',
      'watch nodes',
    ];
    for (const what of needed) expect([what, await mayDo(what)]).toEqual([what, 'yes']);
    for (const what of ['get secrets', 'create pods', 'patch nodes', 'delete nodes'])
      expect([what, await mayDo(what)]).toEqual([what, 'no']);
  });
});
