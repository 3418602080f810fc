import { setTimeout as sleep } from 'node:timers/promises';
import type { MoveProgress } from '../admin-api.ts';
import { teamNamed } from '../command.ts';
import type { CommandDefinition, CommandGroup } from '../command.ts';
import { tableOf, UsageError } from '../sentences.ts';

const pollMs = 2_000;

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

const move: CommandDefinition = {
  summary: "move a team's recordings to its own buckets, or back; run it again to continue",
  example: 'storage move --to team --team "Second team"',
  options: { '--to <store>': "team: the team's own buckets; service: the object store of the deployment" },
  run: async ({ api, options, signal }) => {
    const { to } = options;
    if (to !== 'team' && to !== 'service')
      throw new UsageError('Where to? Say --to team for its own buckets, or --to service.');
    const team = await teamNamed(api, options['team']);
    let progress = await api.moveStorage(team.team_id, to);
    while (!signal.aborted && progress.waiting > progress.failed.length) {
      await sleep(pollMs, undefined, { signal }).catch(() => undefined);
      progress = await api.moveStorage(team.team_id, null);
    }
    return { text: describeMove(team.name, progress), data: progress, failed: progress.waiting > 0 };
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
  commands: { config, test, spilled, move },
};

function describeMove(team: string, { waiting, failed }: MoveProgress): string {
  if (waiting === 0)
    return `Every recording of the team "${team}" is there. The former copies go when no link leads to them.`;
  const rows = failed.map(({ bot_id: botId, error }) => [botId, error]);
  const table = rows.length === 0 ? '' : `${tableOf(['BOT', 'LAST ERROR'], rows)}\n\n`;
  return `${table}${waiting} bots are not moved yet. They are tried again every minute. Run the command again to see how far it is.`;
}
