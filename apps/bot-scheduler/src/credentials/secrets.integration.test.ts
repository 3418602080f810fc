import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { internalCalls } from '@rapporteur/contracts';
import { createSecretBox } from '@rapporteur/secret-box';
import { createInternalAuth, createLogger, Secret } from '@rapporteur/service-runtime';
import { generateBots } from '../testing/generated-bots.ts';
import { countingBotRows } from '../testing/row-counts.ts';
import { createdId, openAdmissionHarness } from '../testing/admission-harness.ts';
import type { AdmissionHarness } from '../testing/admission-harness.ts';
import { addTeam, internalSecret, testBox } from '../testing/test-scheduler.ts';
import { readSecret, saveSecrets, sealSecrets } from './bot-secrets.store.ts';
import { rewrapSecrets, createSecretMaintenance } from './secret-maintenance.ts';
import type { SecretMaintenanceDependencies } from './secret-maintenance.ts';

let harness: AdmissionHarness;
let { database, create } = {} as AdmissionHarness;
beforeAll(async () => {
  harness = await openAdmissionHarness();
  ({ database, create } = harness);
});
afterAll(() => harness.close());

const callback_config = { url: 'https://example.com', method: 'POST', secret: 'callback canary' };
const legacy = () => ({ webhook_url: null, api_key: 'key canary', deduplication_key: randomUUID() });
const createWithSecrets = async (teamId: string) =>
  createdId(await create(teamId, { callback_enabled: true, callback_config, legacy: legacy() }));

/** Requests a secret as another service. */
async function sendRequestAs(service: string, body: Record<string, unknown>) {
  return createInternalAuth(service, new Secret(internalSecret)).fetch(
    'bot-scheduler',
    `${harness.url}${internalCalls.bots.secret.path}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    },
  );
}

describe('a secret of a bot', () => {
  test('is given to delivery alone, when it sends', async () => {
    const teamId = await addTeam(database);
    const botId = await createWithSecrets(teamId);
    const secretOf = async (over: Record<string, unknown>) => {
      const response = await sendRequestAs('delivery', { botId, teamId, field: 'callback_secret', ...over });
      expect(response.status).toBe(200);
      return internalCalls.bots.secret.reply.parse(await response.json()).secret;
    };
    expect(await secretOf({})).toBe('callback canary');
    expect(await secretOf({ field: 'legacy_api_key' })).toBe('key canary');
    expect(await secretOf({ field: 'obf_token' })).toBeNull();
    expect(await secretOf({ teamId: randomUUID() })).toBeNull();
    expect(await secretOf({ botId: randomUUID() })).toBeNull();
    expect((await sendRequestAs('api-gateway', { botId, teamId, field: 'callback_secret' })).status).toBe(401);
    expect((await sendRequestAs('delivery', { botId: 'x', teamId, field: 'callback_secret' })).status).toBe(400);
  });

  test('does not open in another row, field or team, nor when a byte of it was changed', async () => {
    const teamId = await addTeam(database);
    const [one, other] = [await createWithSecrets(teamId), await createWithSecrets(teamId)];
    const open = (botId: string, field: string, team = teamId) =>
      readSecret({ database, box: testBox }, { teamId: team, botId }, field);
    await database.query(
      `update bot_secrets set sealed = source.sealed from bot_secrets source
       where bot_secrets.bot_id = $1 and source.bot_id = $2 and source.field = bot_secrets.field and source.field = $3`,
      [one, other, 'callback_secret'],
    );
    await expect(open(one, 'callback_secret')).rejects.toThrow();
    expect(await open(one, 'legacy_api_key')).toBe('key canary');
    await database.query(
      `update bot_secrets set sealed = set_byte(sealed, 90, get_byte(sealed, 90) # 1) where bot_id = $1`,
      [other],
    );
    await expect(open(other, 'legacy_api_key')).rejects.toThrow();
  });

  test('goes with the bot when it is used up, and the legacy key when its webhooks can no longer be sent', async () => {
    const teamId = await addTeam(database);
    const botId = await createWithSecrets(teamId);
    const place = { teamId, botId };
    await saveSecrets(database, place, sealSecrets(testBox, place, { obf_token: 'once' }));
    const fields = async () => {
      const rows = await database.query<{ field: string }>('select field from bot_secrets where bot_id = $1', [botId]);
      return rows.map(({ field }) => field).sort();
    };
    const maintenance = secretMaintenance({ legacyKeyRetentionDays: 30 });
    await maintenance.round();
    expect(await fields()).toEqual(['callback_secret', 'legacy_api_key', 'obf_token']);
    await harness.sendRequest('POST', `/internal/v2/bots/${botId}/leave`, teamId);
    await maintenance.round();
    expect(await fields()).toEqual(['callback_secret', 'legacy_api_key']);
    await harness.clock.advance(30 * 24 * 3_600_000 + 1);
    await maintenance.round();
    expect(await fields()).toEqual(['callback_secret']);
  });
});

interface LoggedLine {
  readonly level: 'info' | 'error';
  readonly message: string;
}

