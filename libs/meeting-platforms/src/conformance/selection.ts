import { coveredRuns } from '../testing/coverage.ts';
import type { CoveredPlatform } from '../testing/coverage.ts';
import { guestScenarios } from './guest-scenarios.ts';
import { layerScenarios } from './layer-scenarios.ts';
import type { LayerScenario } from './layer-scenarios.ts';
import { mediaScenarios } from './media-scenarios.ts';
import type { MediaScenario } from './attended-meeting.ts';
import { outcomeScenarios } from './scenarios.ts';
import type { OutcomeScenario } from './outcome-scenario.ts';

export const conformancePlatforms = ['meet', 'teams', 'zoom'] as const satisfies readonly CoveredPlatform[];

/** The selection of one run on one platform. */
export interface ConformanceSelection {
  readonly outcomes: readonly OutcomeScenario[];
  readonly attended: readonly MediaScenario[];
  /** Signal layers to test besides the best one; null: none, not even the best one. */
  readonly layers: readonly LayerScenario[] | null;
  /** Whether a join at a certain time is tested, which takes long and is the same on every platform. */
  readonly timedJoin: boolean;
}

interface Shared {
  readonly platforms?: readonly string[];
}

/** Shared scenarios that run on every platform each time; the others are distributed over the platforms. */
const onEveryPlatform: ReadonlySet<string> = new Set([
  'the host lets the bot in',
  'the host removes the bot',
  'knows everybody by name, who of them is the bot, and who leaves',
  'writes and reads the chat with senders, shows its state, and leaves as a participant does, once',
]);

/** All scenarios of the platform. */
export function wholeSelection(platform: CoveredPlatform): ConformanceSelection {
  return {
    outcomes: forPlatform(outcomeScenarios, platform),
    attended: forPlatform([...guestScenarios, ...mediaScenarios], platform),
    layers: layersOf(platform),
    timedJoin: true,
  };
}

/** The signal layers of one platform take 25 s: the platforms alternate by the hash of the commit. */
export function layersOnTurn(commit: string): CoveredPlatform {
  const turn = Number.parseInt(commit.slice(0, 8), 16) % conformancePlatforms.length;
  const platform = conformancePlatforms[turn];
  if (platform === undefined) throw new Error(`${commit} is no hash of a commit.`);
  return platform;
}

/**
 * A sample for every run: scenarios of several platforms are distributed over them, and the platform's own ones are
 * chosen until every state and variant of the whole selection is covered.
 */
export function sampledSelection(platform: CoveredPlatform, onTurn: CoveredPlatform): ConformanceSelection {
  const attended = serializing([...guestScenarios, ...mediaScenarios], platform);
  const sampled = layersOf(platform).filter((scenario) => scenario.sampled === true);
  const layers = platform === onTurn ? sampled : null;
  const candidates = forPlatform(outcomeScenarios, platform).filter(({ longFormOnly }) => longFormOnly !== true);
  const outcomes = serializing(outcomeScenarios, platform).filter((one) => isShared(one) && candidates.includes(one));
  const features = featuresOn(platform);
  const needed = new Set(candidates.flatMap(features));
  const take = (scenario: { readonly name: string }): void => features(scenario).forEach((one) => needed.delete(one));
  [...outcomes, ...attended, ...(layers ?? [])].forEach(take);
  while (needed.size > 0) {
    const gains = candidates.map((one) => features(one).filter((feature) => needed.has(feature)).length);
    const best = candidates[gains.indexOf(Math.max(...gains))]!;
    outcomes.push(best);
    take(best);
  }
  return { outcomes, attended, layers, timedJoin: platform === 'teams' };
}

function layersOf(platform: CoveredPlatform): LayerScenario[] {
  return layerScenarios.filter((scenario) => scenario.platform.name === platform);
}

function forPlatform<Item extends Shared>(items: readonly Item[], platform: CoveredPlatform): Item[] {
  return items.filter(({ platforms }) => platforms === undefined || platforms.includes(platform));
}

function isShared({ platforms }: Shared): boolean {
  return platforms === undefined || platforms.length > 1;
}

/** The platform's own items, and its share of those that several platforms have. */
function serializing<Item extends Shared & { readonly name: string }>(
  items: readonly Item[],
  platform: CoveredPlatform,
): Item[] {
  const shared = items.filter((item) => isShared(item) && !onEveryPlatform.has(item.name));
  return forPlatform(items, platform).filter((item) => {
    if (!isShared(item) || onEveryPlatform.has(item.name)) return true;
    const platforms = item.platforms ?? conformancePlatforms;
    return platforms[shared.indexOf(item) % platforms.length] === platform;
  });
}

/**
 * The features that a scenario covers on the platform: states of the page, which hold most ends, and variants of the
 * room.
 */
function featuresOn(platform: CoveredPlatform): (scenario: { readonly name: string }) => readonly string[] {
  const features = new Map<string, string[]>();
  for (const { name, states, variants } of coveredRuns(platform))
    features.set(name, [...states.map((state) => `state: ${state}`), ...variants]);
  return ({ name }) => features.get(name) ?? [];
}
