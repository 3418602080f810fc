import pg from 'pg';
import type { Keys } from '../run/plan.ts';
import type { ServiceStack } from './service-stack.ts';

export interface Team {
  readonly id: string;
  readonly keys: Keys;
}

export interface Plan {
  readonly name: string;
  readonly requestsPerSecond: number;
  readonly dailyBotCap: number;
}

const knownMs = 10_000;
/** Longer than the lifetime of any bot here, so that no data is deleted during a count. */
const keptDays = 36_500;

/** Creates teams and reads the database, as an operator can. */
export class Operator {
  readonly #stack: ServiceStack;
  readonly #database: pg.Pool;

  private constructor(stack: ServiceStack, database: pg.Pool) {
    this.#stack = stack;
    this.#database = database;
  }

  static async open(stack: ServiceStack): Promise<Operator> {
    const database = new pg.Pool({ connectionString: stack.databaseUrl, connectionTimeoutMillis: 10_000, max: 4 });
    // An idle connection that ends is replaced at the next query.
    database.on('error', () => undefined);
    await database.query('select 1');
    return new Operator(stack, database);
  }

  close(): Promise<void> {
    return this.#database.end();
  }

  /** Creates a plan; a second one of the same name is a no-op. */
  async addPlan({ name, requestsPerSecond, dailyBotCap }: Plan): Promise<void> {
    await this.#database.query(
      `insert into identity.plans (name, requests_per_second, daily_bot_cap, retention_days) values ($1, $2, $3, ${keptDays})
       on conflict (name) do nothing`,
      [name, requestsPerSecond, dailyBotCap],
    );
  }

  /** Creates a team and waits until the scheduler has it. Former keys are optional: one has to expire first. */
  async addTeam(name: string, options: { plan: string; tokens: number; formerKeys?: boolean }): Promise<Team> {
    const { plan, tokens, formerKeys = false } = options;
    const created = await this.#admin('POST', '/teams', { name, plan, tokens });
    const id = String(created['team_id']);
    const key = async (body: object): Promise<Record<string, unknown>> =>
      this.#admin('POST', `/teams/${id}/keys`, body);
    const sending = await key({ name: 'sending', permission: 'sending' });
    const keys = { full: String(created['api_key']), sending: String(sending['api_key']), revoked: '', expired: '' };
    if (formerKeys) {
      const revoked = await key({ name: 'revoked' });
      const expired = await key({ name: 'expired', expires_at: new Date(Date.now() + 1_500).toISOString() });
      await this.#admin('DELETE', `/keys/${String(revoked['key_id'])}`);
      Object.assign(keys, { revoked: String(revoked['api_key']), expired: String(expired['api_key']) });
    }
    await this.#untilKnown(id);
    return { id, keys };
  }

  /** Waits until the scheduler booked the team's tokens and the short-lived key has expired. */
  async #untilKnown(teamId: string): Promise<void> {
    const deadline = Date.now() + knownMs;
    for (;;) {
      const found = await this.#database.query(
        `select 1 from bots.token_accounts a join bots.team_limits l using (team_id)
          where team_id = $1 and a.balance > 0
            and not exists (select 1 from identity.api_keys k where k.team_id = $1 and k.expires_at > clock_timestamp())`,
        [teamId],
      );
      if (found.rowCount === 1) return;
      if (Date.now() > deadline) throw new Error(`The scheduler did not receive team ${teamId} within ${knownMs} ms.`);
      await this.#database.query('select pg_sleep(0.1)');
    }
  }

  /** Rows of a statement, for measuring and counting. */
  async query<T extends Record<string, unknown>>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> {
    return (await this.#database.query<T>(sql, [...parameters])).rows;
  }

  /** How many rows each table of schema `bots` has that names this team, or that names no team at all. */
  async rowsOf(teamId: string): Promise<Record<string, number>> {
    const tables = await this.#database.query<{ name: string; has_team: boolean; has_bot: boolean }>(
      `select t.table_name as name,
              bool_or(c.column_name = 'team_id') as has_team, bool_or(c.column_name = 'bot_id') as has_bot
         from information_schema.tables t join information_schema.columns c using (table_schema, table_name)
        where t.table_schema = 'bots' and t.table_type = 'BASE TABLE' and t.table_name <> 'migrations'
        group by t.table_name order by 1`,
    );
    const counts: Record<string, number> = {};
    for (const { name, has_team: hasTeam, has_bot: hasBot } of tables.rows) {
      const where = hasTeam
        ? 'where team_id = $1'
        : hasBot
          ? 'where bot_id in (select id from bots.bots where team_id = $1)'
          : 'where position($1 in t::text) > 0';
      const counted = await this.#database.query<{ rows: string }>(
        `select count(*) as rows from bots."${name}" t ${where}`,
        [teamId],
      );
      counts[name] = Number(counted.rows[0]?.rows ?? 0);
    }
    return counts;
  }

  /** Revokes every key of a team. */
  async revokeKeys(teamId: string): Promise<void> {
    const keys = (await this.#admin('GET', `/teams/${teamId}/keys`)) as unknown as readonly Record<string, unknown>[];
    for (const key of keys)
      if (key['revoked_at'] === null) await this.#admin('DELETE', `/keys/${String(key['key_id'])}`);
  }

  async tokensOf(teamId: string): Promise<{ balance: number; reserved: number }> {
    const found = await this.#database.query<{ balance: string; reserved: string }>(
      'select balance, reserved from bots.token_accounts where team_id = $1',
      [teamId],
    );
    return { balance: Number(found.rows[0]?.balance), reserved: Number(found.rows[0]?.reserved) };
  }

  async #admin(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const { url, token } = this.#stack.admin;
    const response = await fetch(`${url}/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok) throw new Error(`${method} ${path} got ${response.status}: ${await response.text()}`);
    return ((await response.json()) as { data: Record<string, unknown> }).data;
  }
}
