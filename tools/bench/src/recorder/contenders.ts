import type { View, Strategy } from './our-bot.ts';

export interface Contender {
  readonly name: string;
  /** `attends`: the page without a recording, in the browser that our bot uses. */
  readonly kind: 'ours' | 'reference' | 'attends';
  /** Null: not our bot. */
  readonly ours: { readonly view: View; readonly strategy: Strategy } | null;
  readonly audio: 'with picture' | 'alone';
  /** Maximum cost relative to the reference bot; null: not our bot. */
  readonly goals: { readonly cpu: number; readonly pss: number } | null;
}

/** CPU over the reference bot's, by view. */
const cpuGoals: Readonly<Record<View, number>> = { speaker_view: 0.75, gallery_view: 0.8, audio_only: 0.55 };
const pssGoal = 0.85;

/** The strategies of each view; any other is left out for that view. */
const strategiesOf: Readonly<Record<View, readonly Strategy[]>> = {
  speaker_view: ['auto', 'received', 'tracks', 'tab'],
  gallery_view: ['auto', 'tracks', 'tab'],
  audio_only: ['auto'],
};

/** The contenders of one round: each reference right before the ones compared to it. */
export function contendersOf(views: readonly View[], captureStrategies: readonly Strategy[]): Contender[] {
  const ours = views.flatMap((view) =>
    strategiesOf[view]
      .filter((strategy) => captureStrategies.includes(strategy) || strategiesOf[view].length === 1)
      .map((strategy) => contenderOf(view, strategy)),
  );
  return (['with picture', 'alone'] as const).flatMap((audio) => {
    const against = ours.filter((contender) => contender.audio === audio);
    return against.length === 0 ? [] : [field(audio), ...(audio === 'alone' ? [] : [attends]), ...against];
  });
}

const attends: Contender = { name: 'attends', kind: 'attends', ours: null, audio: 'with picture', goals: null };

function field(audio: Contender['audio']): Contender {
  const name = audio === 'alone' ? 'reference bot, audio' : 'reference bot';
  return { name, kind: 'reference', ours: null, audio, goals: null };
}

function contenderOf(view: View, strategy: Strategy): Contender {
  return {
    name: strategy === 'auto' ? view : `${view} ${strategy}`,
    kind: 'ours',
    ours: { view, strategy },
    audio: view === 'audio_only' ? 'alone' : 'with picture',
    goals: { cpu: cpuGoals[view], pss: pssGoal },
  };
}
