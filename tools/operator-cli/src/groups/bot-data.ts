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

interface Utterance {
  readonly speaker: string;
  readonly text: string;
  readonly start: number;
  readonly words?: readonly { readonly word: string; readonly confidence: number | null }[];
}

interface Transcript {
  readonly result?: { readonly utterances?: readonly Utterance[] };
}

/** More than half of the words below it are wrong with `local` (docs/guides/transcription.md). */
const doubtfulBelow = 0.5;

const transcript: CommandDefinition = {
  summary: 'print the transcript of a bot; (?) marks words of low confidence',
  example: 'bots transcript BOT_ID --format vtt',
  operands: '[bot-id]',
  options: { '--format <format>': 'text, vtt, srt or json (default: text)' },
  run: async ({ client, options: { format = 'text' }, operands, signal }) => {
    const bot_id = one(operands, which('transcript'));
    const fields = {
      text: 'transcription',
      json: 'transcription',
      vtt: 'transcription_vtt',
      srt: 'transcription_srt',
    } as const;
    if (!(format in fields)) throw new UsageError(`--format takes text, vtt, srt or json, not ${format}.`);
    const bot = await (await client()).getBot({ bot_id });
    const url = bot[fields[format as keyof typeof fields]];
    if (url === null) throw new StateError(`The bot ${bot_id} has no transcript. Its status is ${bot.status}.`);
    const text = await (await fetchFile(url, signal)).text();
    if (format === 'vtt' || format === 'srt') return { text, data: { [format]: text } };
    const document = JSON.parse(text) as Transcript;
    return { text: format === 'json' ? text : linesOf(document), data: document };
  },
};

function linesOf({ result }: Transcript): string {
  return (result?.utterances ?? [])
    .map((utterance) => `${clockOf(utterance.start)}  ${utterance.speaker}: ${markedText(utterance)}`)
    .join('\n');
}

/** The text with doubtful words marked, where it is made of its words. */
function markedText({ text, words = [] }: Utterance): string {
  if (words.map(({ word }) => word).join(' ') !== text) return text;
  return words
    .map(({ word, confidence }) => (confidence !== null && confidence < doubtfulBelow ? `${word}(?)` : word))
    .join(' ');
}

function clockOf(seconds: number): string {
  const whole = Math.floor(seconds);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(whole / 3_600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

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
  retranscribe,
  chat,
  pause: simple('pause', 'pause the recording of a bot', (api, bot_id) => api.pauseBotRecording({ bot_id })),
  resume: simple('resume', 'let a paused bot record again', (api, bot_id) => api.resumeBotRecording({ bot_id })),
};
