import type { Router } from 'express';
import { invalid, servePublic } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { TeamSettingsRow } from '../schema/entities.ts';
import { readDomain } from '../guests/judge-guest.ts';
import { changeAhead } from './rules.routes.ts';
import type { ChangeDependencies } from './rules.routes.ts';

/** The API of a team's settings for rules, in all of its calendars. */
export function settingsRoutes(auth: InternalAuth, dependencies: ChangeDependencies): Router {
  return servePublic(auth, {
    getCalendarSettings: async ({ teamId }) => {
      const sql = 'select * from team_settings where team_id = $1';
      const [row] = await dependencies.database.query<TeamSettingsRow>(sql, [teamId]);
      return { data: describe(row) };
    },
    setCalendarSettings: async ({ teamId, body }) => {
      const domains = readDomains(body.own_domains);
      const at = new Date(dependencies.clock.now());
      const row = await changeAhead(dependencies, teamId, async (transaction) => {
        const [stored] = await transaction.query<TeamSettingsRow>(
          `insert into team_settings (team_id, own_domains, one_bot_per, updated_at) values ($1, $2, $3, $4)
           on conflict (team_id) do update set own_domains = excluded.own_domains, one_bot_per = excluded.one_bot_per,
             updated_at = excluded.updated_at returning *`,
          [teamId, domains, body.one_bot_per, at],
        );
        return stored;
      });
      return { data: describe(row) };
    },
  });
}

/** Normalized domains. Throws VALIDATION for a text that is not a domain. */
function readDomains(texts: readonly string[] | null): string[] | null {
  if (texts === null) return null;
  const domains = texts.map((text, index) => {
    const domain = readDomain(text);
    if (domain !== null) return domain;
    throw invalid(`own_domains[${index}]`, 'It is no domain. Write one like example.com, without @.');
  });
  return [...new Set(domains)];
}

function describe(row: TeamSettingsRow | undefined) {
  return { own_domains: row?.own_domains ?? null, one_bot_per: row?.one_bot_per ?? 'meeting' };
}
