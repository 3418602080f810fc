import { baseline } from '@rapporteur/database';
import { outboxTablesSql } from '@rapporteur/event-bus';

const more = `
  alter table bots alter number set generated always;
  create index bots_to_forget_early on bots ((ended_at at time zone 'UTC' + retention_hours * interval '1 hour'))
    where retention_hours is not null and ended_at is not null and data_forgotten_at is null;
`;

/**
 * Search expressions of lists. Their index is created by `reading/search-index.ts`: it needs extensions that a database
 * may lack.
 */
const search = `
  -- The database may be of locale C, whose lower() folds ASCII only.
  create function search_fold(value text) returns text language sql immutable parallel safe
    return lower(value collate "und-x-icu") collate "C";

  -- The names of a list of participants, as a JSON array.
  create function search_names(people jsonb) returns text language sql immutable parallel safe
    return search_fold((jsonb_path_query_array(people, '$[*].name')
      || jsonb_path_query_array(people, '$[*] ? (@.display_name != @.name).display_name'))::text);
`;

/** The functions of admission are in `admission/admission.sql.ts`. */
export const createBots = baseline('CreateBots20261121000000', more, search, outboxTablesSql);
