import { checkRecording } from '@rapporteur/recording-check';
import type { Expectations } from '@rapporteur/recording-check';
import type { RecordingSummary } from '../index.ts';
import { troubledRoom, untilRecorded } from './record-scene.ts';
import type { RecordedScene, SceneSetup } from './record-scene.ts';
import { sceneBrowser } from './scene-browser.ts';

/** Nothing black, nothing frozen. The machine of a test is shared, and the painted tab is a little late. */
const expectations: Expectations = {
  width: 1_280,
  height: 720,
  frameShare: 0.6,
  beatShare: 0.7,
  timeJumpsMost: 2,
  offsetMostMs: 400,
  blackSecondsMost: 0,
  frozenSecondsMost: 0,
};

/** Expectations of a recording of the tab: a busy machine paints late. */
export const painted: Expectations = { timeJumpsMost: 20 };

export interface TroubledScenes {
  /** Records speaker_view in a room whose page can be changed; returns when 3 s are recorded. */
  record(options: SceneSetup['scene'], more?: Partial<SceneSetup>): Promise<RecordedScene>;
  /** Applies a change to the room, for example `offer(false)`, and records on for so long after it. */
  trouble(room: RecordedScene, call: string, forMs: number): Promise<void>;
}

/** Scenes in one browser of this test file, which it launches. */
export function troubledScenes(launch: Parameters<typeof sceneBrowser>[0]): TroubledScenes {
  const scenes = sceneBrowser(launch);
  return {
    record: async (options, more = {}) => {
      const scene = await scenes.open(
        { mode: 'speaker_view', scene: options, room: troubledRoom, ...more },
        { viewport: { width: 1_280, height: 720 } },
      );
      await scene.recorder.start();
      await untilRecorded(scene, 3_000);
      return scene;
    },
    trouble: async (room, call, forMs) => {
      await scenes.page.evaluate(`globalThis.rapporteurTrouble.${call}`);
      await untilRecorded(room, (room.fragments.at(-1)?.endMs ?? 0) + forMs);
    },
  };
}

/** Switches of the video: from, to, reason. */
export const videoSwitches = ({ switches }: RecordingSummary) =>
  switches.filter(({ media }) => media === 'video').map(({ from, to, reason }) => [from, to, reason]);

/** Judges all that was recorded. */
export async function judge(room: RecordedScene, more: Expectations = {}): ReturnType<typeof checkRecording> {
  return await checkRecording(await room.joined(room.fragments.length), { ...expectations, ...more });
}
