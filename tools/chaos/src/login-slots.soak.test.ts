// Two whole stacks one after the other, and reservations without a bot: they are released after 45 s.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { numberedMeeting, Operator, startServiceStack } from '@rapporteur/api-fuzz';
import type { ServiceStack } from '@rapporteur/api-fuzz';
import { childrenOf, waitFor } from '@rapporteur/testbed';
import { startProtocolStack } from './open-parts.ts';
import { startOracle } from './oracle.ts';

const releaseMs = 60_000;
const plan = { name: 'logins', requestsPerSecond: 1_000, dailyBotCap: 1_000_000 } as const;
const bursts = 3;
let meetings = 0;
const stops: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
}, 120_000);

interface Response {
  readonly status: number;
  readonly body: { readonly code?: string; readonly data: Readonly<Record<string, unknown>> };
}

/** A client of the public API with a team's key. */
function clientOf(url: string, key: string) {
  return async (method: string, path: string, body?: object): Promise<Response> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'x-service-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    return { status: response.status, body: (await response.json()) as Response['body'] };
  };
}
type Client = ReturnType<typeof clientOf>;

async function createPool(api: Client, logins: number): Promise<void> {
  const { body } = await api('POST', '/v2/meet-workspaces', { domain: 'example.com', generate_keypair: true });
  for (let number = 1; number <= logins; number += 1) {
    const login = { email: `bot-${number}@example.com`, name: 'Bot', workspace_id: body.data['workspace_id'] };
    expect((await api('POST', '/v2/meet-logins', login)).status).toBe(201);
  }
}

const createBot = (api: Client, more: object = {}) =>
  api('POST', '/v2/bots', {
    bot_name: 'Signed in',
    meeting_url: numberedMeeting((meetings += 1)),
    meet_config: { email_group: '' },
    ...more,
  });
const sessions = async (api: Client) =>
  (await api('GET', '/v2/meet-logins/utilization')).body.data['concurrent_sessions'];
const allReleased = (api: Client) =>
  waitFor(async () => (await sessions(api)) === 0, { what: 'the release of every slot', timeoutMs: releaseMs });
const kill = (pid: number | undefined) => process.kill(pid ?? Number.NaN, 'SIGKILL');

/** A second gateway, scheduler and identity provider, each using the other's copy. */
async function startReplicas(stack: ServiceStack) {
  const sso = await stack.startCopy('sso-idp');
  const SSO = { RAPPORTEUR_SSO_IDP_URL: sso.url };
  const scheduler = await stack.startCopy('bot-scheduler', { settings: SSO });
  const settings = { ...SSO, RAPPORTEUR_BOT_SCHEDULER_URL: scheduler.url };
  const gateway = await stack.startCopy('api-gateway', { settings });
  return { sso, scheduler, gateway };
}

