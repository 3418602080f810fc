import { mkdir, writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { storedRecord, testInvocation } from '@rapporteur/bot-runner/testing';
import type { PlatformName } from '@rapporteur/simulator/platforms';
import type { RunningBot, SimulatedMeeting } from '@rapporteur/bot-runner/testing';
import { captureStrategySettings } from '@rapporteur/recorder';
import { layOutGallery } from '@rapporteur/recorder/testing';
import { frameArea } from '@rapporteur/recording-check';
import type { FrameArea } from '@rapporteur/recording-check';
import { waitFor } from '@rapporteur/testbed';
import type { Bot } from './take.ts';
import type { Recorded } from './recorded.ts';

export const views = ['speaker_view', 'gallery_view', 'audio_only'] as const;
export type View = (typeof views)[number];
/** Capture strategy that the recorder is given for video; `received`: as `tracks`, in the size that arrives. */
export const benchStrategies = [...captureStrategySettings, 'received'] as const;
export type Strategy = (typeof benchStrategies)[number];

// For hangs only: bots that share two cores start and end late.
const joinMs = 300_000;
const finishMs = 300_000;

export interface OurBotOptions {
  readonly view: View;
  readonly strategy: Strategy;
  readonly platform: PlatformName;
  /** Gets what it recorded. */
  readonly folder: string;
  /** Its main file. */
  readonly runner: string;
}

/** Sends the real runner into a simulated meeting. */
export async function startOurBot(
  meeting: SimulatedMeeting,
  { view, strategy, platform, folder, runner }: OurBotOptions,
): Promise<Bot & { readonly bot: RunningBot }> {
  await mkdir(folder, { recursive: true });
  const { room, storage, scheduler } = meeting;
  const { configuration } = testInvocation({ storage, busUrl: '', joinUrl: room.realUrl, simulator: null });
  const wanted = {
    meeting: { platform, joinUrl: joinUrlOf(meeting, platform), meetingId: room.code },
    configuration: { ...configuration, recording_mode: view },
    // The product's defaults: bots that share two cores get a response late.
    lease: { renewEveryMs: 3_000, lostAfterMs: 90_000 },
    ...settingsOf(strategy),
  };
  const bot = await meeting.sendBot(wanted, runner);
  if (bot.child.pid !== undefined) setPriority(bot.child.pid, 0);
  return {
    bot,
    pid: bot.child.pid ?? 0,
    folder,
    untilRecording: async () => {
      await waitFor(() => meeting.statuses().includes('in_call_recording') || bot.child.exitCode !== null, {
        what: 'the recording to begin',
        timeoutMs: joinMs,
      });
      if (bot.child.exitCode !== null) throw new Error(`The runner ended early. ${await lastWords(bot, folder)}`);
    },
    finish: async () => {
      scheduler.lease.leaveRequested = true;
      await waitFor(() => bot.child.exitCode !== null || bot.child.signalCode !== null, {
        what: 'the runner to end',
        timeoutMs: finishMs,
      });
      if (bot.child.exitCode !== 0)
        throw new Error(`The runner ended with ${bot.child.exitCode}. ${await lastWords(bot, folder)}`);
      const key = view === 'audio_only' ? 'artifacts/audio.flac' : 'artifacts/video.mp4';
      const bytes = storage.objects.get(key);
      if (bytes === undefined) {
        const left = [...storage.objects.keys()].filter((name) => name.startsWith('artifacts/')).join(', ');
        throw new Error(`The runner left no ${key}, but ${left || 'nothing'}. ${await lastWords(bot, folder)}`);
      }
      const file = join(folder, key.split('/').at(-1) ?? '');
      await writeFile(file, bytes);
      await writeFile(join(folder, 'integrity.json'), storage.objects.get('artifacts/integrity.json') ?? '{}');
      await keepLog(bot, folder);
      return {
        by: 'ours',
        file,
        place: placesIn(view, strategiesOf(meeting, strategy).captureStrategies),
        audioOnly: view === 'audio_only',
        ...strategiesOf(meeting, strategy),
        startedAtMs: startOf(meeting),
      };
    },
    clear: () => bot.clear(),
  };
}

/** As from libs/meeting-links for the room's link. */
export function joinUrlOf({ room }: SimulatedMeeting, platform: PlatformName): string {
  return platform === 'zoom' ? `https://app.zoom.us/wc/${room.code}/join${new URL(room.realUrl).search}` : room.realUrl;
}

function settingsOf(strategy: Strategy) {
  if (strategy === 'received') return { captureStrategy: 'tracks', videoSize: 'received' } as const;
  return { captureStrategy: strategy, videoSize: 'fixed' } as const;
}

/** Epoch ms of the recording's time zero; null before its first fragment is stored. */
export function startOf({ storage }: SimulatedMeeting): number | null {
  return storedRecord(storage)?.startedAtMs ?? null;
}

async function keepLog(bot: RunningBot, folder: string) {
  const log = await bot.log();
  await writeFile(join(folder, 'log.json'), JSON.stringify(log, null, 1));
  return log;
}

/** The runner's last warnings, for the analysis of a failure; its whole log is kept in the folder. */
async function lastWords(bot: RunningBot, folder: string): Promise<string> {
  const lines = (await keepLog(bot, folder)).filter(({ level }) => Number(level) >= 40).slice(-3);
  return lines.map((line) => JSON.stringify(line)).join('\n') || 'It logged no warning.';
}

const video = { width: 1_280, height: 720 };
const participantsShown = 4;

/**
 * Areas of the marker: of the first participant, with and without a shared screen; of the painted page in its first row
 * of tiles.
 */
function placesIn(view: View, strategies: readonly string[]): readonly FrameArea[] | null {
  if (strategies.some((name) => name.startsWith('tab'))) {
    const tiles = [0, 1, 2, 3].map((column) => ({ ...firstTile, left: firstTile.left + column * tileStep }));
    return strategies.every((name) => name.startsWith('tab'))
      ? tiles
      : [frameArea(video.width, video.height), ...tiles];
  }
  if (view !== 'gallery_view') return null;
  const seats = Array.from({ length: participantsShown }, () => ({ kind: 'camera' }) as const);
  const alone = layOutGallery(seats, video).places.slice(0, 1);
  return [...alone, ...layOutGallery([{ kind: 'screen' }, ...seats], video).places.slice(0, 2)];
}

/** The first tile of the simulated page at that size. */
const firstTile = { left: 14, top: 154.5, width: 303.75, height: 169.1 };
const tileStep = 316;

interface StrategySummary {
  readonly strategy: string;
  readonly thread?: string;
  readonly framesSkippedByRateLimit?: number;
  readonly switches?: readonly {
    readonly media: string;
    readonly from: string | null;
    readonly to: string;
    readonly reason: string;
  }[];
}

/** From the recorder's end record: the final strategy, and before it those that were left, with the reason. */
function strategiesOf(
  { storage }: SimulatedMeeting,
  wanted: Strategy,
): Pick<Recorded, 'captureStrategies' | 'strategiesRefused'> {
  const record = storage.objects.get('segments/0001/end.json');
  if (record === undefined) return { captureStrategies: ['not said'], strategiesRefused: [] };
  const {
    strategy,
    thread,
    switches = [],
    framesSkippedByRateLimit = 0,
  } = (JSON.parse(String(record)) as { summary: StrategySummary }).summary;
  const left = switches.filter(({ media, from }) => media === 'video' && from !== null);
  const captureStrategies = [
    ...left.map(({ from, reason }) => `${from} left: ${reason}`),
    thread === 'page' ? `${strategy} in the page` : strategy,
  ];
  const meant = settingsOf(wanted).captureStrategy;
  const kept = meant === 'auto' || (strategy === meant && left.length === 0) || strategy === 'audio';
  return {
    captureStrategies,
    strategiesRefused: [
      ...(kept ? [] : [`It was to record by ${wanted}, and did by ${captureStrategies.join(', ')}.`]),
      ...(framesSkippedByRateLimit > 0
        ? [`${framesSkippedByRateLimit} frames below the rate limit were left out.`]
        : []),
    ],
  };
}
