import { setTimeout as sleep } from 'node:timers/promises';
import { one } from '../command.ts';
import type { CommandDefinition, CommandGroup } from '../command.ts';
import { tableOf, UsageError } from '../sentences.ts';

const which = (verb: string): string =>
  `Which bot? Say its id: npm run rapporteur -- bots ${verb} BOT_ID (see npm run rapporteur -- bots list).`;

const create: CommandDefinition = {
  summary: 'send a bot to a meeting, now or at a time',
  example: 'bots create https://meet.google.com/abc-defg-hij --join-at 2027-01-31T18:00:00Z',
  operands: '[meeting-url]',
  options: {
    '--name <name>': 'name of the bot in the meeting (default: Rapporteur)',
    '--join-at <time>': 'join then instead of now',
    '--mode <mode>': 'speaker_view, gallery_view or audio_only',
  },
  run: async ({ client, options, operands }) => {
    const meeting_url = one(operands, 'Which meeting? npm run rapporteur -- bots create MEETING_URL');
    const { name = 'Rapporteur', joinAt, mode } = options;
    const body = { bot_name: name, meeting_url, ...(mode === undefined ? {} : { recording_mode: modeOf(mode) }) };
    const api = await client();
    const bot =
      joinAt === undefined
        ? await api.createBot({ body })
        : await api.scheduleBot({ body: { ...body, join_at: joinAt } });
    const text = `${bot.bot_id}\n\nFollow it with: npm run rapporteur -- bots tail ${bot.bot_id}`;
    return { text, data: bot };
  },
};

function modeOf(text: string): 'speaker_view' | 'gallery_view' | 'audio_only' {
  if (text === 'speaker_view' || text === 'gallery_view' || text === 'audio_only') return text;
  throw new UsageError(`--mode must be speaker_view, gallery_view or audio_only, not ${text}.`);
}

const list: CommandDefinition = {
  summary: 'the newest bots of the team',
  example: 'bots list --limit 20',
  options: { '--limit <n>': 'how many (default: 20)' },
  run: async ({ client, options }) => {
    const limit = Number(options['limit'] ?? 20);
    if (!Number.isInteger(limit) || limit < 1) throw new UsageError('--limit must be a whole number above zero.');
    const api = await client();
    const bots = [];
    for await (const bot of api.all.listBots({})) {
      bots.push(bot);
      if (bots.length >= limit) break;
    }
    const text = tableOf(
      ['ID', 'CREATED', 'PLATFORM', 'STATUS', 'NAME', 'ERROR'],
      bots.map((bot) => [
        bot.bot_id,
        bot.created_at,
        String(bot.meeting_platform),
        String(bot.status),
        bot.bot_name,
        bot.error_code ?? '',
      ]),
    );
    return { text, data: bots };
  },
};

const get: CommandDefinition = {
  summary: 'everything about one bot',
  example: 'bots get BOT_ID --json',
  operands: '[bot-id]',
  run: async ({ client, operands }) => {
    const bot_id = one(operands, which('get'));
    const bot = await (await client()).getBot({ bot_id });
    const text = Object.entries(bot)
      .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
      .map(([field, value]) => `${field.padEnd(28)}${JSON.stringify(value)}`)
      .join('\n');
    return { text, data: bot };
  },
};

const tailEveryMs = 1_000;
const finalStatuses: ReadonlySet<string> = new Set(['completed', 'failed']);

const tail: CommandDefinition = {
  summary: 'print the status of a bot whenever it changes, until the bot ends',
  example: 'bots tail BOT_ID',
  operands: '[bot-id]',
  run: async ({ client, operands, progress, signal }) => {
    const bot_id = one(operands, which('tail'));
    const api = await client();
    let last = '';
    while (!signal.aborted) {
      const { status } = await api.getBotStatus({ bot_id });
      const code = String(status);
      if (code !== last)
        progress(`${new Date().toISOString()}  ${code}`, { at: new Date().toISOString(), status: code });
      last = code;
      if (finalStatuses.has(code)) break;
      await sleep(tailEveryMs, undefined, { signal }).catch(() => undefined);
    }
    return { text: '', data: { bot_id, status: last }, failed: last === 'failed' };
  },
};

const leave: CommandDefinition = {
  summary: 'let a bot leave its meeting',
  example: 'bots leave BOT_ID',
  operands: '[bot-id]',
  run: async ({ client, operands }) => {
    const bot_id = one(operands, which('leave'));
    const data = await (await client()).leaveBot({ bot_id });
    return { text: `Bot ${bot_id} leaves its meeting.`, data };
  },
};

const hold: CommandDefinition = {
  summary: 'put a bot under a legal hold: nothing of it is deleted until it is released',
  example: 'bots hold BOT_ID',
  operands: '[bot-id]',
  run: async ({ api, operands }) => {
    const bot_id = one(operands, which('hold'));
    const data = await api.holdBot(bot_id, true);
    return { text: `Nothing of the bot ${bot_id} is deleted until you release it.`, data };
  },
};

const release: CommandDefinition = {
  summary: 'end the legal hold on a bot',
  example: 'bots release BOT_ID',
  operands: '[bot-id]',
  run: async ({ api, operands }) => {
    const bot_id = one(operands, which('release'));
    const data = await api.holdBot(bot_id, false);
    return { text: `The legal hold on the bot ${bot_id} has ended; deletion and retention apply again.`, data };
  },
};

export const bots: CommandGroup = {
  noun: 'bots',
  summary: 'bots, as the public API has them, and their legal holds',
  commands: { create, list, get, tail, leave, hold, release },
};
