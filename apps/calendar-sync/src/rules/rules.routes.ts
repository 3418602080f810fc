import { randomUUID } from 'node:crypto';
import type { Router } from 'express';
import { insertRow } from '@rapporteur/database';
import type { Executor, Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { servePublic } from '@rapporteur/service-runtime';
import type { BodyOf, Clock, InternalAuth } from '@rapporteur/service-runtime';
import { insertBotConfig } from '../bots/bot-configs.store.ts';
import { wantingEventSql } from '../bots/decide-bots.ts';
import type { DecideBots } from '../bots/decide-bots.ts';
import { seenByRule } from '../bots/wanted-bot.ts';
import type { WantingEvent } from '../bots/wanted-bot.ts';
import { rules } from '../schema/entities.ts';
import type { RuleRow } from '../schema/entities.ts';
import type { Sealing } from '../sealing.ts';
import { matchRule } from '../bots/match-rule.ts';
import { judgeGuests } from '../guests/judge-guest.ts';
import { teamTransaction } from '../bots/team-transaction.ts';
import type { TeamTransaction } from '../bots/team-transaction.ts';

export interface RuleDependencies extends ChangeDependencies {
  readonly sealing: Sealing;
}

const dryRunMs = 14 * 86_400_000;
const mostShown = 500;
const mostRules = 50;

/** The API of rules, which schedule bots on matching events. */
export function ruleRoutes(auth: InternalAuth, dependencies: RuleDependencies): Router {
  const { database } = dependencies;
  return servePublic(auth, {
    createCalendarRule: async ({ teamId, body }) => ({
      data: describeRule(await createRule(dependencies, teamId, body)),
    }),
    listCalendarRules: async ({ teamId }) => {
      const sql = 'select * from rules where team_id = $1 order by created_at, rule_id';
      return { data: (await database.query<RuleRow>(sql, [teamId])).map(describeRule) };
    },
    dryRunCalendarRule: async ({ teamId, body: { conditions, ...rule } }) => {
      const events = await loadAhead(database, teamId, dependencies.clock.now());
      const data = events.slice(0, mostShown).map((event) => {
        const { matches, reasons } = matchRule(conditions, seenByRule(event, rule));
        const hasTime = !event.is_all_day && event.meeting_url !== null;
        const problem = event.is_all_day ? 'It lasts the whole day.' : 'It holds no meeting link.';
        return {
          event_id: event.event_id,
          calendar_id: event.calendar_id,
          title: event.title,
          start_time: event.start_at.toISOString(),
          would_get_bot: matches && hasTime,
          reasons: hasTime ? reasons : [...reasons, problem],
          guests: conditions.external_guests ? judgeGuests(event) : [],
        };
      });
      return { data };
    },
    updateCalendarRule: async ({ teamId, params, body }) => ({
      data: describeRule(await updateRule(dependencies, { teamId, ruleId: params.rule_id }, body)),
    }),
    deleteCalendarRule: async ({ teamId, params }) => {
      await changeAhead(dependencies, teamId, async (transaction) => {
        const sql = 'delete from rules where team_id = $1 and rule_id = $2 returning *';
        const [gone] = await transaction.query<RuleRow>(sql, [teamId, params.rule_id]);
        if (gone === undefined) throw fail('CALENDAR_RULE_NOT_FOUND');
        return gone;
      });
      return { data: { message: 'The rule is deleted, and its bots that have not started with it.' } };
    },
  });
}

async function createRule(
  dependencies: RuleDependencies,
  teamId: string,
  body: BodyOf<'createCalendarRule'>,
): Promise<RuleRow> {
  const at = new Date(dependencies.clock.now());
  return await changeAhead(dependencies, teamId, async (transaction) => {
    const [counted] = await transaction.query<{ rules: number }>(
      'select count(*)::int as rules from rules where team_id = $1',
      [teamId],
    );
    if ((counted?.rules ?? 0) >= mostRules) throw fail('CALENDAR_RULE_LIMIT');
    const configId = await insertBotConfig(transaction, dependencies.sealing, { teamId, body: body.bot, at });
    return await insertRow(transaction, rules, {
      rule_id: randomUUID(),
      team_id: teamId,
      name: body.name,
      enabled: body.enabled,
      conditions: body.conditions,
      bot_config_id: configId,
      preferred_platform: body.preferred_platform,
      created_at: at,
      updated_at: at,
    });
  });
}

async function updateRule(
  dependencies: RuleDependencies,
  { teamId, ruleId }: { readonly teamId: string; readonly ruleId: string },
  { name, enabled, conditions, preferred_platform: preferred, bot }: BodyOf<'updateCalendarRule'>,
): Promise<RuleRow> {
  const at = new Date(dependencies.clock.now());
  return await changeAhead(dependencies, teamId, async (transaction) => {
    const configId =
      bot === undefined ? null : await insertBotConfig(transaction, dependencies.sealing, { teamId, body: bot, at });
    const [row] = await transaction.query<RuleRow>(
      `update rules set name = coalesce($3, name), enabled = coalesce($4, enabled),
         conditions = coalesce($5::jsonb, conditions), bot_config_id = coalesce($6, bot_config_id), updated_at = $7,
         preferred_platform = case when $8 then $9 else preferred_platform end
       where team_id = $1 and rule_id = $2 returning *`,
      [
        teamId,
        ruleId,
        name ?? null,
        enabled ?? null,
        conditions === undefined ? null : JSON.stringify(conditions),
        configId,
        at,
        preferred !== undefined,
        preferred ?? null,
      ],
    );
    if (row === undefined) throw fail('CALENDAR_RULE_NOT_FOUND');
    return row;
  });
}

async function loadAhead(executor: Executor, teamId: string, nowMs: number): Promise<WantingEvent[]> {
  return await executor.query<WantingEvent>(
    `${wantingEventSql} where event.team_id = $1 and connection.deleted_at is null and event.status <> 'cancelled'
       and event.start_at between $2 and $3 order by event.start_at, event.event_id limit ${mostShown}`,
    [teamId, new Date(nowMs), new Date(nowMs + dryRunMs)],
  );
}

function describeRule(row: RuleRow) {
  return {
    rule_id: row.rule_id,
    name: row.name,
    enabled: row.enabled,
    conditions: row.conditions,
    preferred_platform: row.preferred_platform,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export interface ChangeDependencies {
  readonly database: Database;
  readonly decideBots: DecideBots;
  readonly clock: Clock;
  /** Notifies the worker that bots are to be applied. */
  readonly onDecided: () => void;
}

/** Runs a change of rules or settings; the resulting changes of wanted bots commit with it. */
export async function changeAhead<T>(
  { database, decideBots, clock, onDecided }: ChangeDependencies,
  teamId: string,
  work: (transaction: TeamTransaction) => Promise<T>,
): Promise<T> {
  const result = await teamTransaction(database, teamId, async (transaction) => {
    const changed = await work(transaction);
    const ahead = await transaction.query<{ event_id: string }>(
      'select event_id from events where team_id = $1 and end_at > $2',
      [teamId, new Date(clock.now())],
    );
    await decideBots(
      transaction,
      teamId,
      ahead.map(({ event_id }) => event_id),
    );
    return changed;
  });
  onDecided();
  return result;
}
