import { parseArgs } from 'node:util';
import { codecs } from './bench-room.ts';
import { measureGrowth } from './growth.ts';
import { benchWays, views } from './our-bot.ts';
import type { View, Way } from './our-bot.ts';
import { measureRecorder } from './recorder.ts';
import { measureSizing } from './sizing.ts';

/** `recorder` and its options. @returns false when a recording was not what it should be */
export async function recorderCommand(parameters: readonly string[], say: (text: string) => void): Promise<boolean> {
  const { values } = parseArgs({
    args: [...parameters],
    options: {
      minutes: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '2' },
      views: { type: 'string', default: views.join(',') },
      ways: { type: 'string', default: 'auto' },
      codec: { type: 'string', default: 'vp8' },
      slope: { type: 'string' },
      two: { type: 'boolean', default: false },
      bots: { type: 'string', default: '2' },
      keep: { type: 'string' },
    },
  });
  const codec = codecs.find((known) => known === values.codec);
  if (codec === undefined) throw new Error(`--codec is one of ${codecs.join(', ')}, not "${values.codec}".`);
  const minutes = positive(values.minutes, '--minutes');
  const wanted = values.views.split(',').map(asView);
  const ways = values.ways.split(',').map(asWay);
  const [view = 'speaker_view', way = 'auto'] = [wanted[0], ways[0]];
  if (values.slope !== undefined)
    return await measureGrowth({ minutes: positive(values.slope, '--slope'), view, way, codec, say });
  if (values.two)
    return await measureSizing({ minutes, views: wanted, way, codec, atOnce: positive(values.bots, '--bots'), say });
  const rounds = positive(values.rounds, '--rounds');
  return await measureRecorder({ minutes, rounds, views: wanted, ways, codec, keep: values.keep ?? null, say });
}

function asView(name: string): View {
  const view = views.find((known) => known === name);
  if (view === undefined) throw new Error(`There is no view "${name}"; there are ${views.join(', ')}.`);
  return view;
}

function asWay(name: string): Way {
  const way = benchWays.find((known) => known === name);
  if (way === undefined) throw new Error(`There is no way "${name}"; there are ${benchWays.join(', ')}.`);
  return way;
}

export function positive(text: string, option: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${option} is a number above 0, not "${text}".`);
  return value;
}
