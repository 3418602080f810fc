import { sqlMigration } from '@rapporteur/database';

const table = `
  -- The newest transcript of each bot, for the search. Deleted with the bot's data.
  create table transcript_words (
    bot_id uuid not null constraint transcript_words_pkey primary key,
    team_id uuid not null,
    -- When the bot's first transcript was stored.
    indexed_at timestamptz not null,
    -- Distinct words without positions, and the team.
    words tsvector not null,
    -- JSON; see search/find-hits.ts.
    utterances text not null
  );
  create index transcript_words_words on transcript_words using gin (words) with (fastupdate = off);
`;

export const createTranscriptWords = sqlMigration('CreateTranscriptWords20261126000000', table);
