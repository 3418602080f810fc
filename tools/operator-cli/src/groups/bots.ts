import { setTimeout as sleep } from 'node:timers/promises';
import { one } from '../command.ts';
import type { CommandDefinition, CommandGroup } from '../command.ts';
import { botDataCommands } from './bot-data.ts';
import { listingCommand } from './lists.ts';
import { tableOf, UsageError } from '../sentences.ts';
import { program } from '../program.ts';

const which = (verb: string): string =>
  `Which bot? Say its id: ${program} bots ${verb} BOT_ID (see ${program} bots list).`;

const create: CommandDefinition = {
  summary: 'send a bot to a meeting, now or at a time',
  example: 'bots create https://meet.google.com/abc-defg-hij --join-at 2027-01-31T18:00:00Z',
  operands: '[meeting-url]',
  options: {
    '--name <name>': 'name of the bot in the meeting (default: Rapporteur)',
    '--join-at <time>': 'join then instead of now',
    '--mode <mode>': 'speaker_view, gallery_view or audio_only',
    '--transcribe': 'transcribe the recording, by the first engine of the deployment',
  },
  run: async ({ client, options, operands }) => {
    const meeting_url = one(operands, `Which meeting? ${program} bots create MEETING_URL`);
    const { name = 'Rapporteur', joinAt, mode, transcribe } = options;
    const body = {
      bot_name: name,
      meeting_url,
      ...(mode === undefined ? {} : { recording_mode: modeOf(mode) }),
      ...(transcribe === undefined ? {} : { transcription_enabled: true }),
    };
    const api = await client();
    const bot =
      joinAt === undefined
        ? await api.createBot({ body })
        : await api.scheduleBot({ body: { ...body, join_at: joinAt } });
    const text = `${bot.bot_id}\n\nFollow it with: ${program} bots tail ${bot.bot_id}`;
    return { text, data: bot };
  },
};

function modeOf(text: string): 'speaker_view' | 'gallery_view' | 'audio_only' {
  if (text === 'speaker_view' || text === 'gallery_view' || text === 'audio_only') return text;
  throw new UsageError(`--mode must be speaker_view, gallery_view or audio_only, not ${text}.`);
}

const schedule: CommandDefinition = {
  ...create,
  summary: 'send a bot to a meeting at a time',
  example: 'bots schedule https://meet.google.com/abc-defg-hij --join-at 2027-01-31T18:00:00Z',
  run: async (context) => {
    if (context.options['joinAt'] === undefined) throw new UsageError('When? Say --join-at TIME, or use bots create.');
    return create.run(context);
  },
};

const scheduled = listingCommand({
  summary: 'bots that have not started yet',
  example: 'bots scheduled',
  columns: ['bot_id', 'join_at', 'status', 'bot_name', 'meeting_url'],
  none: 'No bot is scheduled.',
  read: (api) => api.all.listScheduledBots(),
});

const cancel: CommandDefinition = {
  summary: 'cancel scheduled bots: these, or all that join until a time',
  example: 'bots cancel --until 2027-01-31T18:00:00Z',
  operands: '[bot-ids...]',
  options: { '--until <time>': 'every scheduled bot that joins until then' },
  run: async ({ client, options: { until }, operands, progress }) => {
    if ((until === undefined) === (operands.length === 0))
      throw new UsageError(
        `Which bots? ${program} bots cancel BOT_ID…, or --until TIME (see ${program} bots scheduled).`,
      );
    const api = await client();
    const ids = [...operands];
    if (until !== undefined) {
      const wanted = { scheduled_before: until, status: 'scheduled' as const };
      for await (const { bot_id } of api.all.listScheduledBots(wanted)) ids.push(bot_id);
    }
    for (const bot_id of ids) {
      await api.deleteScheduledBot({ bot_id });
      progress(bot_id, { bot_id });
    }
    return { text: `${ids.length} cancelled.`, data: { bot_ids: ids } };
  },
};

const list: CommandDefinition = {
  summary: 'the newest bots of the team',
  example: 'bots list --limit 20',
  options: {
    '--limit <n>': 'how many (default: 20)',
    '--status <statuses>': 'only of these statuses, for example completed,failed',
    '--platform <platforms>': 'only of zoom, meet or teams',
  },
  run: async ({ client, options: { status, platform }, limit }) => {
    const most = limit(20);
    const api = await client();
    type Filters = NonNullable<Parameters<typeof api.all.listBots>[0]>;
    // The API lists the available statuses and platforms.
    const filters = {
      ...(status === undefined ? {} : { status }),
      ...(platform === undefined ? {} : { meeting_platform: platform }),
    };
    const bots = [];
    for await (const bot of api.all.listBots(filters as Filters)) {
      bots.push(bot);
      if (bots.length >= most) break;
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
    const { happened, recording, transcript, actions } = bot.explanation;
    const sentences = [happened, recording, transcript, ...actions.map(({ by, message }) => `${by}: ${message}`)];
    const fields = Object.entries(bot)
      .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
      .map(([field, value]) => `${field.padEnd(28)}${JSON.stringify(value)}`);
    return { text: [...new Set(sentences), '', ...fields].filter((line) => line !== null).join('\n'), data: bot };
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
    let [last, status] = ['', ''];
    while (!signal.aborted) {
      const { transcription_message: message, ...report } = await api.getBotStatus({ bot_id });
      const at = new Date().toISOString();
      const line = [report.status, message ?? []].flat().join('  ');
      if (line !== last) progress(`${at}  ${line}`, { at, status: report.status, message });
      last = line;
      status = String(report.status);
      if (finalStatuses.has(status)) break;
      await sleep(tailEveryMs, undefined, { signal }).catch(() => undefined);
    }
    return { text: '', data: { bot_id, status }, failed: status === 'failed' };
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

const move: CommandDefinition = {
  summary: 'move a bot to another machine: another run joins its meeting, then the present one leaves',
  example: 'bots move BOT_ID',
  operands: '[bot-id]',
  run: async ({ api, operands }) => {
    const bot_id = one(operands, which('move'));
    const data = await api.moveBot(bot_id);
    const text = `Another run of the bot ${bot_id} joins its meeting. The present one leaves once that records; until then nothing changes.`;
    return { text, data };
  },
};

export const bots: CommandGroup = {
  noun: 'bots',
  summary: 'bots, as the public API has them, their legal holds, and moves to another machine',
  commands: { create, schedule, list, scheduled, cancel, get, tail, leave, move, ...botDataCommands, hold, release },
};
