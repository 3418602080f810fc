import { one } from '../command.ts';
import type { CommandContext, CommandDefinition, CommandGroup } from '../command.ts';
import { tableOf, UsageError } from '../sentences.ts';
import { program } from '../program.ts';

interface Room {
  readonly code: string;
  readonly url: string;
  readonly platform: string;
}

const create: CommandDefinition = {
  summary: 'start a simulated meeting and print its link',
  example: 'rooms create --platform teams --speakers 3 --duration 60',
  options: {
    '--platform <platform>': 'meet, teams or zoom (default: meet)',
    '--speakers <n>': 'participants that speak (default: 3)',
    '--duration <seconds>': 'how long they speak (default: 60)',
  },
  run: async ({ simulator, options }) => {
    const { platform = 'meet', speakers = '3', duration = '60' } = options;
    const body = { platform, speakers: whole('--speakers', speakers), durationSeconds: whole('--duration', duration) };
    const room = (await simulator.request('POST', '/rooms', body)) as Room;
    const text = `${room.url}\n\nSend a bot with: ${program} bots create ${room.url}`;
    return { text, data: room };
  },
};

function whole(flag: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new UsageError(`${flag} must be a whole number, not ${text}.`);
  return value;
}

const list: CommandDefinition = {
  summary: 'the meetings of the simulator',
  example: 'rooms list',
  run: async ({ simulator }) => {
    const { rooms } = (await simulator.request('GET', '/rooms')) as { rooms: Room[] };
    const text = tableOf(
      ['CODE', 'PLATFORM', 'LINK'],
      rooms.map(({ code, platform, url }) => [code, platform, url]),
    );
    return { text, data: rooms };
  },
};

const answerLobby = (verb: 'admit' | 'refuse'): CommandDefinition => ({
  summary: `${verb} who waits in the lobby of a meeting: everybody, or one name`,
  example: `rooms ${verb} CODE`,
  operands: '[code]',
  options: { '--name <name>': 'only this participant' },
  run: async ({ simulator, operands, options }: CommandContext) => {
    const code = one(operands, `Which meeting? ${program} rooms ${verb} CODE (see rooms list).`);
    const { name } = options;
    const path = `/rooms/${encodeURIComponent(code)}/${verb}`;
    const data = await simulator.request('POST', path, name === undefined ? {} : { name });
    return { text: JSON.stringify(data), data };
  },
});

export const rooms: CommandGroup = {
  noun: 'rooms',
  summary: 'meetings of the simulator',
  commands: { create, list, admit: answerLobby('admit'), refuse: answerLobby('refuse') },
};
