import type { CommandDefinition, CommandGroup } from '../command.ts';
import { tableOf } from '../sentences.ts';

const spilled: CommandDefinition = {
  summary: "recordings that wait for a team's own bucket",
  example: 'storage spilled',
  run: async ({ api }) => {
    const objects = await api.listSpilledObjects();
    if (objects.length === 0) return { text: "No object waits for a team's bucket.", data: [] };
    const text = tableOf(
      ['SINCE', 'TEAM', 'BOT', 'OBJECT', 'BYTES', 'ATTEMPTS', 'LAST ERROR'],
      objects.map((object) => [
        object.spilled_at,
        object.team_id,
        object.bot_id,
        object.key,
        String(object.bytes),
        String(object.attempts),
        object.last_error ?? '',
      ]),
    );
    return { text, data: objects };
  },
};

const config: CommandDefinition = {
  summary: "the team's own buckets, without secrets",
  example: 'storage config',
  run: async ({ client }) => {
    const data = await (await client()).getStorageConfig();
    return { text: JSON.stringify(data, null, 2), data };
  },
};

const test: CommandDefinition = {
  summary: "check that the team's own buckets take and give recordings",
  example: 'storage test',
  run: async ({ client }) => {
    const data = await (await client()).testStorageConfig();
    return { text: JSON.stringify(data, null, 2), data };
  },
};

export const storage: CommandGroup = {
  noun: 'storage',
  summary: 'where recordings of teams are stored',
  commands: { config, test, spilled },
};