function secretMaintenance(over: {
  box?: SecretMaintenanceDependencies['box'];
  legacyKeyRetentionDays?: number;
  rewrap?: boolean;
}) {
  const lines: LoggedLine[] = [];
  const logger = {
    info: (_fields: object, message: string) => void lines.push({ level: 'info', message }),
    error: (_fields: object, message: string) => void lines.push({ level: 'error', message }),
  };
  const round = createSecretMaintenance({
    database,
    box: over.box ?? testBox,
    logger: logger as unknown as SecretMaintenanceDependencies['logger'],
    now: () => harness.clock.now(),
    settings: { rewrap: over.rewrap ?? false, legacyKeyRetentionDays: over.legacyKeyRetentionDays ?? 30 },
  });
  return { round, lines };
}

test('forgetting secrets reads the bots that have some left, however many ended without', async () => {
  const teamId = await addTeam(database);
  await generateBots(database, { count: 5_000 });
  const botId = await createWithSecrets(teamId);
  await database.query(`update bots set ended_at = now() - interval '400 days' where id = $1`, [botId]);
  await database.query('vacuum analyze bots');
  const counted = countingBotRows(database);
  await counted.database.transaction(async (transaction) => {
    const settings = { rewrap: false, legacyKeyRetentionDays: 30 };
    const logger = createLogger('test', 'silent');
    await createSecretMaintenance({ database: transaction, box: testBox, logger, now: Date.now, settings })();
  });
  expect(counted.rows()).toBeLessThan(100);
  const left = await database.query(`select from bot_secrets where bot_id = $1 and field = 'legacy_api_key'`, [botId]);
  expect(left).toEqual([]);
});

describe('a new key for the deployment', () => {
  const key = (): string => randomBytes(32).toString('base64');

  test('takes over every secret while they are read and written, and then nothing needs the old one', async () => {
    await database.query('delete from bot_secrets');
    const [oldKey, newKey] = [key(), key()];
    const before = createSecretBox({ current: oldKey });
    const both = createSecretBox({ current: newKey, former: [oldKey] });
    const teamId = randomUUID();
    const places = Array.from({ length: 1_200 }, () => ({ teamId, botId: randomUUID() }));
    for (const place of places) {
      await saveSecrets(database, place, sealSecrets(before, place, { callback_secret: place.botId }));
    }
    let rewrapping = true;
    const rewrapped = rewrapSecrets(database, both).finally(() => (rewrapping = false));
    let reads = 0;
    while (rewrapping) {
      const place = places[(reads * 7) % places.length] ?? { teamId, botId: '' };
      expect(await readSecret({ database, box: both }, place, 'callback_secret')).toBe(place.botId);
      reads += 1;
    }
    expect(reads).toBeGreaterThan(0);
    expect(await rewrapped).toEqual({ rewrapped: 1_200, unreadable: 0 });
    const after = createSecretBox({ current: newKey });
    for (const place of places) {
      expect(await readSecret({ database, box: after }, place, 'callback_secret')).toBe(place.botId);
    }
  });

  test('is reported as complete only after a pass that found nothing left', async () => {
    await database.query('delete from bot_secrets');
    const [oldKey, newKey] = [key(), key()];
    const place = { teamId: randomUUID(), botId: randomUUID() };
    const old = createSecretBox({ current: oldKey });
    await saveSecrets(database, place, sealSecrets(old, place, { callback_secret: 's' }));
    const blind = secretMaintenance({ box: createSecretBox({ current: newKey }), rewrap: true });
    await blind.round();
    expect(blind.lines).toMatchObject([{ level: 'error', message: expect.stringContaining('FORMER_SECRET_KEYS') }]);
    const { round, lines } = secretMaintenance({
      box: createSecretBox({ current: newKey, former: [oldKey] }),
      rewrap: true,
    });
    await round();
    expect(lines).toEqual([]);
    await round();
    expect(lines).toMatchObject([{ level: 'info', message: expect.stringContaining('can be emptied') }]);
    await round();
    expect(lines).toHaveLength(1);
  });

  test('does not undo a secret that was changed while it was being rewrapped', async () => {
    await database.query('delete from bot_secrets');
    const [oldKey, newKey] = [key(), key()];
    const place = { teamId: randomUUID(), botId: randomUUID() };
    const both = createSecretBox({ current: newKey, former: [oldKey] });
    const old = createSecretBox({ current: oldKey });
    await saveSecrets(database, place, sealSecrets(old, place, { callback_secret: 'first' }));
    let changed: Promise<void> | undefined;
    const slow = {
      query: async <T>(sql: string, parameters?: readonly unknown[]): Promise<T[]> => {
        if (sql.startsWith('update')) {
          changed ??= saveSecrets(database, place, sealSecrets(both, place, { callback_secret: 'second' }));
          await changed;
        }
        return database.query<T>(sql, parameters);
      },
    };
    expect(await rewrapSecrets(slow, both)).toEqual({ rewrapped: 0, unreadable: 0 });
    expect(await readSecret({ database, box: both }, place, 'callback_secret')).toBe('second');
  });
});
