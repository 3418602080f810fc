import { parseArgs } from 'node:util';
import { platformNames } from '@rapporteur/simulator/platforms';
import { codecs } from './bench-room.ts';
import type { PlatformName } from '@rapporteur/simulator/platforms';
import { measureGrowth } from './growth.ts';
import { measureLimited } from './limited.ts';
import { benchStrategies, views } from './our-bot.ts';
import type { View, Strategy } from './our-bot.ts';
import { measureRecorder } from './recorder.ts';
import { measureSizing } from './sizing.ts';

/** `recorder` and its options. @returns false when a recording was not valid */
export async function recorderCommand(parameters: readonly string[], say: (text: string) => void): Promise<boolean> {
  const { values } = parseArgs({
    args: [...parameters],
    options: {
      minutes: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '2' },
      views: { type: 'string', default: views.join(',') },
      strategies: { type: 'string', default: 'auto' },
      codec: { type: 'string', default: 'vp8' },
      platform: { type: 'string', default: 'meet' },
      slope: { type: 'string' },
      two: { type: 'boolean', default: false },
      bots: { type: 'string', default: '2' },
      keep: { type: 'string' },
      cpu: { type: 'string' },
    },
  });
  const codec = codecs.find((known) => known === values.codec);
  if (codec === undefined) throw new Error(`--codec is one of ${codecs.join(', ')}, not "${values.codec}".`);
  const platforms = values.platform.split(',').map(asPlatform);
  if (platforms.length > 1 && !values.two && values.cpu === undefined)
    throw new Error('--platform is one platform; --two and --cpu take several.');
  const room = { codec, platform: platforms[0] ?? 'meet' };
  const minutes = positive(values.minutes, '--minutes');
  const wanted = values.views.split(',').map(asView);
  const captureStrategies = values.strategies.split(',').map(asStrategy);
  const [view = 'speaker_view', strategy = 'auto'] = [wanted[0], captureStrategies[0]];
  if (values.slope !== undefined)
    return await measureGrowth({ minutes: positive(values.slope, '--slope'), view, strategy, ...room, say });
  if (values.cpu !== undefined)
    return await measureLimited({
      minutes,
      views: wanted,
      strategy,
      codec,
      platforms,
      limits: values.cpu.split(',').map((cores) => positive(cores, '--cpu')),
      keep: values.keep ?? null,
      say,
    });
  if (values.two)
    return await measureSizing({
      minutes,
      views: wanted,
      strategy,
      codec,
      platforms,
      atOnce: positive(values.bots, '--bots'),
      keep: values.keep ?? null,
      say,
    });
  const rounds = positive(values.rounds, '--rounds');
  return await measureRecorder({
    minutes,
    rounds,
    views: wanted,
    captureStrategies,
    ...room,
    keep: values.keep ?? null,
    say,
  });
}

function asView(name: string): View {
  const view = views.find((known) => known === name);
  if (view === undefined) throw new Error(`There is no view "${name}"; there are ${views.join(', ')}.`);
  return view;
}

function asStrategy(name: string): Strategy {
  const strategy = benchStrategies.find((known) => known === name);
  if (strategy === undefined) throw new Error(`There is no way "${name}"; there are ${benchStrategies.join(', ')}.`);
  return strategy;
}

function asPlatform(name: string): PlatformName {
  const platform = platformNames.find((known) => known === name);
  if (platform === undefined) throw new Error(`--platform is one of ${platformNames.join(', ')}, not "${name}".`);
  return platform;
}

export function positive(text: string, option: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${option} is a number above 0, not "${text}".`);
  return value;
}