describe('100 bots at once on 3 logins with 20 slots', () => {
  test('get exactly 60 through two replicas; replicas that are killed meanwhile leak no slot', async () => {
    const stack = await startServiceStack({ gateways: 1, say: () => undefined });
    stops.push(() => stack.stop());
    const operator = await Operator.open(stack);
    stops.push(() => operator.close());
    await operator.addPlan(plan);
    const replicas = await startReplicas(stack);
    const bases = [stack.gatewayUrls[0] ?? '', replicas.gateway.url];
    const startTeam = async (number: number) => {
      const team = await operator.addTeam(`logins ${number}`, { plan: plan.name, tokens: 3_600_000_000 });
      const apis = bases.map((url) => clientOf(url, team.keys.full)) as [Client, Client];
      await createPool(apis[0], 3);
      return { id: team.id, apis };
    };
    const activeBots = async (teamId: string) =>
      (
        await operator.query<{ id: string }>('select id from bots.bots where team_id = $1 and ended_at is null', [
          teamId,
        ])
      ).map(({ id }) => id);
    const leaveAll = async (api: Client, teamId: string) => {
      for (const id of await activeBots(teamId))
        expect((await api('POST', `/v2/bots/${id}/leave`)).status).toBeLessThan(300);
    };

    for (let burst = 1; burst <= bursts; burst += 1) {
      const { id, apis } = await startTeam(burst);
      const responses = await Promise.all(
        Array.from({ length: 100 }, (_, index) => createBot(apis[index % 2 ? 1 : 0])),
      );
      const codes = responses.map(({ status, body }) => (status === 201 ? 201 : (body.code ?? status)));
      expect(codes.filter((code) => code === 201)).toHaveLength(60);
      expect(codes.filter((code) => code === 'MEET_LOGIN_UNAVAILABLE')).toHaveLength(40);
      expect(await Promise.all(apis.map(sessions))).toEqual([60, 60]);
      await leaveAll(apis[0], id);
      await allReleased(apis[0]);
    }

    const { id, apis } = await startTeam(bursts + 1);
    let answered = 0;
    const sent = Array.from({ length: 100 }, async (_, index) => {
      const response = await createBot(apis[index % 2 ? 1 : 0]).catch(() => null);
      answered += 1;
      return response;
    });
    await waitFor(() => answered >= 20, { what: 'the first responses' });
    kill(replicas.scheduler.pid());
    await waitFor(() => answered >= 40, { what: 'further responses' });
    kill(replicas.sso.pid());
    await Promise.all(sent);
    const killedMs = Date.now();
    const isExact = async () => (await sessions(apis[0])) === (await activeBots(id)).length;
    await waitFor(isExact, { what: 'a slot for each bot and no other', timeoutMs: releaseMs });
    const bots = await activeBots(id);
    console.info(`${bots.length} bots hold slots, exact ${Date.now() - killedMs} ms after the burst`);
    expect(bots.length).toBeLessThanOrEqual(60);
    await leaveAll(apis[0], id);
    await allReleased(apis[0]);
  }, 600_000);
});

describe('bots that use logins', () => {
  test('give their slots back when their runners are killed, and when the services are killed too', async () => {
    const dataFolder = mkdtempSync(join(tmpdir(), 'rapporteur-logins-'));
    // PostgreSQL runs as another user when we are root.
    chmodSync(dataFolder, 0o755);
    stops.push(() => rmSync(dataFolder, { recursive: true, force: true, maxRetries: 5 }));
    const oracle = await startOracle(600_000);
    stops.push(() => oracle.stop());
    const stack = await startProtocolStack(dataFolder, () => undefined);
    stops.push(() => stack.stop());
    const api = clientOf(stack.apiUrl, stack.firstKey ?? '');
    await createPool(api, 1);
    const startBots = async (): Promise<string[]> => {
      const made = await Promise.all(
        Array.from({ length: 4 }, () => createBot(api, { entry_message: oracle.meetingUrl })),
      );
      const ids = made.map(({ body }) => String(body.data['bot_id']));
      await waitFor(() => ids.every((botId) => oracle.attendances.has(botId)), {
        what: 'the bots to join',
      });
      expect(await sessions(api)).toBe(4);
      return ids;
    };

    await startBots();
    const killedMs = Date.now();
    for (const pid of childrenOf(stack.pidOf('bot-scheduler') ?? 0)) kill(pid);
    await allReleased(api);
    console.info(`Runners killed: released after ${Date.now() - killedMs} ms`);

    const ids = await startBots();
    const runners = childrenOf(stack.pidOf('bot-scheduler') ?? 0);
    const allKilledMs = Date.now();
    for (const pid of [stack.pidOf('bot-scheduler'), stack.pidOf('sso-idp'), ...runners]) kill(pid);
    const isOver = async () => {
      const statuses = await Promise.all(ids.map(async (botId) => (await api('GET', `/v2/bots/${botId}`)).body.data));
      return statuses.every((data) => data?.['status'] === 'failed' || data?.['status'] === 'completed');
    };
    await waitFor(isOver, { what: 'the end of every bot', timeoutMs: 240_000 });
    const endedMs = Date.now();
    await allReleased(api);
    console.info(
      `Runners, scheduler and sso-idp killed: bots ended after ${endedMs - allKilledMs} ms, slots released ${Date.now() - endedMs} ms later`,
    );
  }, 600_000);
});
