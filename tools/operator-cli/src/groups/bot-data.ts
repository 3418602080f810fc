import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { one } from '../command.ts';
import type { CommandContext, CommandDefinition } from '../command.ts';
import { program } from '../program.ts';
import { StateError, UsageError } from '../sentences.ts';

/** The data of a bot, by the field of its details, and the name of its file. */
const files = {
  video: 'video.mp4',
  audio: 'audio.flac',
  audio_m4a: 'audio.m4a',
  transcription: 'transcript.json',
  raw_transcription: 'transcript-of-provider.json',
  transcription_vtt: 'transcript.vtt',
  transcription_srt: 'transcript.srt',
  diarization: 'diarization.jsonl',
  chat_messages: 'chat.json',
  poster: 'poster.jpg',
  participants_file: 'participants.json',
  integrity: 'integrity.json',
} as const;
type FileField = keyof typeof files;

const which = (verb: string): string => `Which bot? ${program} bots ${verb} BOT_ID (see ${program} bots list).`;

const download: CommandDefinition = {
  summary: 'save the recording, the transcript and the other files of a bot',
  example: 'bots download BOT_ID --to recordings --only video,transcription_vtt',
  operands: '[bot-id]',
  options: {
    '--to <folder>': 'where to (default: a folder named after the bot)',
    '--only <files>': `of ${Object.keys(files).join(', ')} (default: all there are)`,
  },
  run: async ({ client, options, operands, folder, progress, signal }) => {
    const bot_id = one(operands, which('download'));
    const wanted = options['only'] === undefined ? null : options['only'].split(',').map(fieldOf);
    const bot = await (await client()).getBot({ bot_id });
    const target = resolve(folder, options['to'] ?? bot_id);
    await mkdir(target, { recursive: true });
    const saved: string[] = [];
    for (const field of wanted ?? (Object.keys(files) as FileField[])) {
      const url = bot[field];
      if (url === null && wanted === null) continue;
      if (url === null) throw new StateError(`The bot ${bot_id} has no ${field}.`);
      const file = join(target, files[field]);
      await save(url, file, signal);
      saved.push(file);
      progress(file, { file });
    }
    if (saved.length === 0) throw new StateError(`The bot ${bot_id} has no files. Its status is ${bot.status}.`);
    return { text: '', data: { files: saved } };
  },
};

function fieldOf(name: string): FileField {
  if (name in files) return name as FileField;
  throw new UsageError(`--only takes ${Object.keys(files).join(', ')}, not ${name}.`);
}

async function save(url: string, file: string, signal: AbortSignal): Promise<void> {
  const response = await fetchFile(url, signal);
  if (response.body === null) throw new StateError(`The link to ${file} gave nothing.`);
  await pipeline(Readable.fromWeb(response.body), createWriteStream(file), { signal });
}

async function fetchFile(url: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(url, { signal });
  if (!response.ok)
    throw new StateError(`The object store responded with ${response.status}. The links are good for 4 hours.`);
  return response;
}

const transcript: CommandDefinition = {
  summary: 'print the transcript of a bot; (?) marks words of low confidence',
  example: 'bots transcript BOT_ID --format vtt',
  operands: '[bot-id]',
  options: { '--format <format>': 'text, vtt, srt or json (default: text)' },
  run: async ({ client, options: { format = 'text' }, operands, signal }) => {
    const bot_id = one(operands, which('transcript'));
    if (!isFormat(format)) throw new UsageError(`--format takes text, vtt, srt or json, not ${format}.`);
    const { bots } = await client();
    if (format === 'text' || format === 'json') {
      const data = await bots.transcript(bot_id, { signal });
      const text = format === 'json' ? JSON.stringify(data) : await bots.transcriptText(bot_id, format, { signal });
      return { text: text.trimEnd(), data };
    }
    const text = await bots.transcriptText(bot_id, format, { signal });
    return { text, data: { [format]: text } };
  },
};

const isFormat = (format: string): format is 'text' | 'vtt' | 'srt' | 'json' =>
  ['text', 'vtt', 'srt', 'json'].includes(format);

