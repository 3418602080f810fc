import { faultKinds, roomOptionsSchema, variantValues } from '@rapporteur/simulator';
import type { PageElement } from '../web-client/page-client.ts';
import type { PageState } from '../web-client/page-state.ts';
import { layerScenarios } from '../conformance/layer-scenarios.ts';
import { guestScenarios } from '../conformance/guest-scenarios.ts';
import { mediaScenarios } from '../conformance/media-scenarios.ts';
import { outcomeScenarios } from '../conformance/scenarios.ts';
import type { OutcomeScenario } from '../conformance/outcome-scenario.ts';

export const coveredPlatforms = ['meet', 'teams', 'zoom'] as const;
export type CoveredPlatform = (typeof coveredPlatforms)[number];

/** The simulated site of each column of the matrix. */
const simulatedBy: Readonly<Record<string, CoveredPlatform>> = {
  meet: 'meet',
  teams: 'teams',
  zoom: 'zoom',
  'zoom-sdk': 'zoom',
};

/** The coverage of one run on one platform. */
export interface CoveredRun {
  readonly name: string;
  readonly states: readonly PageState[];
  readonly faults: readonly string[];
  /** `option=value`, the platform's own options only. */
  readonly variants: readonly string[];
}

/** Reported only by an SDK. */
const sdkStates = {
  'waiting-for-authorized-user': true,
  'external-meeting-forbidden': true,
  'sdk-auth-failed': true,
  'obf-token-refused': true,
  'access-token-refused': true,
  'authorized-user-left': true,
  'recording-right-refused': true,
  'recording-right-unavailable': true,
  'recording-right-not-shown': true,
  'recording-not-started': true,
  unusable: true,
} as const satisfies Partial<Record<PageState, true>>;

const everyState: Readonly<Record<PageState, true>> = {
  loading: true,
  launcher: true,
  'pre-join': true,
  lobby: true,
  'waiting-for-host': true,
  'in-call': true,
  denied: true,
  'no-response': true,
  blocked: true,
  refused: true,
  'not-found': true,
  'passcode-wrong': true,
  'login-required': true,
  captcha: true,
  ...sdkStates,
  removed: true,
  'ended-by-host': true,
  left: true,
};

/** Ends that the bot itself detects are no state of a page. */
function isPageState(ends: OutcomeScenario['ends']): ends is Extract<OutcomeScenario['ends'], PageState> {
  return ends in everyState;
}

/** The test that presses or fills each element; complete by its type. */
export const elementTests: Readonly<Record<PageElement, string>> = {
  continueInBrowser: 'the host lets the bot in (platforms with a launcher)',
  nameField: 'every scenario that requests to join',
  passcodeField: 'scenarios whose link carries a passcode that the page asks for',
  microphoneOn: 'every scenario that requests to join',
  microphoneOff: 'shows and says what it is given',
  cameraOn: 'every scenario that requests to join',
  cameraOff: 'shows and says what it is given',
  joinButton: 'every scenario that requests to join',
  leave: 'leaves as a participant does, at once and only once',
  confirmLeave: 'leaves as a participant does (platforms that ask again)',
  participantsButton: 'knows everybody by name (platforms whose list must be open)',
  chatButton: 'writes into the chat',
  chatInput: 'writes into the chat',
  chatSend: 'writes into the chat',
  captionsMenu: 'reads captions (platforms that keep them in a menu)',
  captionsSubmenu: 'reads captions (platforms that keep them in a menu of a menu)',
  captionsOn: 'reads captions',
  captionLanguage: "sets the meeting's language of captions only when it is asked to",
  captionsConfirm: 'reads captions (platforms that ask for their language)',
  settingsMenu: 'reads captions in a language of its own',
  settingsItem: 'reads captions in a language of its own',
  captionSettings: 'reads captions in a language of its own',
  settingsClose: 'reads captions in a language of its own',
  moreControls: 'has the page receive no video where it refuses them (platforms with such a control)',
  stopIncomingVideo: 'has the page receive no video where it refuses them (platforms with such a control)',
  startIncomingVideo: 'has the page receive no video where it refuses them (platforms with such a control)',
};

/** The coverage of the suite on this platform. */
export function coveredRuns(platform: CoveredPlatform): CoveredRun[] {
  const outcomes = outcomeScenarios
    .filter(({ platforms }) => platforms === undefined || platforms.some((one) => simulatedBy[one] === platform))
    .map((scenario) => runOf(platform, scenario.name, scenario.room, statesOf(scenario)));
  const layers = layerScenarios
    .filter((scenario) => scenario.platform.name === platform)
    .map(({ name, room }) => runOf(platform, name, room, ['in-call']));
  const media = [...guestScenarios, ...mediaScenarios]
    .filter(({ platforms }) => platforms === undefined || platforms.includes(platform))
    .map(({ name, room }) => runOf(platform, name, room, ['in-call']));
  const leaving = runOf(platform, 'leaves as a participant does, once', {}, ['in-call', 'left']);
  return [...outcomes, ...layers, ...media, leaving];
}

/** The items that no run covers: `state: x`, `fault: x`, `option=value`. */
export function uncovered(platform: CoveredPlatform): string[] {
  const runs = coveredRuns(platform);
  const seen = new Set([
    ...runs.flatMap((run) => run.states.map((state) => `state: ${state}`)),
    ...runs.flatMap((run) => run.faults.map((fault) => `fault: ${fault}`)),
    ...runs.flatMap((run) => run.variants),
  ]);
  const there = [
    ...Object.keys(everyState)
      .filter((state) => platform === 'zoom' || !(state in sdkStates))
      .map((state) => `state: ${state}`),
    ...faultKinds.map((fault) => `fault: ${fault}`),
    ...Object.entries(variantValues(platform)).flatMap(([name, values]) =>
      values.map((value) => `${name}=${String(value)}`),
    ),
  ];
  return there.filter((one) => !seen.has(one));
}

function statesOf({ reaches, ends, states = [] }: OutcomeScenario): PageState[] {
  const atEnd = ends !== 'in-call' && isPageState(ends) ? ends : undefined;
  const requested: PageState[] = reaches === 'nothing' ? [] : ['pre-join'];
  return [
    'loading',
    ...requested,
    ...(reaches === 'waiting-room' ? (['lobby'] as const) : []),
    ...(reaches === 'in-call' || ends === 'in-call' ? (['in-call'] as const) : []),
    ...states,
    ...(atEnd === undefined ? [] : [atEnd]),
  ];
}

function runOf(
  platform: CoveredPlatform,
  name: string,
  room: OutcomeScenario['room'],
  states: readonly PageState[],
): CoveredRun {
  if (room === 'unknown-meeting') return { name, states, faults: [], variants: [] };
  const { participants: _count, variant = {}, ...lobby } = room;
  const options = roomOptionsSchema.parse({ platform, ...lobby, ...variant });
  const own = options[platform];
  const chosen = Object.entries(own).map(([option, value]) => `${option}=${String(value)}`);
  return {
    name,
    states: [...states, ...statesByVariant(platform, chosen)],
    faults: options.faults.map(({ what }) => what.kind),
    variants: chosen,
  };
}

/** States that every bot passes in such a room. */
function statesByVariant(platform: CoveredPlatform, variants: readonly string[]): PageState[] {
  if (platform === 'teams' && variants.includes('launcher=true')) return ['launcher'];
  const waits = ['hostNotStarted=waits', 'hostNotStarted=error'].some((variant) => variants.includes(variant));
  return platform === 'zoom' && waits ? ['waiting-for-host'] : [];
}
