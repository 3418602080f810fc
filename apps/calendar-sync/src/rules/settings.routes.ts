import { Router } from 'express';
import { invalid, jsonBody, readInput, teamOf } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { z } from 'zod';
import type { TeamSettingsRow } from '../schema/entities.ts';
import { readDomain } from '../guests/judge-guest.ts';
import { changeAhead } from './rules.routes.ts';
import type { ChangeDependencies } from './rules.routes.ts';

const path = '/internal/v2/calendar-settings';
const limitBytes = 64 * 1_024;
const settingsBody = z.object({
  own_domains: z.array(z.string()).max(100).nullable(),
  one_bot_per: z.enum(['meeting', 'calendar']).default('meeting'),
});

/** Routes of a team's settings for rules, in all of its calendars. */
export function settingsRoutes(auth: InternalAuth, dependencies: ChangeDependencies): Router {
  const router = Router();
  const gatewayOnly = auth.require(['api-gateway']);
  router.get(path, gatewayOnly, async (request, response) => {
    const [row] = await dependencies.database.query<TeamSettingsRow>('select * from team_settings where team_id = $1', [
      teamOf(request),
    ]);
    response.json({ success: true, data: describe(row) });
  });
  router.put(path, gatewayOnly, jsonBody({ limitBytes }), async (request, response) => {
    const teamId = teamOf(request);
    const { own_domains, one_bot_per } = readInput(settingsBody, request.body);
    const domains = readDomains(own_domains);
    const at = new Date(dependencies.clock.now());
    const row = await changeAhead(dependencies, teamId, async (transaction) => {
      const [stored] = await transaction.query<TeamSettingsRow>(
        `insert into team_settings (team_id, own_domains, one_bot_per, updated_at) values ($1, $2, $3, $4)
         on conflict (team_id) do update set own_domains = excluded.own_domains, one_bot_per = excluded.one_bot_per,
           updated_at = excluded.updated_at returning *`,
        [teamId, domains, one_bot_per, at],
      );
      return stored;
    });
    response.json({ success: true, data: describe(row) });
  });
  return router;
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
