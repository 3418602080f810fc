import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { meetingsIn } from '@rapporteur/bot-runner/testing';
import { mediaFolder } from '@rapporteur/simulator/shared';
import type { SimulatedMeeting, SimulatedMeetings } from '@rapporteur/bot-runner/testing';
import { packApp } from '@rapporteur/packer';
import { startSimulator } from '@rapporteur/simulator';
import type { Simulator } from '@rapporteur/simulator';
import type { PlatformName } from '@rapporteur/simulator/platforms';
import { endWithProgram } from '../measure/leftovers.ts';

/** The simulator, in this process, and a folder that is removed when it stops. */
export interface Stage {
  readonly simulator: Simulator;
  readonly folder: string;
  /** The runner's main file, packed as production packs it. */
  readonly runner: string;
  /** Meetings with a bus of their own: concurrent bots need one each. */
  meetings(): Promise<SimulatedMeetings>;
  stop(): Promise<unknown>;
}

export const roomRate = { framesPerSecond: 25, loopSeconds: 60 } as const;

/** Span of the shared screen, as shares of the recording. */
const sharing = { from: 0.35, to: 0.6 } as const;
/** Approximate time from admission until the measurement begins. */
const beforeMs = 5_000;

export interface BenchRoomOptions {
  readonly seconds: number;
  readonly codec: Codec;
  readonly platform: PlatformName;
}

export async function openStage(name: string): Promise<Stage> {
  const runner = await packApp(join(import.meta.dirname, '../../../..'), 'bot-runner');
  const folder = await mkdtemp(join(tmpdir(), `rapporteur-bench-${name}-`));
  const simulator = await startSimulator({ dataFolder: folder, mediaFolder });
  const opened: SimulatedMeetings[] = [];
  const stop = endWithProgram(async () => {
    for (const meetings of opened) await meetings.stop().catch(() => undefined);
    await simulator.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });
  return {
    simulator,
    folder,
    runner,
    stop,
    meetings: async () => {
      const meetings = await meetingsIn(simulator, folder);
      opened.push(meetings);
      return meetings;
    },
  };
}

/** Joining is not measured: the page shows no prompt that the reference bot cannot handle. */
const pages = {
  // The browser's native playback: audio decoded by the other stack's page drifts in pitch on the reference bot's
  // loudspeaker.
  meet: { permissionSheet: false, gotIt: false, audioStack: 'native' },
  teams: { launcher: false, offersApp: 'by-agent', controlsHide: false },
  zoom: { mediaPrompt: 'none', silentUnlessAllowed: false },
} as const satisfies Record<PlatformName, object>;

/** Three participants who speak in turn, some five seconds each, and one without a camera who is silent. */
const participants = [
  { name: 'Alice Martin' },
  { name: 'Bruno Keller' },
  { name: 'Callum Reid' },
  { name: 'Daniel Novak', sentences: [], camera: false },
];

export const codecs = ['vp8', 'h264'] as const;
/** Codec of the participants' video. */
export type Codec = (typeof codecs)[number];

/** Four participants, three cameras, and a screen shared for a part of the recording. */
export function openRoom(
  meetings: SimulatedMeetings,
  { seconds, codec, platform }: BenchRoomOptions,
): Promise<SimulatedMeeting> {
  const at = (share: number): number => Math.round(beforeMs / 1_000 + seconds * share);
  return meetings.open({
    platform,
    participants,
    // Removed from the room's default options.
    speakers: undefined,
    videoCodec: codec,
    ...roomRate,
    admitAfterMs: 0,
    lateness: 0,
    [platform]: pages[platform],
    events: [
      { on: 'admitted', afterSeconds: at(sharing.from), do: 'share-screen', participant: 1 },
      { on: 'admitted', afterSeconds: at(sharing.to), do: 'stop-sharing' },
    ],
  });
}