const deleteData: CommandDefinition = {
  summary: 'delete the recording, the transcript and every other file of a bot for good',
  example: 'bots delete-data BOT_ID --yes',
  operands: '[bot-id]',
  options: {
    '--yes': 'delete without further question; needed',
    '--from-provider': 'also what the transcription provider keeps',
  },
  run: async ({ client, options, operands }) => {
    const bot_id = one(operands, which('delete-data'));
    if (!options['yes']) throw new UsageError(`This cannot be undone. Say --yes to delete the data of ${bot_id}.`);
    const delete_from_provider = options['fromProvider'] !== undefined;
    const data = await (
      await client()
    ).deleteBotData({ bot_id, ...(delete_from_provider ? { delete_from_provider } : {}) });
    return { text: JSON.stringify(data, null, 2), data };
  },
};

const renameSpeaker: CommandDefinition = {
  summary: 'give a speaker of the transcript another name, or the one in the meeting again',
  example: 'bots rename-speaker BOT_ID --speaker "Room 4, voice 2" --name "Grace Hopper"',
  operands: '[bot-id]',
  options: {
    '--speaker <name>': 'the name in the meeting',
    '--id <id>': 'the speaker_id, where several speakers have the name',
    '--name <name>': 'the new name (default: the name in the meeting)',
  },
  run: async ({ client, options: { speaker, id, name = null }, operands }) => {
    const bot_id = one(operands, which('rename-speaker'));
    if (speaker === undefined) throw new UsageError(`Which speaker? Add --speaker (see ${program} bots transcript).`);
    if (!/^\d*$/.test(id ?? '')) throw new UsageError(`--id is the number of a participant, not ${id}.`);
    const body = { speaker, name, ...(id === undefined ? {} : { speaker_id: Number(id) }) };
    const data = await (await client()).renameSpeaker({ bot_id, body });
    return { text: `${speaker} is shown as ${name ?? speaker}.`, data };
  },
};

const retranscribe: CommandDefinition = {
  summary: 'transcribe a recording again, with the settings of its bot or another provider',
  example: 'bots retranscribe BOT_ID --provider deepgram',
  operands: '[bot-id]',
  options: { '--provider <provider>': 'the provider (default: as the bot was sent)' },
  run: async ({ client, options: { provider }, operands }) => {
    const bot_id = one(operands, which('retranscribe'));
    const api = await client();
    type Body = NonNullable<Parameters<typeof api.retranscribeBot>[0]['body']>;
    // The API lists the available providers.
    const body = { transcription: { provider } } as Body;
    const data = await api.retranscribeBot({ bot_id, ...(provider === undefined ? {} : { body }) });
    return { text: data.message, data };
  },
};

const chat: CommandDefinition = {
  summary: "write in the chat of a bot's meeting",
  example: 'bots chat BOT_ID "The summary comes by mail."',
  operands: '[bot-id] [message]',
  run: async ({ client, operands }) => {
    const [bot_id, message, ...rest] = operands;
    if (bot_id === undefined || message === undefined || rest.length > 0)
      throw new UsageError(`What to whom? ${program} bots chat BOT_ID "MESSAGE"`);
    const data = await (await client()).sendBotChatMessage({ bot_id, body: { message } });
    return { text: data.message, data };
  },
};

const simple = (
  verb: string,
  summary: string,
  send: (api: Awaited<ReturnType<CommandContext['client']>>, bot_id: string) => Promise<{ readonly message?: string }>,
): CommandDefinition => ({
  summary,
  example: `bots ${verb} BOT_ID`,
  operands: '[bot-id]',
  run: async ({ client, operands }) => {
    const data = await send(await client(), one(operands, which(verb)));
    return { text: data.message ?? JSON.stringify(data), data };
  },
});

/** Commands of `bots` about what a bot records. */
export const botDataCommands: Readonly<Record<string, CommandDefinition>> = {
  download,
  transcript,
  'delete-data': deleteData,
  'rename-speaker': renameSpeaker,
  retranscribe,
  chat,
  pause: simple('pause', 'pause the recording of a bot', (api, bot_id) => api.pauseBotRecording({ bot_id })),
  resume: simple('resume', 'let a paused bot record again', (api, bot_id) => api.resumeBotRecording({ bot_id })),
};
