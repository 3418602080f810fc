import { setTimeout as sleep } from 'node:timers/promises';
import type { MoveProgress } from './admin-api.ts';
import { one, teamNamed } from './command.ts';
import type { Command } from './command.ts';
import { tableOf, UsageError } from './sentences.ts';

const pollMs = 2_000;

export const storageCommands: Readonly<Record<string, Command>> = {
  'storage spilled': async ({ api }) => {
    const objects = await api.listSpilledObjects();
    if (objects.length === 0) return "No object waits for a team's bucket.";
    return tableOf(
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
  },
  'bots hold': async ({ api, operands }) => {
    const botId = one(operands, 'Which bot? npm run rapporteur -- bots hold BOT_ID');
    await api.holdBot(botId, true);
    return `Nothing of the bot ${botId} is deleted until you release it.`;
  },
  'bots release': async ({ api, operands }) => {
    const botId = one(operands, 'Which bot? npm run rapporteur -- bots release BOT_ID');
    await api.holdBot(botId, false);
    return `The legal hold on the bot ${botId} has ended; deletion and retention apply again.`;
  },
  'storage move': async ({ api, options }) => {
    const { to } = options;
    if (to !== 'team' && to !== 'service')
      throw new UsageError('Where to? Say --to team for its own buckets, or --to service.');
    const team = await teamNamed(api, options.team);
    let progress = await api.moveStorage(team.team_id, to);
    while (progress.waiting > progress.failed.length) {
      await sleep(pollMs);
      progress = await api.moveStorage(team.team_id, null);
    }
    return describeMove(team.name, progress);
  },
};

function describeMove(team: string, { failed }: MoveProgress): string {
  if (failed.length === 0)
    return `Every recording of the team "${team}" is there. The former copies go when no link leads to them.`;
  const rows = failed.map(({ bot_id: botId, error }) => [botId, error]);
  return `${tableOf(['BOT', 'LAST ERROR'], rows)}\n\nThese are tried again every minute. Run the command again to see how far it is.`;
}
