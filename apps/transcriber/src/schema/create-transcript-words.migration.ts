import { sqlMigration } from '@rapporteur/database';

const table = `
  -- The newest transcript of each bot, for the search. Deleted with the bot's data.
  create table transcript_words (
    bot_id uuid not null constraint transcript_words_pkey primary key,
    team_id uuid not null,
    -- When the bot's first transcript was stored.
    indexed_at timestamptz not null,
    -- Distinct words without positions, and the team.
    words tsvector not null
  );
  create index transcript_words_words on transcript_words using gin (words) with (fastupdate = off);

  -- What was said in them, read for the transcripts that have the words.
  create table transcript_utterances (
    bot_id uuid not null,
    number integer not null,
    -- A long utterance has several.
    part integer not null,
    -- Times in ms of the recording.
    start_ms integer not null,
    end_ms integer not null,
    speaker text not null,
    speaker_id integer,
    text text not null,
    -- With positions.
    words tsvector not null,
    constraint transcript_utterances_pkey primary key (bot_id, number, part),
    constraint transcript_utterances_bot foreign key (bot_id) references transcript_words (bot_id) on delete cascade
  );
`;

export const createTranscriptWords = sqlMigration('CreateTranscriptWords20261126000000', table);
