import type { RequestHandler } from 'express';
import { invalid } from '@rapporteur/service-runtime';
import { acceptedOf } from '../contract/validator.ts';
import { keyOf } from '../keys/authentication.ts';
import type { TeamRecord, Teams } from './teams.store.ts';

/** Handlers of the operations on a team's retention, by operation id. */
export function retentionOperations(teams: Pick<Teams, 'find' | 'change'>): Readonly<Record<string, RequestHandler>> {
  return {
    getRetentionSettings: async (request, response) => {
      response.json({ success: true, data: shownOf(await teams.find(keyOf(request).teamId)) });
    },
    setRetentionSettings: async (request, response) => {
      const { teamId } = keyOf(request);
      const { days } = acceptedOf(request).body as { readonly days: number | null };
      const { maximum_retention_days: most } = await teams.find(teamId);
      if (days !== null && days > most) {
        throw invalid('days', `The team's plan keeps data for at most ${most} days.`);
      }
      response.json({ success: true, data: shownOf(await teams.change(teamId, { chosen_retention_days: days })) });
    },
  };
}

function shownOf({ chosen_retention_days, maximum_retention_days, retention_days }: TeamRecord) {
  return { days: chosen_retention_days, maximum_days: maximum_retention_days, effective_days: retention_days };
}
