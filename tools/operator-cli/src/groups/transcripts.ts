import { one } from '../command.ts';
import type { CommandDefinition, CommandGroup } from '../command.ts';
import { program } from '../program.ts';
import { tableOf } from '../sentences.ts';

const head = ['bot_id', 'bot_name', 'second', 'speaker', 'text'];

const search: CommandDefinition = {
  summary: 'where the transcripts of the team have these words',
  example: `transcripts search '"next quarter" budget'`,
  operands: '[words]',
  options: { '--limit <n>': 'transcripts at most (default: 20)' },
  run: async ({ client, operands, limit }) => {
    const q = one(operands, `Which words? ${program} transcripts search WORDS`);
    const found = [];
    const most = limit(20);
    for await (const transcript of (await client()).all.searchTranscripts({ q, limit: Math.min(most, 50) })) {
      found.push(transcript);
      if (found.length === most) break;
    }
    const rows = found.flatMap(({ bot_id: id, bot_name: name, hits }) =>
      hits.map(({ start, speaker, snippet }) => [
        id,
        name,
        start.toFixed(0),
        speaker,
        snippet.map(({ text }) => text).join(''),
      ]),
    );
    const text = rows.length === 0 ? 'No transcript has these words.' : tableOf(head, rows);
    return { text, data: found };
  },
};

export const transcripts: CommandGroup = {
  noun: 'transcripts',
  summary: 'what was said',
  commands: { search },
};
