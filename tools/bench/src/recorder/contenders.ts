import type { View, Way } from './our-bot.ts';

export interface Contender {
  readonly name: string;
  /** Null: the field's. */
  readonly ours: { readonly view: View; readonly way: Way } | null;
  readonly sound: 'with picture' | 'alone';
  /** Most that it may cost of the field's way for the same; null: the field itself. */
  readonly goals: { readonly cpu: number; readonly pss: number } | null;
}

/** CPU over the field's, by view; the encoded way has one of its own. */
const cpuGoals: Readonly<Record<View, number>> = { speaker_view: 0.5, gallery_view: 0.8, audio_only: 0.25 };
const encodedGoal = 0.2;
const pssGoal = 0.65;

/** The ways that each view has; a way that is asked for and is not among them is left out for that view. */
const waysOf: Readonly<Record<View, readonly Way[]>> = {
  speaker_view: ['auto', 'encoded', 'received', 'tracks', 'tab'],
  gallery_view: ['auto', 'tracks', 'tab'],
  audio_only: ['auto'],
};

/** Everything that is measured in one round: each reference right before what stands against it. */
export function contendersOf(views: readonly View[], ways: readonly Way[]): Contender[] {
  const ours = views.flatMap((view) =>
    waysOf[view].filter((way) => ways.includes(way) || waysOf[view].length === 1).map((way) => contenderOf(view, way)),
  );
  return (['with picture', 'alone'] as const).flatMap((sound) => {
    const against = ours.filter((contender) => contender.sound === sound);
    return against.length === 0 ? [] : [field(sound), ...against];
  });
}

function field(sound: Contender['sound']): Contender {
  return { name: sound === 'alone' ? "field's way, sound" : "field's way", ours: null, sound, goals: null };
}

function contenderOf(view: View, way: Way): Contender {
  const cpu = way === 'encoded' ? encodedGoal : cpuGoals[view];
  return {
    name: way === 'auto' ? view : `${view} ${way}`,
    ours: { view, way },
    sound: view === 'audio_only' ? 'alone' : 'with picture',
    goals: { cpu, pss: pssGoal },
  };
}
